/**
 * URLs that look as if they end a session. A crawl that is logged in must not request them: the rest of the site would
 * be gone. Only whole words count, a segment of the path (`/user/logout.php`) or a parameter that chooses an action
 * (`?action=logout`, `?logout=1`), so `/help/how-to-logout` and a search for "logout" are ordinary pages.
 */

/** What ends a session, without hyphens; the languages are those in which sites translate the word in their URLs. */
const ENDINGS =
  "(?:user|do)?(?:logout|logoff|signout|signoff)|endsession|abmelden|ausloggen|deconnexion|cerrarsesion|uitloggen|wyloguj";
const WORD = new RegExp(`^(?:${ENDINGS})$`);
/** Nearly all URLs have none of these letters in a row. */
const HINT = /log|sign|ses|abm|conn/i;

/** Parameters whose value is the name of an action or of a page. */
const CHOOSING = /^(?:a|act|action|cmd|command|do|event|func|function|method|mode|op|page|r|route|task|title|view)$/;

/** `path` is that of a canonical URL, with its query: "/a/b?c=d". */
export function looksLikeLogout(path: string): boolean {
  if (!HINT.test(path)) return false;
  const query = path.indexOf("?");
  const segments = (query === -1 ? path : path.slice(0, query)).split("/");
  if (segments.some(isEnding)) return true;
  return (
    query !== -1 &&
    path
      .slice(query + 1)
      .split("&")
      .some(endsSession)
  );
}

function endsSession(parameter: string): boolean {
  const [name, value = ""] = parameter.split("=", 2);
  if (isEnding(name)) return true;
  // "user/logout" and "user.logout" are actions of frameworks.
  return CHOOSING.test(name.toLowerCase()) && value.split(/\/|%2F|\./i).some(isEnding);
}

/** Without the parameters of a segment, its namespace (`Special:UserLogout`) and the ending of a file. */
function isEnding(segment: string): boolean {
  const word = segment.replace(/;.*$/s, "").replace(/^.*(?::|%3A)/i, "");
  return WORD.test(
    word
      .replace(/\.[a-z]+$/i, "")
      .replace(/[-_]/g, "")
      .toLowerCase(),
  );
}
