/** A public authority with one navigation of 300 links on every page, and leaves that only lists lead to. */
import { Random } from "../../base/index.ts";
import { type Site, SiteBuilder } from "./site.ts";
import { paginated, range, someOf } from "./templates.ts";

const NAVIGATION = 300;
const LEAVES = 2400;

export function navigationSite(seed: number): Site {
  const random = new Random(seed);
  const site = new SiteBuilder();
  const topics = range(NAVIGATION - 3).map((k) => `/topic/${k}`);
  const navigation = ["/", "/sitemap", "/login", ...topics];
  const leaves = range(LEAVES).map((k) => `/document/${k}`);
  site.page("/", [...navigation, ...leaves.slice(0, 10)]);
  for (const list of paginated("/sitemap", leaves, 100)) {
    site.page(list.url, [...navigation, ...list.items, ...list.pager]);
  }
  for (const [k, topic] of topics.entries()) {
    const own = leaves.filter((_, place) => place % topics.length === k);
    site.page(topic, [...navigation, ...own]);
  }
  for (const leaf of leaves) site.page(leaf, [...navigation, ...someOf(random, leaves, 4)]);
  site.all("forbidden", ["/login"]);
  return site.finish();
}
