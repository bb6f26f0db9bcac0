/**
 * The sites of the demo web. Each has a home page and sections of numbered pages, thirty per list, newest first. A list
 * links only to the next list. So a few pages are important and the many at the end of the lists are not, as on the
 * web.
 */

export interface Section {
  readonly name: string;
  readonly pages: number;
}

export interface Site {
  readonly host: string;
  readonly title: string;
  readonly about: string;
  readonly sections: readonly Section[];
  /** Its robots.txt; left out if it has none. */
  readonly robots?: string;
  /** Its response time. */
  readonly slowMs?: number;
}

export const DEMO_DOMAIN = "demo.test";
export const DEMO_SEED = `http://www.${DEMO_DOMAIN}/`;
export const PER_LIST = 30;

export const SITES: readonly Site[] = [
  {
    host: "www.demo.test",
    title: "The Demo Portal",
    about: "Where everybody starts: it links to all the other sites.",
    sections: [{ name: "topics", pages: 40 }],
  },
  {
    host: "library.demo.test",
    title: "The Tide Library",
    about: "Books, manuscripts and a reading room that its robots.txt forbids.",
    sections: [
      { name: "books", pages: 620 },
      { name: "manuscripts", pages: 240 },
    ],
    robots: "User-agent: *\nDisallow: /reading-room/\nSitemap: http://library.demo.test/sitemap.xml\n",
  },
  {
    host: "news.demo.test",
    title: "The Harbour News",
    about: "Articles, with many links that have moved.",
    sections: [
      { name: "articles", pages: 540 },
      { name: "opinion", pages: 120 },
    ],
  },
  {
    host: "forum.demo.test",
    title: "The Pilots' Forum",
    about: "Threads, links marked nofollow, and members' pages that carry session ids.",
    sections: [
      { name: "threads", pages: 600 },
      { name: "members", pages: 12 },
    ],
  },
  {
    host: "shop.demo.test",
    title: "The Chandlery",
    about: "A shop whose server is overloaded now and then (503, Retry-After).",
    sections: [{ name: "goods", pages: 260 }],
  },
  {
    host: "museum.demo.test",
    title: "The Museum of Fog",
    about: "Its robots.txt asks for a delay between requests.",
    sections: [{ name: "exhibits", pages: 150 }],
    robots: "User-agent: *\nCrawl-delay: 0.2\n",
  },
  {
    host: "files.demo.test",
    title: "Files",
    about: "Reports, tables and pictures: no HTML, no links.",
    sections: [{ name: "reports", pages: 90 }],
  },
  {
    host: "calendar.demo.test",
    title: "The Tide Tables",
    about: "A slow calendar in which there is always a next month.",
    sections: [],
    slowMs: 250,
  },
];

/** Number of HTML pages and files, without the endless ones: copies under session ids, and months. */
export const DEMO_PAGES = SITES.reduce(
  (sum, { sections }) =>
    sum + 1 + sections.reduce((all, { pages }) => all + pages + Math.ceil(pages / PER_LIST), 0),
  0,
);
