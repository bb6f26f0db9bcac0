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

const HTML = "text/html; charset=utf-8";
const STYLE: ScriptSiteFile = { type: "text/css", body: "body { margin: 2rem }" };

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
  if (path === "/app.css") return STYLE;
  const [, kind, digits] = /^\/(item|api\/items)\/(\d+)$/.exec(path) ?? [];
  const item = itemOf(path === "/" ? 0 : Number(digits ?? Number.NaN), pages);
  if (item === undefined) return undefined;
  return kind === "api/items" ? { type: "application/json", body: JSON.stringify(item) } : { type: HTML, body: SHELL };
}

/** The same site with everything in its HTML: its script only marks the title. */
export function plainSiteFile(path: string, pages: number): ScriptSiteFile | undefined {
  if (path === "/app.js") return { type: "text/javascript", body: 'document.title += "!";' };
  if (path === "/app.css") return STYLE;
  const item = itemOf(path === "/" ? 0 : Number(/^\/item\/(\d+)$/.exec(path)?.[1] ?? Number.NaN), pages);
  if (item === undefined) return undefined;
  const links = item.links.map((each) => `<li><a href="${each === 0 ? "/" : `/item/${each}`}">Item ${each}</a></li>`);
  const files = '<link rel="stylesheet" href="/app.css"><script defer src="/app.js"></script>';
  const head = `<title>${item.title}</title>${files}`;
  return { type: HTML, body: `<!doctype html>${head}<p>${item.text}</p><ul>${links.join("")}</ul>` };
}

interface Item {
  readonly title: string;
  readonly text: string;
  readonly links: readonly number[];
}

function itemOf(number: number, pages: number): Item | undefined {
  if (!(number < pages)) return undefined;
  const links = [2 * number + 1, 2 * number + 2].filter((each) => each < pages);
  const text = `This is item ${number} of a site that is the same with and without scripts. `.repeat(5);
  return { title: `Item ${number}`, text, links: [...links, 0] };
}
