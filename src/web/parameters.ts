/**
 * Session and tracking parameters, which turn one page into many URLs. The user decides about removing them
 * (`stripParameters`): a site may need any of them.
 *
 * Session names are those that Nutch and Heritrix remove; tracking names are those of advertisers and mailers. `sid` is
 * also used for stories and sections, so it is removed only if its value looks random (Heritrix's rule: 32 letters and
 * digits). Path parameters (`;jsessionid=...`) are removed too, unless a dot segment would remain, and so are those
 * that stand among the parameters of the query.
 */

/** Removes them from a canonical URL, which stays canonical. Other parameters keep their order and spelling. */
export function withoutTracking(url: string): string {
  const query = url.indexOf("?");
  if (query === -1) return url.includes(";") ? withoutPathSessions(url) : url;
  const path = url.slice(0, query);
  const kept = keptParameters(url.slice(query + 1));
  const plainPath = path.includes(";") ? withoutPathSessions(path) : path;
  return kept === "" ? plainPath : `${plainPath}?${kept}`;
}

const SESSION_NAMES = new Set(
  `jsessionid phpsessid sessionid session_id _sessionid bv_sessionid bv_engineid cfid cftoken sessid osessid zenid
  oscsid`.split(/\s+/),
);
/** ASP has a different name on every server. */
const SESSION_PREFIX = "aspsessionid";

const TRACKING_NAMES = new Set(
  `gclid gclsrc dclid gbraid wbraid srsltid _ga _gl fbclid igshid igsh msclkid twclid ttclid li_fat_id epik yclid ysclid
  _openstat mc_cid mc_eid mkt_tok _hsenc _hsmi __hssc __hstc __hsfp hsctatracking vero_id oly_anon_id oly_enc_id
  wickedid ml_subscriber ml_subscriber_hash`.split(/\s+/),
);
/** Google Analytics; Matomo and its older name. */
const TRACKING_PREFIXES = ["utm_", "mtm_", "pk_"];

const DRAWN_VALUE = /^[0-9A-Za-z]{32}$/;

function keptParameters(query: string): string {
  const parameters = query.split("&");
  const kept = parameters.map(withoutSessions).filter((parameter) => parameter !== null);
  return kept.length === parameters.length && kept.every((each, k) => each === parameters[k]) ? query : kept.join("&");
}

/** Some servers add `;jsessionid=...` to the last parameter. Null if nothing is left. */
function withoutSessions(parameter: string): string | null {
  if (!parameter.includes(";")) return isTracking(parameter) ? null : parameter;
  const pieces = parameter.split(";");
  const kept = pieces.filter((piece) => !isTracking(piece));
  return kept.length === 0 ? null : kept.join(";");
}

function isTracking(parameter: string): boolean {
  const equals = parameter.indexOf("=");
  const name = (equals === -1 ? parameter : parameter.slice(0, equals)).toLowerCase();
  if (name === "sid") return DRAWN_VALUE.test(parameter.slice(equals + 1));
  return (
    SESSION_NAMES.has(name) ||
    TRACKING_NAMES.has(name) ||
    name.startsWith(SESSION_PREFIX) ||
    TRACKING_PREFIXES.some((prefix) => name.startsWith(prefix))
  );
}

/** For a URL without its query. */
function withoutPathSessions(url: string): string {
  const pathStart = url.indexOf("/", "https://".length);
  return url.replace(/;([^;/=]*)(?:=[^;/]*)?/g, (parameter, name: string, at: number) => {
    if (at < pathStart || !SESSION_NAMES.has(name.toLowerCase())) return parameter;
    return url.endsWith("/.", at) || url.endsWith("/..", at) ? parameter : "";
  });
}
