/**
 * The sites of the demo web, and the words on their pages. Each site has a home page and sections of numbered pages,
 * thirty per list, newest first. A list links only to the next list. So a few pages are important and the many at the
 * end of the lists are not, as on the web.
 */
import { mix32 } from "../base/index.ts";

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

function sections(pagesByName: Readonly<Record<string, number>>): Section[] {
  return Object.entries(pagesByName).map(([name, pages]) => ({ name, pages }));
}

export const SITES: readonly Site[] = [
  {
    host: "www.demo.test",
    title: "The Demo Portal",
    about: "Where everybody starts: it links to all the other sites.",
    sections: sections({ topics: 40 }),
  },
  {
    host: "library.demo.test",
    title: "The Tide Library",
    about: "Books, manuscripts and a reading room that its robots.txt forbids.",
    sections: sections({ books: 620, manuscripts: 240 }),
    robots: "User-agent: *\nDisallow: /reading-room/\nSitemap: http://library.demo.test/sitemap.xml\n",
  },
  {
    host: "news.demo.test",
    title: "The Harbour News",
    about: "Articles, with many links that have moved.",
    sections: sections({ articles: 540, opinion: 120 }),
  },
  {
    host: "forum.demo.test",
    title: "The Pilots' Forum",
    about: "Threads, links marked nofollow, and members' pages that carry session ids.",
    sections: sections({ threads: 600, members: 12 }),
  },
  {
    host: "shop.demo.test",
    title: "The Chandlery",
    about: "A shop whose server is overloaded now and then (503, Retry-After).",
    sections: sections({ goods: 260 }),
  },
  {
    host: "museum.demo.test",
    title: "The Museum of Fog",
    about: "Its robots.txt asks for a delay between requests.",
    sections: sections({ exhibits: 150 }),
    robots: "User-agent: *\nCrawl-delay: 0.2\n",
  },
  {
    host: "files.demo.test",
    title: "Files",
    about: "Reports, tables and pictures: no HTML, no links.",
    sections: sections({ reports: 90 }),
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
  (sum, { sections }) => sum + 1 + sections.reduce((all, { pages }) => all + pages + Math.ceil(pages / PER_LIST), 0),
  0,
);

const ADJECTIVES = "quiet northern tidal forgotten early copper hollow salt winter drifting narrow amber".split(" ");
const NOUNS =
  "harbour lighthouse chart estuary signal archive compass ferry weir lantern dune almanac anchor pier".split(" ");
const VERBS = "marks follows measures remembers crosses divides explains outlasts".split(" ");
const PLACES = "the Skerries|Gull Sound|Marsh End|the Long Bank|Otter Bay|the Grey Firth|Low Island|Saint Brae".split(
  "|",
);
const MATTERS = [
  "the turn of the tide",
  "a winter of storms",
  "the old pilots",
  "two centuries of soundings",
  "what the map left out",
  "the last ferry",
];

/** A pseudorandom number from 0 to 2^32 - 1; the same for the same arguments. */
export function drawn(...parts: readonly number[]): number {
  let value = 0x9e3779b9;
  for (const part of parts) value = mix32(value ^ Math.imul(part + 1, 0x85ebca6b));
  return value >>> 0;
}

export function hashOf(text: string): number {
  let value = 0;
  for (let k = 0; k < text.length; k++) value = mix32(value ^ text.charCodeAt(k));
  return value >>> 0;
}

export function titleOf(key: number): string {
  const adjective = pick(ADJECTIVES, drawn(key, 1));
  const noun = pick(NOUNS, drawn(key, 2));
  const place = pick(PLACES, drawn(key, 3));
  return `${capital(adjective)} ${noun} of ${place}`;
}

export function paragraphOf(key: number): string {
  const sentences = Array.from({ length: 3 + (drawn(key, 4) % 3) }, (_, k) => sentenceOf(drawn(key, 5, k)));
  return sentences.join(" ");
}

function sentenceOf(key: number): string {
  const [first, second] = [pick(NOUNS, drawn(key, 1)), pick(NOUNS, drawn(key, 2))];
  const what = `${pick(ADJECTIVES, drawn(key, 3))} ${first} ${pick(VERBS, drawn(key, 4))} the ${second}`;
  return `The ${what} of ${pick(PLACES, drawn(key, 5))}, and with it ${pick(MATTERS, drawn(key, 6))}.`;
}

function pick(list: readonly string[], key: number): string {
  return list[key % list.length];
}

function capital(word: string): string {
  return `${word[0].toUpperCase()}${word.slice(1)}`;
}
