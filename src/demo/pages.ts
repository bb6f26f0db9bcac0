/**
 * The responses of the demo web: a function of host, path and the number of requests for that path.
 *
 * It has what makes real webs hard: chains and a loop of redirects, dead links, a forbidden area, an endless calendar,
 * copies of pages under session ids, a slow server, an overloaded one, links marked nofollow, and files that are not
 * pages.
 */
import { DEMO_DOMAIN, drawn, hashOf, paragraphOf, PER_LIST, type Section, type Site, SITES, titleOf } from "./sites.ts";

export interface DemoReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly delayMs: number;
}

interface Link {
  readonly href: string;
  readonly text: string;
  readonly nofollow?: boolean;
}

/** The shop is overloaded: of its older goods, every twentieth is not served at the first request. */
const OVERLOADED_EVERY = 20;
const OVERLOADED_FROM = 60;

export function demoReply(host: string, pathAndQuery: string, requests: number): DemoReply {
  const [path = "/", query = ""] = pathAndQuery.split("?", 2);
  if (host === DEMO_DOMAIN) return redirect(`http://www.${DEMO_DOMAIN}${path}`);
  const site = SITES.find((each) => each.host === host);
  if (site === undefined) return dead;
  const delayMs = site.slowMs ?? 0;
  if (path === "/robots.txt") return site.robots === undefined ? dead : answer(site.robots, "text/plain");
  if (host === "shop.demo.test" && requests === 1 && isOverloaded(path)) return overloaded;
  const reply = pageOf(site, path, query);
  return delayMs === 0 ? reply : { ...reply, delayMs };
}

function pageOf(site: Site, path: string, query: string): DemoReply {
  const [, first = "", second = ""] = path.split("/");
  if (path === "/") return home(site);
  if (path === "/sitemap.xml" && site.host === "library.demo.test") return sitemap(site);
  if (first === "go") return moved(site, Number(second));
  if (first === "loop") return redirect(second === "a" ? "/loop/b" : "/loop/a");
  if (site.host === "calendar.demo.test") return month(site, Number(first), Number(second));
  if (first === "reading-room") return html(site, "Reading room", [], "For members only.");
  const section = site.sections.find(({ name }) => name === first);
  if (section === undefined) return dead;
  if (second === "") return list(site, section, Number(new URLSearchParams(query).get("page") ?? "1"));
  const number = Number(/^(\d+)(?:-|\.)/.exec(second)?.[1] ?? Number.NaN);
  if (!(number >= 1 && number <= section.pages) || path !== itemPath(site, section, number)) return dead;
  return site.host === "files.demo.test" ? file(number) : item(site, section, number, query);
}

function isOverloaded(path: string): boolean {
  const number = Number(/^\/goods\/(\d+)-/.exec(path)?.[1] ?? 0);
  return number >= OVERLOADED_FROM && number % OVERLOADED_EVERY === 0;
}

function home(site: Site): DemoReply {
  const links = site.sections.flatMap((section) => [
    { href: `/${section.name}/`, text: `All ${section.name}` },
    ...Array.from({ length: Math.min(8, section.pages) }, (_, k) => itemLink(site, section, k + 1)),
  ]);
  if (site.host === "www.demo.test")
    links.push(...SITES.slice(1).map(({ host, title }) => ({ href: `http://${host}/`, text: title })));
  if (site.host === "calendar.demo.test") links.push({ href: "/2026/11", text: "This month" });
  if (site.host === "library.demo.test") links.push({ href: "/reading-room/", text: "Reading room" });
  if (site.host === "news.demo.test")
    links.push({ href: "/go/1", text: "Most read" }, { href: "/loop/a", text: "Weather" });
  return html(site, site.title, links, site.about);
}

function list(site: Site, section: Section, page: number): DemoReply {
  const lists = Math.ceil(section.pages / PER_LIST);
  if (!(page >= 1 && page <= lists && Number.isInteger(page))) return dead;
  const from = (page - 1) * PER_LIST;
  const count = Math.min(PER_LIST, section.pages - from);
  const links: Link[] = Array.from({ length: count }, (_, k) => itemLink(site, section, from + k + 1));
  if (page < lists) links.push({ href: `/${section.name}/?page=${page + 1}`, text: "Older" });
  return html(site, `${section.name}, page ${page} of ${lists}`, links, `From ${from + 1} to ${from + count}.`);
}

function item(site: Site, section: Section, number: number, query: string): DemoReply {
  const key = drawn(hashOf(site.host), hashOf(section.name), number);
  const links: Link[] = Array.from({ length: 3 }, (_, k) =>
    itemLink(site, section, popular(section, drawn(key, 1, k))),
  );
  if (drawn(key, 2) % 6 === 0) links.push(elsewhere(key));
  if (drawn(key, 3) % 40 === 0) links.push({ href: `/${section.name}/lost-${number}`, text: "A page that is gone" });
  if (site.host === "news.demo.test" && drawn(key, 4) % 12 === 0)
    links.push({ href: `/go/${1 + (drawn(key, 5) % 30)}`, text: "More on this" });
  if (section.name === "threads" && drawn(key, 6) % 120 === 0) links.push({ ...elsewhere(key + 1), nofollow: true });
  return html(
    site,
    titleOf(key),
    section.name === "members" ? withSession(links, key, query) : links,
    paragraphOf(key),
  );
}

/** Members' pages pass on the session id, or create one. */
function withSession(links: readonly Link[], key: number, query: string): Link[] {
  const session = new URLSearchParams(query).get("sid") ?? drawn(key, 7).toString(16).padStart(32, "0");
  return links.map((link) =>
    link.href.startsWith("/members/") ? { ...link, href: `${link.href}?sid=${session}` } : link,
  );
}

/** Chains of up to three redirects, which end at an article. */
function moved(site: Site, number: number): DemoReply {
  if (!(number >= 1 && number <= 30)) return dead;
  if (number % 3 !== 0) return redirect(`/go/${number + 1}`);
  return redirect(itemPath(site, site.sections[0], number));
}

/** There is always a next month. */
function month(site: Site, year: number, month: number): DemoReply {
  if (!(Number.isInteger(year) && year >= 1 && month >= 1 && month <= 12)) return dead;
  const step = (by: number): string => {
    const months = year * 12 + month - 1 + by;
    return `/${Math.floor(months / 12)}/${(months % 12) + 1}`;
  };
  const links = [
    { href: step(1), text: "Next month" },
    { href: step(-1), text: "Month before" },
  ];
  return html(site, `High water, ${month}/${year}`, links, paragraphOf(year * 12 + month));
}

function file(number: number): DemoReply {
  const kind = (["application/pdf", "text/csv", "image/png"] as const)[number % 3];
  return answer(`${kind === "application/pdf" ? "%PDF-1.4\n" : ""}report ${number}\n`, kind);
}

function sitemap(site: Site): DemoReply {
  const urls = site.sections.flatMap((section) =>
    Array.from(
      { length: section.pages },
      (_, k) => `<url><loc>http://${site.host}${itemPath(site, section, k + 1)}</loc></url>`,
    ),
  );
  return answer(
    `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.join("")}</urlset>`,
    "application/xml",
  );
}

/** New pages have far more links than old ones. */
function popular(section: Section, key: number): number {
  return 1 + Math.floor((key / 2 ** 32) ** 4 * section.pages * 0.7);
}

function elsewhere(key: number): Link {
  const site = SITES[1 + (drawn(key, 8) % (SITES.length - 2))];
  const section = site.sections[0];
  return itemLink(site, section, popular(section, drawn(key, 9)), `http://${site.host}`);
}

function itemLink(site: Site, section: Section, number: number, origin = ""): Link {
  const key = drawn(hashOf(site.host), hashOf(section.name), number);
  return { href: `${origin}${itemPath(site, section, number)}`, text: titleOf(key) };
}

function itemPath(site: Site, { name }: Section, number: number): string {
  if (site.host === "files.demo.test") return `/${name}/${number}.${["pdf", "csv", "png"][number % 3]}`;
  const key = drawn(hashOf(site.host), hashOf(name), number);
  return `/${name}/${number}-${titleOf(key).toLowerCase().replaceAll(" ", "-")}`;
}

function html(site: Site, title: string, links: readonly Link[], text: string): DemoReply {
  const nav = [
    { href: `http://www.${DEMO_DOMAIN}/`, text: "Portal" },
    { href: "/", text: site.title },
    ...site.sections.map(({ name }) => ({ href: `/${name}/`, text: name })),
  ];
  const anchor = ({ href, text, nofollow }: Link): string =>
    `<a href="${href}"${nofollow === true ? ' rel="nofollow"' : ""}>${text}</a>`;
  return answer(
    `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>${title}</title></head>\n<body>\n` +
      `<nav>${nav.map(anchor).join(" | ")}</nav>\n<h1>${title}</h1>\n<p>${text}</p>\n` +
      `<ul>\n${links.map((link) => `<li>${anchor(link)}</li>\n`).join("")}</ul>\n</body></html>\n`,
    "text/html; charset=utf-8",
  );
}

const dead: DemoReply = { status: 404, headers: { "content-type": "text/plain" }, body: "Not here.\n", delayMs: 0 };
const overloaded: DemoReply = {
  status: 503,
  headers: { "content-type": "text/plain", "retry-after": "1" },
  body: "Too busy, come back in a second.\n",
  delayMs: 0,
};

function answer(body: string, contentType: string): DemoReply {
  return { status: 200, headers: { "content-type": contentType }, body, delayMs: 0 };
}

function redirect(location: string): DemoReply {
  return { status: 301, headers: { location }, body: "", delayMs: 0 };
}
