/** What counts as the web of a crawl, by the names of the options that say so: for messages, and for whoever checks before beginning. */
import type { WebSettings } from "./settings.ts";

/** What has no option stands under its own name. */
export function webInWords(web: WebSettings): (readonly [option: string, value: string])[] {
  const { scope, traps } = web;
  return [
    ["--scope", scope.kind],
    ["--include", listed(scope.include)],
    ["--exclude", listed(scope.exclude)],
    ["--universe", web.universe],
    ["--strip-parameters", onOff(web.urlRules.stripParameters ?? false)],
    ["--follow-nofollow", onOff(web.followNofollow)],
    ["--honour-canonical", onOff(web.honourCanonical)],
    ["--no-sitemaps", onOff(!web.sitemaps)],
    ["the seeds of its scope", listed(scope.seeds)],
    ["links read of a page", String(web.linksPerPageMax)],
    ["copies of the same content", String(web.sameContentMax)],
    ["characters of a URL", String(traps.urlCharactersMax)],
    ["segments of a path", String(traps.pathSegmentsMax)],
    ["repetitions in a path", String(traps.repeatsMax)],
    ["parameters of a URL", String(traps.parametersMax)],
  ];
}

function onOff(value: boolean): string {
  return value ? "on" : "off";
}

function listed(values: readonly string[] = []): string {
  return values.length === 0 ? "none" : values.join(" ");
}
