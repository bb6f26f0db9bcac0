/**
 * A site made by scripts, for rendering: each page is the same empty shell, whose script fetches what the page shows
 * and builds text and links of it. Without scripts, it has one page and no link.
 *
 * Page i links to 2i+1 and 2i+2 and to the front page, so all pages are reached from the first.
 */

export interface ScriptSiteFile {
  readonly type: string;
  readonly body: string;
}

const SHELL =
  '<!doctype html><html><head><title>Shell</title><link rel="stylesheet" href="/app.css">' +
  '<script defer src="/app.js"></script></head><body><div id="app"></div></body></html>';

const APP = `
const app = document.getElementById("app");
const number = location.pathname === "/" ? 0 : Number(location.pathname.slice("/item/".length));
fetch("/api/items/" + number).then((response) => response.json()).then(({ title, text, links }) => {
  document.title = title;
  const list = document.createElement("ul");
  for (const each of links) {
    const link = document.createElement("a");
    link.href = each === 0 ? "/" : "/item/" + each;
    link.textContent = "Item " + each;
    list.appendChild(document.createElement("li")).appendChild(link);
  }
  const paragraph = document.createElement("p");
  paragraph.textContent = text;
  app.append(paragraph, list);
});
`;

/** What a path of a site with so many pages answers; undefined if there is nothing. */
export function scriptSiteFile(path: string, pages: number): ScriptSiteFile | undefined {
  if (path === "/app.js") return { type: "text/javascript", body: APP };
  if (path === "/app.css") return { type: "text/css", body: "body { margin: 2rem }" };
  const [, kind, digits] = /^\/(item|api\/items)\/(\d+)$/.exec(path) ?? [];
  const number = path === "/" ? 0 : Number(digits ?? Number.NaN);
  if (!(number < pages)) return undefined;
  if (kind !== "api/items") return { type: "text/html; charset=utf-8", body: SHELL };
  const links = [2 * number + 1, 2 * number + 2].filter((each) => each < pages);
  const text = `This is item ${number} of a site whose pages are made by their scripts. `.repeat(5);
  return { type: "application/json", body: JSON.stringify({ title: `Item ${number}`, text, links: [...links, 0] }) };
}
