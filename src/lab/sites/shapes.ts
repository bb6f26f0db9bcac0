/** Ten ordinary shapes of web sites, by name. Each is made from a seed alone, so the same seed gives the same site. */
import { blogSite } from "./blog.ts";
import { companySite } from "./company.ts";
import { docsSite } from "./docs.ts";
import { forumSite } from "./forum.ts";
import { helpSite } from "./help.ts";
import { navigationSite } from "./navigation.ts";
import { newsSite } from "./news.ts";
import { shopSite } from "./shop.ts";
import type { Site } from "./site.ts";
import { universitySite } from "./university.ts";
import { wikiSite } from "./wiki.ts";

export interface SiteShape {
  readonly name: string;
  readonly title: string;
  readonly generate: (seed: number) => Site;
}

export const siteShapes: readonly SiteShape[] = [
  { name: "company", title: "small company, `/login` in its navigation", generate: companySite },
  { name: "blog", title: "blog with tags and archives", generate: blogSite },
  { name: "shop", title: "shop with filters and cart", generate: shopSite },
  { name: "docs", title: "documentation in versions", generate: docsSite },
  { name: "forum", title: "forum with login links", generate: forumSite },
  { name: "wiki", title: "wiki", generate: wikiSite },
  { name: "news", title: "news with calendar", generate: newsSite },
  { name: "university", title: "university of many hosts", generate: universitySite },
  { name: "navigation", title: "300 links of navigation on every page", generate: navigationSite },
  { name: "help", title: "help centre with a nofollow footer and dead links", generate: helpSite },
];
