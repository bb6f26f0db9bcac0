/** `--store`: the text of each page, stored with its visit. */
import { expect, it } from "vitest";
import { inflated } from "../../src/content/index.ts";
import { launchCrawl } from "../../src/crawl/index.ts";
import type { PageTexts, TextForm } from "../../src/log/index.ts";
import { MemoryStore } from "../../src/store/index.ts";
import { InlineWeb, inlineSettings, type Served } from "../support/inline-web.ts";

const SITE = "http://site.example/";
const PROSE = "What the tide leaves on the beach is another thing each time, and nobody has counted it. ".repeat(3);
const PAGE = `<title>T</title><nav><a href="/about">About</a></nav><main><h1>Tide</h1><p>${PROSE}</p><a href="x">X</a></main>`;
const served = (body: string | Uint8Array, type: string): Served => ({ body, headers: { "content-type": type } });
const latin1 = Uint8Array.from(Buffer.from(`<main><p>${PROSE}caf\xe9</p></main>`, "latin1"));

async function textsAfter(forms: readonly TextForm[] | undefined): Promise<Map<string, PageTexts | undefined>> {
  const pages: Readonly<Record<string, Served>> = {
    "/": served(PAGE, "text/html"),
    "/about": served(latin1, "text/html; charset=iso-8859-1"),
    "/x": served("plain\n<b>text</b>", "text/plain"),
  };
  const base = inlineSettings([SITE], {});
  const settings = forms === undefined ? base : { ...base, texts: forms };
  const store = new MemoryStore(JSON.stringify(settings));
  const fetcher = new InlineWeb(({ pathname }) => pages[pathname]);
  await (await launchCrawl({ settings, store, fetcher, readers: 0 })).run();
  return new Map([...store.urls()].map(({ id, path }) => [path ?? "", store.textsOf(id)]));
}

const shown = (texts: PageTexts | undefined): unknown =>
  texts && Object.fromEntries(Object.entries(texts).map(([form, text]) => [form, text && inflated(text)]));

it("is not made unless it is asked for", async () => {
  for (const forms of [undefined, []]) {
    expect([...(await textsAfter(forms)).values()]).toEqual([undefined, undefined, undefined]);
  }
});

it("is stored in the forms that are asked for", async () => {
  const texts = await textsAfter(["text", "markdown", "html"]);
  expect(shown(texts.get("/"))).toEqual({
    text: `Tide\n\n${PROSE.trim()}\n\nX`,
    markdown: `# Tide\n\n${PROSE.trim()}\n\n[X](http://site.example/x)`,
    html: PAGE,
  });
  expect(shown((await textsAfter(["markdown"])).get("/"))).toMatchObject({ text: null, html: null });
});

it("is decoded by the encoding of the page, and left as it is where the page is plain text", async () => {
  const texts = await textsAfter(["text", "html"]);
  expect(shown(texts.get("/about"))).toMatchObject({ text: `${PROSE}café` });
  expect(shown(texts.get("/x"))).toEqual({ text: "plain\n<b>text</b>", markdown: null, html: null });
});
