/** A shop: categories with filters, products with related ones, a cart and an account that robots.txt disallows. */
import { Random } from "../../base/index.ts";
import { type Site, SiteBuilder } from "./site.ts";
import { paginated, popularOf, range, someOf } from "./templates.ts";

const CATEGORIES = 48;
const PRODUCTS_PER_CATEGORY = 70;
const COLOURS = 6;
const SIZES = 5;
/** Sorted lists are disallowed, as shops do that know of crawlers. */
const SORTS = ["price", "name", "newest"];

export function shopSite(seed: number): Site {
  const random = new Random(seed);
  const site = new SiteBuilder();
  const categories = range(CATEGORIES).map((c) => `/c/${c}`);
  const productsOf = categories.map((_, c) => range(PRODUCTS_PER_CATEGORY).map((k) => `/p/${c}-${k}`));
  const products = productsOf.flat();
  const bestsellers = someOf(random, products, 8);
  const help = ["/shipping", "/returns", "/terms", "/contact"];
  const frame = ["/", ...categories.slice(0, 12), "/categories", "/cart", "/account", ...help];
  site.page("/", [...frame, ...categories, ...bestsellers]);
  site.page("/categories", [...frame, ...categories]);
  for (const url of help) site.page(url, [...frame, "https://parcels.example/"]);
  for (const [c, category] of categories.entries()) addCategory(site, category, productsOf[c], frame);
  for (const [c, items] of productsOf.entries()) {
    for (const item of items) {
      // A fiftieth of the products has moved to another.
      if (random.float() < 0.02) {
        site.redirect(item, items[0] === item ? categories[c] : items[0]);
        continue;
      }
      const related = [...someOf(random, items, 6), ...popularOf(random, products, 4), ...bestsellers.slice(0, 4)];
      site.page(item, [...frame, categories[c], ...related], [`/cart?add=${item}`, `${item}/review`]);
    }
  }
  site.all("forbidden", ["/cart", "/account"]);
  return site.finish();
}

function addCategory(site: SiteBuilder, category: string, products: readonly string[], frame: readonly string[]): void {
  const filters = range(COLOURS).flatMap((colour) => range(SIZES).map((size) => ({ colour, size })));
  const colours = range(COLOURS).map((colour) => `${category}?colour=${colour}`);
  const sizes = range(SIZES).map((size) => `${category}?size=${size}`);
  const sorted = SORTS.map((sort) => `${category}?sort=${sort}`);
  const listFrame = [...frame, ...sorted];
  const addList = (url: string, items: readonly string[], more: readonly string[]): void => {
    for (const list of paginated(url, items, 24)) {
      // The pages of a filtered list are named as parameters too.
      const named = (link: string): string => (url.includes("?") ? link.replace(`${url}?`, `${url}&`) : link);
      site.page(named(list.url), [...listFrame, ...list.items, ...list.pager.map(named), ...more]);
    }
  };
  addList(category, products, [...colours, ...sizes]);
  for (const colour of range(COLOURS)) {
    const items = products.filter((_, k) => k % COLOURS === colour);
    addList(colours[colour], items, [
      ...colours,
      ...range(SIZES).map((size) => `${category}?colour=${colour}&size=${size}`),
    ]);
  }
  for (const size of range(SIZES)) {
    const items = products.filter((_, k) => k % SIZES === size);
    addList(sizes[size], items, [...sizes, ...range(COLOURS).map((c) => `${category}?colour=${c}&size=${size}`)]);
  }
  for (const { colour, size } of filters) {
    const items = products.filter((_, k) => k % COLOURS === colour && k % SIZES === size);
    addList(`${category}?colour=${colour}&size=${size}`, items, [colours[colour], sizes[size], category]);
  }
  site.all("forbidden", sorted);
}
