/** A university of many hosts: institutes with people, courses and papers; one host whose server is broken. */
import { Random } from "../../base/index.ts";
import { type Site, SiteBuilder } from "./site.ts";
import { paginated, popularOf, popularPlace, range, someOf } from "./templates.ts";

const INSTITUTES = 40;
const PEOPLE_MOST = 240;
const BROKEN = 31;

export function universitySite(seed: number): Site {
  const random = new Random(seed);
  const site = new SiteBuilder();
  const main = "https://www.uni.test";
  const hosts = range(INSTITUTES).map((k) => `https://institute-${k}.uni.test`);
  const fronts = hosts.map((host) => `${host}/`);
  const faculties = range(8).map((k) => `${main}/faculty/${k}`);
  const offices = ["study", "research", "contact", "jobs", "library"].map((name) => `${main}/${name}`);
  const frame = [`${main}/`, ...offices, `${main}/intranet`];
  site.page(`${main}/`, [...frame, ...faculties, ...fronts.slice(0, 6)]);
  for (const [k, url] of faculties.entries())
    site.page(url, [...frame, ...faculties, ...fronts.filter((_, i) => i % 8 === k)]);
  for (const url of offices) site.page(url, [...frame, ...faculties]);
  const lost: string[] = [];
  for (const [k, host] of hosts.entries()) {
    if (k === BROKEN) site.all("failed", [`${host}/`]);
    else addInstitute(host, Math.floor(20 + PEOPLE_MOST / (1 + k / 6)));
  }
  site.all("forbidden", [`${main}/intranet`]);
  site.all("dead", lost);
  return site.finish();

  function addInstitute(host: string, size: number): void {
    const people = range(size).map((k) => `${host}/people/${k}`);
    const courses = range(Math.floor(size / 2)).map((k) => `${host}/courses/${k}`);
    const own = [`${host}/`, `${host}/people`, `${host}/courses`, `${host}/wiki/login`];
    site.page(`${host}/`, [
      ...own,
      ...frame,
      ...people.slice(0, 5),
      ...courses.slice(0, 5),
      ...someOf(random, fronts, 2),
    ]);
    site.all("forbidden", [`${host}/wiki/login`]);
    for (const [url, items] of [
      [`${host}/people`, people],
      [`${host}/courses`, courses],
    ] as const) {
      for (const list of paginated(url, items, 50)) site.page(list.url, [...own, ...list.items, ...list.pager]);
    }
    for (const course of courses) site.page(course, [...own, ...popularOf(random, people, 2), `${main}/study`]);
    for (const [k, person] of people.entries()) {
      const papers = range(popularPlace(random, 12)).map((paper) => `${host}/papers/${k}-${paper}.pdf`);
      // Hand-written pages: some without any frame, some with links that are long gone.
      const links = [...(random.float() < 0.7 ? own : [`${host}/`]), ...papers, ...someOf(random, courses, 2)];
      if (random.float() < 0.3) links.push(fronts[popularPlace(random, INSTITUTES)]);
      const old = `${host}/~${k}/old.html`;
      if (random.float() < 0.2) {
        links.push(old);
        lost.push(old);
      }
      site.page(person, [...links, "https://journal.example/"]);
      for (const paper of papers) site.page(paper, []);
    }
  }
}
