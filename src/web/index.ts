export {
  canonicalUrl,
  hostOfOrigin,
  hostOfUrl,
  LinkResolver,
  registrableDomain,
  splitUrl,
  type UrlRules,
} from "./url.ts";
export { decodeBody, type DecodedBody, isHtml, isVague, mediaType } from "./content-type.ts";
export { type HtmlLink, type HtmlOptions, type HtmlPage, readHtml, readHtmlBody } from "./html.ts";
export { type RobotsDirectives, xRobotsTag } from "./robots-directives.ts";
export { Scope, type ScopeKind, type ScopeOptions } from "./scope.ts";
export { defaultTrapLimits, type TrapLimits, type TrapName, trapIn, trapNames } from "./traps.ts";
export {
  allowAll,
  parseRobots,
  ROBOTS_BYTES_KEPT,
  ROBOTS_BYTES_MAX,
  ROBOTS_REDIRECTS_MAX,
  type RobotsFile,
  type RobotsRules,
  robotsOfStatus,
  rulesFor,
} from "./robots.ts";
export {
  type AddressKind,
  addressKind,
  isLocalName,
  isPublicAddress,
  literalAddress,
  specialAddressIn,
} from "./address.ts";
export {
  isGzip,
  parseSitemap,
  SITEMAP_BYTES_MAX,
  SITEMAP_URLS_MAX,
  type SitemapOptions,
  type SitemapResult,
} from "./sitemap.ts";
