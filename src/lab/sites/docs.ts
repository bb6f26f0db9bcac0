/** Documentation in versions: the sidebar of a chapter, a switch between versions, pages that a version lacks. */
import { Random } from "../../base/index.ts";
import { type Site, SiteBuilder } from "./site.ts";
import { neighbours, popularOf, range } from "./templates.ts";

const VERSIONS = 6;
const CHAPTERS = 18;
const PAGES_PER_CHAPTER = 16;

export function docsSite(seed: number): Site {
  const random = new Random(seed);
  const site = new SiteBuilder();
  const versions = range(VERSIONS).map((k) => `/v${VERSIONS - k}`);
  const chapters = range(CHAPTERS).map((c) => ({
    path: `/chapter-${c}`,
    pages: range(PAGES_PER_CHAPTER).map((k) => `/chapter-${c}/page-${k}`),
  }));
  const paths = chapters.flatMap(({ pages }) => pages);
  const frame = ["/", "/download", "/community", "/search", "https://code.example/"];
  site.page("/", [...frame, "/latest/", ...versions.map((version) => `${version}/`)]);
  site.redirect("/latest/", `${versions[0]}/`);
  site.page("/download", [...frame, "/latest/"]);
  site.page("/community", [...frame, "/latest/", "https://chat.example/"]);
  site.all("forbidden", ["/search"]);
  // Each version adds pages: an older one lacks some that the switch still names.
  const since = paths.map(() => (random.float() < 0.7 ? 0 : random.below(VERSIONS)));
  const isIn = (age: number, path: string): boolean => VERSIONS - 1 - age >= since[paths.indexOf(path)];
  for (const [age, version] of versions.entries()) {
    const own = (path: string): string => `${version}${path}`;
    const contents = chapters.map(({ path }) => own(`${path}/`));
    site.page(own("/"), [...frame, ...contents, ...versions.map((other) => `${other}/`)]);
    for (const { path, pages } of chapters) {
      const present = pages.filter((page) => isIn(age, page));
      const sidebar = [own("/"), ...contents, ...present.map(own)];
      site.page(own(`${path}/`), [...frame, ...sidebar]);
      for (const [place, page] of present.entries()) {
        const seeAlso = popularOf(random, paths, 4).filter((other) => isIn(age, other));
        const links = [...frame, ...sidebar, ...neighbours(present, place).map(own), ...seeAlso.map(own)];
        site.page(own(page), [...links, ...versions.map((other) => `${other}${page}`)], [`/edit${own(page)}`]);
      }
      site.all("dead", pages.map(own));
    }
  }
  return site.finish();
}
