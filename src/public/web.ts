/**
 * `tidemark/web`: the rules of the web. URLs, scopes, robots.txt, sitemaps, HTML links, encodings, addresses.
 *
 * @example
 * ```js
 * import { canonicalUrl, parseRobots, readHtml, rulesFor } from "tidemark/web";
 *
 * const { title, links } = readHtml('<title>Home</title><a href="../a?b#c">A</a>');
 * console.log(title, canonicalUrl(links[0].href, "https://WWW.Example.com:443/x/"));
 * const robots = rulesFor(parseRobots("User-agent: *\nDisallow: /private"), "mybot");
 * console.log(robots.allows("/"), robots.allows("/private/page"));
 * ```
 *
 * It prints:
 *
 * ```text
 * Home https://www.example.com/a?b
 * true false
 * ```
 * @packageDocumentation
 */
export {
  type AddressKind,
  addressKind,
  canonicalUrl,
  type DecodedBody,
  decodeBody,
  defaultTrapLimits,
  type HtmlLink,
  type HtmlOptions,
  type HtmlPage,
  isHtml,
  isPublicAddress,
  LinkResolver,
  parseRobots,
  parseSitemap,
  readHtml,
  readHtmlBody,
  registrableDomain,
  type RobotsDirectives,
  type RobotsFile,
  type RobotsRules,
  rulesFor,
  Scope,
  type ScopeKind,
  type ScopeOptions,
  type SitemapOptions,
  type SitemapResult,
  type SitemapTruncation,
  type TrapLimits,
  type TrapName,
  trapIn,
  type UrlRules,
  type UsagePreferences,
  usageOfHeaders,
  xRobotsTag,
} from "../web/index.ts";
