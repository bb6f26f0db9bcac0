/**
 * URLs that look as if they end a session. A crawl that is logged in must not request them: the rest of the site would
 * be gone. Only whole words count, a segment of the path (`/user/logout.php`) or a parameter that chooses an action
 * (`?action=logout`, `?logout=1`), so `/help/how-to-logout` and a search for "logout" are ordinary pages. In doubt a
 * page is skipped: one page less is better than all the rest without the session.
 */
import { withoutQuery } from "./url.ts";

/** What ends a session, without hyphens; the languages are those in which sites translate the word in their URLs. */
const ENDINGS =
  "(?:user|do|my|customer|jspringsecurity)?(?:logout|logoff|signout|signoff)|endsession|" +
  "abmelden|ausloggen|deconnexion|sedeconnecter|cerrarsesion|uitloggen|afmelden|wyloguj";
const WORD = new RegExp(`^(?:${ENDINGS})$`);
/** Nearly all URLs have none of these letters in a row. */
const HINT = /log|sign|ses|abm|afm|conn/i;

/** Parameters whose value is the name of an action or of a page. */
const CHOOSING =
  /^(?:a|act|action|cmd|command|do|event|func|function|logintype|method|mode|op|page|r|route|_?task|title|view)$/;
/** Drupal has its paths in the parameter that others have searches in. */
const DRUPAL = /^q=(?:\/|%2F)?user(?:\/|%2F)logout$/i;

/** `path` is that of a canonical URL, with its query: "/a/b?c=d". */
export function looksLikeLogout(path: string): boolean {
  if (!HINT.test(path)) return false;
  const query = path.indexOf("?");
  const segments = withoutQuery(path)
    .split("/")
    .filter((segment) => segment !== "");
  if (segments.some((segment, k) => isEnding(segment) && !isAbout(segments, k))) return true;
  return (
    query !== -1 &&
    path
      .slice(query + 1)
      .split("&")
      .some(endsSession)
  );
}

/** An article of a wiki, which has actions in a namespace; or pages below an approval, which is a sign-off too. */
function isAbout(segments: readonly string[], k: number): boolean {
  const isArticle = segments[k - 1] === "wiki" && !/:|%3A/i.test(segments[k]);
  return isArticle || (/^sign[-_]?off$/i.test(segments[k]) && k < segments.length - 1);
}

function endsSession(parameter: string): boolean {
  const [name, value = ""] = parameter.split("=", 2);
  if (isEnding(name) || DRUPAL.test(parameter)) return true;
  // "user/logout" and "user.logout" are actions of frameworks.
  return CHOOSING.test(name.toLowerCase()) && value.split(/\/|%2F|\./i).some(isEnding);
}

function isEnding(segment: string): boolean {
  return WORD.test(wordOf(segment));
}

/**
 * A segment of a path as a word in lower case: without its parameters, its namespace (`Special:UserLogout`), the ending
 * of a file, and hyphens.
 */
export function wordOf(segment: string): string {
  const word = segment.replace(/;.*$/s, "").replace(/^.*(?::|%3A)/i, "");
  return word
    .replace(/\.[a-z]+$/i, "")
    .replace(/[-_]/g, "")
    .toLowerCase();
}
