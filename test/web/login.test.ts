/** URLs that look like the page on which users log in. */
import { expect, it } from "vitest";
import { looksLikeLogin } from "../../src/web/index.ts";

it.each([
  "/login",
  "/LOGIN/",
  "/users/sign_in?next=%2F",
  "/wp-login.php",
  "/account/log-in.html",
  "/sso/start",
  "/auth",
  "/oauth2/authorize?x=1",
  "/wiki/Special:UserLogin",
  "/signin;jsessionid=1",
  "/anmelden",
  "/fr/se-connecter",
  "/iniciar-sesion",
  "/inloggen",
])("knows %s", (path) => {
  expect(looksLikeLogin(path)).toBe(true);
});

it.each([
  "/",
  "/blog/how-to-login",
  "/author/ann",
  "/docs/auth/overview",
  "/blog/sso/",
  "/products/saml",
  "/blogin",
  "/page?next=/login",
  "/logout",
  "/assets/a.css",
])("takes %s for an ordinary page", (path) => {
  expect(looksLikeLogin(path)).toBe(false);
});
