import type { SimulatedWeb } from "./web.ts";

/** By plain search over the web as it is: the pages that a patient and obedient crawler gets. */
export function reachable(web: SimulatedWeb, sitemaps: boolean): Set<number> {
  const pages = new Set<number>();
  const seen = new Set(web.seeds);
  const hostsAsked = new Set<number>();
  const queue = [...web.seeds];
  const hear = (page: number): void => {
    if (!seen.has(page)) queue.push(page);
    seen.add(page);
  };
  for (let page = queue.shift(); page !== undefined; page = queue.shift()) {
    const { host, fate, links, nofollow, redirectOutside } = web.pages[page];
    const { temper, robots } = web.hosts[host];
    if (temper === "absent" || temper === "unreachable" || robots === "broken") continue;
    if (sitemaps && !hostsAsked.has(host)) {
      web.pages.forEach((other, k) => {
        if (other.host === host && k % 3 === 0) hear(k);
      });
    }
    hostsAsked.add(host);
    if (!web.isAllowed(page)) continue;
    if (fate === "redirect" && !redirectOutside) hear(links[0]);
    if (fate === "page" || fate === "partly" || fate === "file" || fate === "flaky") pages.add(page);
    if (fate === "page" || fate === "partly" || fate === "flaky") {
      links.forEach((to, k) => {
        if (!nofollow[k]) hear(to);
      });
    }
  }
  return pages;
}
