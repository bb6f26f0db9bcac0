export * from "./url.ts";
export {
  bodyKind,
  decodeAs,
  decodeBody,
  type DecodedBody,
  isHtml,
  isPlainText,
  isVague,
  isXhtml,
  mediaType,
} from "./content-type.ts";
export { canonicalHostKey, HostTable } from "./host-table.ts";
export { baseOf, type HtmlLink, type HtmlOptions, type HtmlPage, readHtml, readHtmlBody } from "./html.ts";
export { type RobotsDirectives, xRobotsTag } from "./robots-directives.ts";
export { looksLikeLogin } from "./login.ts";
export { looksLikeLogout } from "./logout.ts";
export { Scope, type ScopeKind, type ScopeOptions } from "./scope.ts";
export { defaultTrapLimits, type TrapLimits, type TrapName, trapIn, trapNames } from "./traps.ts";
export * from "./robots.ts";
export * from "./address-guard.ts";
export * from "./requisites.ts";
export { looksScriptMade } from "./script-made.ts";
export { simhash } from "./simhash.ts";
export * from "./sitemap.ts";
export { combined, type Purpose, type UsagePreferences, usageOfHeaders, usageText } from "./usage.ts";
