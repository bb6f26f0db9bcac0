/** A web that does its worst, crawled and then looked at in every view of a real browser: all of it stays text. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { HostLine, HostList, PageList } from "../../src/dashboard/protocol/http.ts";
import { answer } from "./support/asking.ts";
import { eventually, go, isWithinWindow, settled, Visitor } from "./support/visitor.ts";
import { Workshop } from "./support/workshop.ts";

const HARM = "window.harmed=1";
const TITLES: Readonly<Record<string, string>> = {
  "/image": `<img src=x onerror="${HARM}">`,
  "/script": `</title></script><script>${HARM}</script><svg onload=${HARM}>`,
  "/quotes": `"'><a href="javascript:${HARM}" autofocus onfocus=${HARM}>`,
  "/turned": "\u202Egnp.exe\u202C \u2066abc\u2069 \u0000\u0007 end",
  "/long": "W".repeat(2000),
  "/template": "{{constructor.constructor('window.harmed=1')()}} ${window.harmed=1} %3Cscript%3E",
};
const LONG_PATH = `/${"a".repeat(1900)}`;
const PATHS = [
  `/"><img src=x onerror=${HARM}>`,
  `/</script><script>${HARM}</script>`,
  `/?q='"><svg/onload=${HARM}>#frag`,
  `/javascript:${HARM}`,
  "/%E2%80%AEgnp.exe",
  LONG_PATH,
];
const ELSEWHERE = ["javascript:window.harmed=1", "data:text/html,<script>1</script>", "vbscript:x", '//x"onload=1/'];

let visitor: Visitor;
let workshop: Workshop;
let web: Server;
let url: string;

beforeAll(async () => {
  web = createServer((request, response) => {
    const path = request.url ?? "/";
    if (path === "/robots.txt") return void response.end(`User-agent: *\nDisallow: /forbidden\n`);
    if (path === "/moved") return void response.writeHead(302, { location: PATHS[0] }).end();
    if (path === "/away") return void response.writeHead(302, { location: `javascript:${HARM}` }).end();
    if (path === "/gone") return void response.writeHead(404, `<img onerror=${HARM}>`).end();
    const type =
      path === "/typed" ? `text/html; charset=utf-8; x="<img src=x onerror=${HARM}>"` : "text/html; charset=utf-8";
    response.writeHead(200, { "content-type": type });
    if (path !== "/") return void response.end(page(TITLES[path] ?? "", ["/"]));
    const links = [...Object.keys(TITLES), ...PATHS, ...ELSEWHERE, "/moved", "/away", "/gone", "/typed"];
    response.end(page("start", [`/forbidden/<img src=x onerror=${HARM}>`, ...links]));
  });
  await new Promise<void>((resolve) => web.listen(0, "127.0.0.1", resolve));
  const seed = `http://127.0.0.1:${(web.address() as AddressInfo).port}/`;
  workshop = new Workshop();
  const dir = "<img src=x onerror=window.harmed=1>";
  [visitor] = await Promise.all([
    Visitor.arrive(),
    workshop.json(["crawl", seed, "--dir", dir, "--delay", "0", "--allow-private", "--max-pages", "11"]),
  ]);
  ({ url } = await workshop.serve(dir));
});

afterAll(async () => {
  web?.close().closeAllConnections();
  await Promise.all([visitor?.leave(), workshop?.close()]);
});

function page(title: string, links: readonly string[]): string {
  const text = title.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  const anchors = links.map((link) => `<a href="${link.replaceAll("&", "&amp;").replaceAll('"', "&quot;")}">x</a>`);
  return `<!doctype html><title>${text}</title>${anchors.join("")}`;
}

/** Where anything that can be clicked leads: a view of the page itself, or a crawled page's address. */
const ODD_LINKS = `[...document.querySelectorAll("a[href]")]
  .map((link) => link.getAttribute("href"))
  .filter((href) => !href.startsWith("#") && !/^https?:\\/\\/127\\.0\\.0\\.1:\\d+\\//.test(href))`;
/** Elements that nothing of this page is made of. */
const ODD_ELEMENTS = `document.querySelectorAll("main img, main script, main iframe, main svg[onload], [onerror], [onload], [onfocus]").length`;
/** Words of the web that are longer or turned around would move what stands next to them. */
const TURNED = `/[\\u202a-\\u202e\\u2066-\\u2069]/.test(document.body.innerText)`;

test("no view of it runs anything, makes foreign requests, links elsewhere or is too wide for a phone", async () => {
  const lists = [
    "#/",
    "#/missing",
    "#/pages",
    "#/pages?q=%3Cimg",
    "#/hosts",
    "#/findings",
    "#/frontier",
    "#/log",
    "#/log?only=trouble",
  ];
  const made = encodeURIComponent(`"><img src=x onerror=${HARM}>`);
  lists.push(
    `#/missing?reason=dead&host=${made}`,
    `#/pages?q=${made}`,
    `#/hosts?q=${made}`,
    `#/missing?reason=${made}`,
  );
  lists.push(`#/missing?reason=dead&host=${"h".repeat(253)}`);
  await visitor.visit(
    url,
    "",
    async (page) => {
      await settled(page);
      const { rows } = await answer<PageList>(`${url}api/pages?count=200`);
      const [{ host }] = (await answer<HostList>(`${url}api/hosts`)).rows as [HostLine];
      expect(rows.length).toBeGreaterThan(15);
      for (const wanted of [TITLES["/image"], TITLES["/quotes"], TITLES["/template"]]) {
        expect(rows.map(({ title }) => title)).toContain(wanted);
      }
      for (const reason of ["robots", "not-fetched"]) {
        const { total } = await answer<PageList>(`${url}api/pages?reason=${reason}&host=${host}`);
        expect([reason, total > 0]).toEqual([reason, true]);
        lists.push(`#/missing?reason=${reason}&host=${host}`, `#/pages?reason=${reason}&host=${host}`);
      }
      for (const view of [...lists, ...rows.map(({ id }) => `#/page/${id}`)]) {
        await go(page, view);
        const found = {
          view,
          fits: await isWithinWindow(page),
          links: await page.evaluate(ODD_LINKS),
          elements: await page.evaluate(ODD_ELEMENTS),
          turned: await page.evaluate(TURNED),
        };
        expect(found).toEqual({ view, fits: true, links: [], elements: 0, turned: false });
      }
    },
    { options: { viewport: { width: 390, height: 844 } } },
  );
});

test("it is shown as it is: a title in tags is a title, and a page is left only by a click on its address", async () => {
  await visitor.visit(url, "#/pages?q=%2Fimage", async (page) => {
    await settled(page);
    const title = page.locator(".row[data-index] .page-title").first();
    expect(await title.innerText()).toBe(TITLES["/image"]);
    await title.click();
    await eventually(() => page.locator("h1").innerText()).toBe(TITLES["/image"]);
    const address = page.locator(".page-address a");
    expect(await address.getAttribute("rel")).toBe("noopener noreferrer nofollow");
    expect(await page.locator(".crawl-name").innerText()).toBe("<img src=x onerror=window.harmed=1>");
  });
});
