export * from "./url.ts";
export { decodeBody, type DecodedBody, isHtml, isVague, mediaType } from "./content-type.ts";
export { type HtmlLink, type HtmlOptions, type HtmlPage, readHtml, readHtmlBody } from "./html.ts";
export { type RobotsDirectives, xRobotsTag } from "./robots-directives.ts";
export { Scope, type ScopeKind, type ScopeOptions } from "./scope.ts";
export { defaultTrapLimits, type TrapLimits, type TrapName, trapIn, trapNames } from "./traps.ts";
export * from "./robots.ts";
export * from "./address-guard.ts";
export * from "./sitemap.ts";
