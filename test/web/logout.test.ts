import { describe, expect, it } from "vitest";
import { looksLikeLogout } from "../../src/web/index.ts";

describe("a URL looks like logout", () => {
  it.each([
    "/logout",
    "/user/logout/",
    "/Log-Out.aspx",
    "/account/sign_out?next=/",
    "/signout;jsessionid=1F2E",
    "/logoff/confirm",
    "/abmelden",
    "/wiki/Special:UserLogout",
    "/w/index.php?title=Special:UserLogout",
    "/w/index.php?title=Special%3AUserLogout&x=1",
    "/wp-login.php?action=logout&_wpnonce=1",
    "/ucp.php?mode=logout",
    "/?logout",
    "/a?b=c&logout=1",
    "/index.php?route=account/logout",
    "/index.php?r=site%2Flogout",
    "/index.php?task=user.logout",
    "/connect/endsession",
    "/end_session?x",
    "/cerrar-sesion",
    "/deconnexion",
    "/ausloggen",
    "/uitloggen",
    "/wyloguj",
    "/sign-off",
  ])("as %s", (path) => expect(looksLikeLogout(path)).toBe(true));

  it.each([
    "/",
    "/login",
    "/signup",
    "/blog/",
    "/help/how-to-logout",
    "/logouts-of-2024",
    "/logout-button.png",
    "/search?q=logout",
    "/search?q=log+out",
    "/catalog/outdoor",
    "/log/out",
    "/?next=/logout",
    "/connect",
  ])("but not as %s", (path) => expect(looksLikeLogout(path)).toBe(false));
});
