/** Pages in a real Chromium on loopback: what scripts make of them. */
import { describe, expect, it } from "vitest";
import { plainSiteFile, scriptSiteFile } from "../../src/lab/index.ts";
import { crawlOf, LINK, scripted, site, useBrowser } from "../support/browser-crawl.ts";

useBrowser();

describe("a page in Chromium", () => {
  it("has the links that its scripts make, each script fetched once", async () => {
    const { origin, requested } = await site((path) => scriptSiteFile(path, 12));
    const { pages, coverage } = await crawlOf(origin);
    expect(pages).toHaveLength(12);
    expect(coverage).toBeGreaterThan(0.999);
    expect(requested.filter((path) => path === "/app.js")).toHaveLength(1);
    expect(requested.filter((path) => path.startsWith("/api/"))).toHaveLength(12);
  });

  it("is alone without --render, and a notice names the option", async () => {
    const { origin } = await site((path) => scriptSiteFile(path, 12));
    const { pages, events } = await crawlOf(origin, { render: "never" });
    expect(pages).toEqual(["/"]);
    expect(events.map(({ name }) => name)).toContain("script-made");
  });

  it("is read under a strict security policy, and whatever its scripts put in the place of the browser's functions", async () => {
    const { origin } = await site((path) => {
      const body = `<title>t</title><body><script src="/own.js"></script><script>document.title = "inline";</script>`;
      const headers = { "content-security-policy": "default-src 'none'; script-src 'self'" };
      if (path === "/") return { type: "text/html", body, headers };
      const own = `${LINK}
        for (const name of ["querySelectorAll", "documentElement", "URL", "baseURI", "characterSet", "doctype"]) {
          Object.defineProperty(document, name, { get: () => { throw new Error("broken"); } });
        }
        String.prototype.slice = () => "x".repeat(1e6);
        window.Promise = window.URL = window.XMLSerializer = window.requestIdleCallback = undefined;`;
      return path === "/own.js" ? { type: "text/javascript", body: own } : path === "/end" ? "end" : undefined;
    });
    const { pages, fates } = await crawlOf(origin);
    expect(pages).toEqual(["/", "/end"]);
    expect(fates.get(`${origin}/`)?.title).toBe("t");
  });

  it("has the links of its shadow trees", async () => {
    const { origin } = await site(
      scripted(`const host = document.createElement("div"); document.body.append(host);
        const inner = document.createElement("div"); host.attachShadow({ mode: "open" }).append(inner);
        inner.attachShadow({ mode: "closed" }).innerHTML = '<a href="end">end</a>';`),
    );
    expect((await crawlOf(origin)).pages).toEqual(["/", "/end"]);
  });

  it("has the links of frames that have no address", async () => {
    const filled = `const frame = document.createElement("iframe"); document.body.append(frame);
      frame.contentDocument.body.innerHTML = '<p><a href="end">end</a>';`;
    for (const html of [`<body><script>${filled}</script>`, '<iframe srcdoc="<a href=end>end</a>"></iframe>']) {
      const { origin } = await site((path) => (path === "/" ? html : path === "/end" ? "end" : undefined));
      expect((await crawlOf(origin)).pages).toEqual(["/", "/end"]);
    }
  });

  it("is rendered by auto where its plain HTML lacks links", async () => {
    const { origin } = await site((path) => scriptSiteFile(path, 15));
    const { pages, events } = await crawlOf(origin, { render: "auto" });
    expect(pages).toHaveLength(15);
    expect(events).toContainEqual(expect.objectContaining({ name: "render-decided", isRendered: true }));
  });

  it("is read plain by auto where scripts add no link", async () => {
    const { origin, requested } = await site((path) => plainSiteFile(path, 100));
    const { fates, pages, events } = await crawlOf(origin, { render: "auto" });
    expect(pages).toHaveLength(100);
    expect([...fates.values()].filter(({ title }) => title?.endsWith("!")).length).toBeLessThanOrEqual(5);
    expect(events).toContainEqual(expect.objectContaining({ name: "render-decided", isRendered: false }));
    expect(requested.filter((path) => path === "/app.js")).toHaveLength(1);
  });
});
