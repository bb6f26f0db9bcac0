/** A blog: posts with tags, monthly archives, related posts, links to reply that nobody should follow. */
import { Random } from "../../base/index.ts";
import { type Site, SiteBuilder } from "./site.ts";
import { grouped, neighbours, paginated, popularOf, range, someOf } from "./templates.ts";

const POSTS = 1500;
const TAGS = 180;
const POSTS_PER_MONTH = 12;

export function blogSite(seed: number): Site {
  const random = new Random(seed);
  const site = new SiteBuilder();
  const posts = range(POSTS).map((k) => `/post/${k}`);
  const tags = range(TAGS).map((k) => `/tag/${k}`);
  const tagsOf = posts.map(() => popularOf(random, tags, 4));
  const months = grouped(posts, (_, place) => [`/archive/${Math.floor(place / POSTS_PER_MONTH)}`]);
  const byTag = grouped(posts, (_, place) => tagsOf[place]);
  const navigation = ["/", "/about", "/archive", "/tags", "/contact", "/wp-login.php"];
  const sidebar = [...posts.slice(0, 5), ...tags.slice(0, 15)];
  const frame = [...navigation, ...sidebar];
  for (const list of paginated("/", posts, 10)) site.page(list.url, [...frame, ...list.items, ...list.pager]);
  for (const url of ["/about", "/contact"]) site.page(url, frame);
  site.page("/archive", [...frame, ...months.keys()]);
  site.page("/tags", [...frame, ...byTag.keys()]);
  for (const [tag, items] of [...byTag, ...months]) {
    for (const list of paginated(tag, items, 10)) site.page(list.url, [...frame, ...list.items, ...list.pager]);
  }
  const lost: string[] = [];
  for (const [place, post] of posts.entries()) {
    const month = `/archive/${Math.floor(place / POSTS_PER_MONTH)}`;
    const links = [...frame, ...tagsOf[place], month, ...neighbours(posts, place), ...someOf(random, posts, 3)];
    const file = `/files/${place}.pdf`;
    if (random.float() < 0.1) {
      links.push(file);
      lost.push(file);
    }
    site.page(post, [...links, "https://elsewhere.example/"], [`${post}?replytocom=1`, "https://commenter.example/"]);
  }
  site.all("dead", lost);
  site.all("forbidden", ["/wp-login.php"]);
  return site.finish();
}
