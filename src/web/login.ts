/**
 * URLs that look like the page on which users log in. Only whole segments of the path count (`/users/sign_in`,
 * `/wp-login.php`, `/sso/start`), so `/blog/how-to-login` is an ordinary page. Names of protocols count at the start
 * only: `/docs/auth/` is about them. Parameters say nothing: they often name the page to return to.
 */
import { wordOf } from "./logout.ts";
import { withoutQuery } from "./url.ts";

/** Without hyphens and the ending of a file, in the languages in which sites translate the word in their URLs. */
const WORD = new RegExp(
  "^(?:(?:user|wp|do|my|customer|member|cas)?(?:login|logon|signin)|" +
    "anmelden|einloggen|connexion|seconnecter|iniciarsesion|inloggen|aanmelden|zaloguj)$",
);
const PROTOCOL = /^(?:auth|authenticate|oauth2?|openid|saml2?|sso)$/;
/** Nearly all URLs have nothing of this: a shortcut for them. */
const HINT = /log[-_]?[io]n|sign[-_]?in|auth(?!or)|openid|saml|sso|conne|melden|logge|sesion|zaloguj/i;

/** `path` is that of a canonical URL, with its query: "/a/b?c=d". */
export function looksLikeLogin(path: string): boolean {
  if (!HINT.test(path)) return false;
  const [, ...names] = withoutQuery(path).split("/").map(wordOf);
  return PROTOCOL.test(names[0]) || names.some((name) => WORD.test(name));
}
