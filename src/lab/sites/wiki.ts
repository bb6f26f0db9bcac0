/** A wiki: articles that link to popular ones and to some that nobody wrote, redirects, categories, edit links. */
import { Random } from "../../base/index.ts";
import { type Site, SiteBuilder } from "./site.ts";
import { grouped, paginated, popularOf, range, someOf } from "./templates.ts";

const ARTICLES = 4000;
const CATEGORIES = 250;
const OTHER_NAMES = 600;
const UNWRITTEN = 900;

export function wikiSite(seed: number): Site {
  const random = new Random(seed);
  const site = new SiteBuilder();
  const articles = range(ARTICLES).map((k) => `/wiki/Article_${k}`);
  const otherNames = range(OTHER_NAMES).map((k) => `/wiki/Name_${k}`);
  const unwritten = range(UNWRITTEN).map((k) => `/wiki/Unwritten_${k}`);
  const categories = range(CATEGORIES).map((k) => `/wiki/Category:${k}`);
  const categoriesOf = articles.map(() => popularOf(random, categories, 3));
  const byCategory = grouped(articles, (_, place) => categoriesOf[place]);
  const menu = ["/wiki/Main", "/wiki/Categories", "/wiki/About", "/w/random", "/w/recent", "/w/login"];
  const frame = (url: string): string[] => [...menu, `/w/index.php?title=${url}&action=history`];
  const add = (url: string, links: readonly string[]): void => {
    site.page(url, [...links, ...frame(url)], [`/w/index.php?title=${url}&action=edit`]);
    site.all("forbidden", frame(url).slice(3));
  };
  site.redirect("/", "/wiki/Main");
  add("/wiki/Main", [...articles.slice(0, 12), ...someOf(random, articles, 12), ...categories.slice(0, 10)]);
  add("/wiki/Categories", categories);
  add("/wiki/About", []);
  for (const category of categories) {
    for (const list of paginated(category, byCategory.get(category) ?? [], 200)) {
      add(list.url, [...list.items, ...list.pager]);
    }
  }
  const used = new Set<string>();
  for (const [place, article] of articles.entries()) {
    const near = range(6).map((k) => articles[(place * 7 + k * k + 1) % ARTICLES]);
    const links = [...popularOf(random, articles, 5 + random.below(15)), ...near, ...categoriesOf[place]];
    if (random.float() < 0.4) links.push(...popularOf(random, otherNames, 2));
    if (random.float() < 0.3) links.push(unwritten[random.below(UNWRITTEN)]);
    for (const link of links) used.add(link);
    if (place % 3 === 0) {
      const talk = `/wiki/Talk:Article_${place}`;
      links.push(talk);
      add(talk, [article]);
    }
    add(article, [...links, "https://source.example/"]);
  }
  for (const name of otherNames) if (used.has(name)) site.redirect(name, articles[random.below(ARTICLES)]);
  site.all(
    "dead",
    unwritten.filter((link) => used.has(link)),
  );
  return site.finish();
}
