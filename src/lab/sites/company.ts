/** A company of 600 pages: a navigation with one `/login`, which robots.txt disallows; products, news, jobs. */
import { Random } from "../../base/index.ts";
import { type Site, SiteBuilder } from "./site.ts";
import { neighbours, paginated, range, someOf } from "./templates.ts";

export function companySite(seed: number): Site {
  const random = new Random(seed);
  const site = new SiteBuilder();
  const navigation = ["/", "/products", "/news", "/jobs", "/about", "/contact", "/imprint", "/login"];
  const sections = [
    { url: "/products", items: range(240).map((k) => `/products/${k}`) },
    { url: "/news", items: range(300).map((k) => `/news/${k}`) },
    { url: "/jobs", items: range(27).map((k) => `/jobs/${k}`) },
  ];
  const [products, news] = sections;
  site.page("/", [...navigation, ...products.items.slice(0, 8), ...news.items.slice(0, 5)]);
  for (const url of ["/about", "/contact", "/imprint"]) site.page(url, [...navigation, ...news.items.slice(0, 3)]);
  for (const { url, items } of sections) {
    for (const list of paginated(url, items, 20)) site.page(list.url, [...navigation, ...list.items, ...list.pager]);
    for (const [place, item] of items.entries()) {
      const related = [...someOf(random, items, 5), ...someOf(random, products.items, 3)];
      site.page(item, [...navigation, ...neighbours(items, place), ...related, "https://social.example/share"]);
    }
  }
  site.all("forbidden", ["/login"]);
  return site.finish();
}
