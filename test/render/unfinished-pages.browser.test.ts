/** Pages in a real Chromium of which not all is known. */
import { describe, expect, it, onTestFinished } from "vitest";
import { startRenderer } from "../../src/render/index.ts";
import { browserOptions, crawlOf, LINK, scripted, site, useBrowser } from "../support/browser-crawl.ts";

useBrowser();

describe("a page in Chromium", () => {
  it("has unknown links when it hangs or wants too much, and the crawl goes on", async () => {
    const { origin } = await site((path) => {
      if (path === "/") return '<a href="/loop">1</a> <a href="/greedy">2</a> <a href="/end">3</a>';
      if (path === "/loop") return '<a href="/end">3</a><script>while (true);</script>';
      if (path === "/greedy") return "<script>const go = (k) => fetch('/x' + k).then(() => go(k + 1)); go(0);</script>";
      return path === "/end" ? "end" : undefined;
    });
    // The page that hangs keeps a processor busy until it is given up.
    const limits = { ...browserOptions.limits, pageMs: 8000, snapshotMs: 5000 };
    const browser = await startRenderer({ ...browserOptions, limits });
    onTestFinished(() => browser.close());
    const { pages, fates } = await crawlOf(origin, {}, { browser });
    expect(pages).toEqual(["/", "/end"]);
    for (const path of ["/loop", "/greedy"]) {
      expect(fates.get(origin + path)).toMatchObject({ outcome: "links-unknown", detail: "not-rendered" });
    }
  });

  it("has unknown links when a script empties it, or leads to a page of its own making", async () => {
    const { origin } = await site(scripted(`${LINK} location.href = "about:blank";`));
    const { fates } = await crawlOf(origin);
    expect(fates.get(`${origin}/`)).toMatchObject({ outcome: "links-unknown", detail: "not-rendered" });
  });

  it("stays where it is when a script leads elsewhere, which is a link", async () => {
    const { origin, requested } = await site(
      scripted('setInterval(() => { location.href = "/end"; }, 1); history.pushState(null, "", "/pushed");'),
    );
    const { pages, fates } = await crawlOf(origin);
    expect(pages).toEqual(["/", "/end"]);
    expect(fates.get(`${origin}/pushed`)?.outcome).toBe("dead");
    expect(requested.filter((path) => path === "/end")).toHaveLength(1);
  });

  it("gets data by the headers that its script sets, and has unknown links if one is not sent", async () => {
    const run = async (headers: string): Promise<unknown> => {
      const { origin } = await site((path, _, { accept, "x-requested-with": by, authorization, cookie }) => {
        if (path !== "/items") {
          return scripted(
            `fetch("/items", { headers: { ${headers} } }).then((r) => r.json()).then(() => { ${LINK} });`,
          )(path);
        }
        expect({ authorization, cookie }).toEqual({});
        const isData = accept === "application/json" && by === "XMLHttpRequest";
        return isData ? { type: "application/json", body: "{}" } : "<p>not for people</p>";
      });
      const { pages, fates } = await crawlOf(origin);
      return { pages, detail: fates.get(`${origin}/`)?.detail };
    };
    const safe = 'accept: "application/json", "X-Requested-With": "XMLHttpRequest"';
    expect(await run(safe)).toEqual({ pages: ["/", "/end"], detail: null });
    expect(await run('"x-other": "1"')).toEqual({ pages: ["/"], detail: null });
    for (const header of ['authorization: "Bearer x"', 'range: "bytes=0-1"', '"x-forwarded-for": "10.0.0.1"']) {
      expect(await run(`${safe}, ${header}`)).toEqual({ pages: ["/end"], detail: "not-rendered" });
    }
  });

  it("has unknown links when a script waits for a response to a POST, of whatever host, but not for a beacon", async () => {
    const detailOf = async (script: string): Promise<unknown> => {
      const { origin, requested } = await site(scripted(`${LINK} ${script}`));
      const { fates } = await crawlOf(origin);
      expect(requested).not.toContain("/posted");
      return fates.get(`${origin}/`)?.detail;
    };
    const byXhr = (url: string): string =>
      `const xhr = new XMLHttpRequest(); xhr.open("POST", "${url}"); xhr.onload = () => {}; xhr.send("{}");`;
    for (const host of ["", "http://api.other.example"]) {
      const url = `${host}/posted`;
      const json = 'headers: { "content-type": "application/json", "x-token": "1" }';
      for (const script of [
        `fetch("${url}", { method: "POST", body: "x" }).catch(() => {});`,
        // Other hosts are asked first whether they take this.
        `fetch("${url}", { method: "POST", body: "{}", ${json} }).then((r) => r.json()).catch(() => {});`,
        `fetch("${url}", { method: "QUERY" }).catch(() => {});`,
        byXhr(url),
      ]) {
        expect([script, await detailOf(script)]).toEqual([script, "not-rendered"]);
      }
      expect(await detailOf(`navigator.sendBeacon("${url}", "x");`)).toBeNull();
    }
  });

  it("has unknown links for a report only where a script reads more of the response than that it came", async () => {
    const [unread, read] = [
      [
        "",
        ".then((r) => { if (!r.ok) document.body.textContent = r.status; })",
        '.then((r) => { if (r.headers.get("Retry-After") || r.headers.has("x-sentry-rate-limits")) throw r; })',
      ],
      [
        ".then((r) => r.json())",
        ".then((r) => r.clone().text())",
        ".then((r) => { r.body; })",
        '.then((r) => { r.headers.get("x-next"); })',
        '.then((r) => { r.clone().headers.has("content-type"); })',
        ".then((r) => { Object.fromEntries(r.headers); })",
        ".then((r) => { r.headers.forEach(() => {}); })",
        ".then((r) => { if (r.redirected) location.href = r.url; })",
      ],
    ];
    const calls = ['"/posted"', '"http://other.example/posted"'].flatMap((url) => [
      `fetch(${url}, init)`,
      `fetch(new Request(${url}, { ...init, method: "PUT" }))`,
    ]);
    const scripts = calls.flatMap((call) => [...unread, ...read].map((end) => `${call}${end}.catch(() => {})`));
    const init = 'const init = { method: "POST", body: "x", keepalive: true };';
    const { origin, requested } = await site((path) => {
      if (path === "/") return scripts.map((_, k) => `<a href="/${k}">${k}</a>`).join("");
      const script = scripts[Number(path.slice(1))];
      return script === undefined ? undefined : `<p>text</p><script>${init} ${script};</script>`;
    });
    const { fates } = await crawlOf(origin);
    const isCut = (_: string, k: number): boolean => fates.get(`${origin}/${k}`)?.detail === "not-rendered";
    expect(scripts.filter(isCut)).toEqual(scripts.filter((script) => read.some((end) => script.includes(end))));
    expect(fates.size).toBe(1 + scripts.length);
    expect(requested).not.toContain("/posted");
  });

  it("gets data that is requested with keepalive", async () => {
    for (const init of ["{ keepalive: true }", "{ keepalive: true, method: undefined }"]) {
      const { origin, requested } = await site((path) => {
        if (path === "/data") return { type: "text/plain", body: "x" };
        return scripted(`fetch("/data", ${init}).then((r) => { if (r.headers.get("content-type")) { ${LINK} } });`)(
          path,
        );
      });
      const { pages, fates } = await crawlOf(origin);
      expect({ pages, detail: fates.get(`${origin}/`)?.detail }).toEqual({ pages: ["/", "/end"], detail: null });
      expect(requested).toContain("/data");
    }
  });

  it("has unknown links when it loads itself again or sends a form, and is left at once", async () => {
    const again = "if (!sessionStorage.seen) { sessionStorage.seen = 1;";
    const pageMs = 300_000;
    const browser = await startRenderer({ ...browserOptions, limits: { ...browserOptions.limits, pageMs } });
    onTestFinished(() => browser.close());
    for (const script of [
      `${again} addEventListener("load", () => setTimeout(() => location.reload(), 50)); } else { ${LINK} }`,
      `${again} location.reload(); } else { ${LINK} }`,
      `${again} location.href = "/#again"; location.href = "/"; } else { ${LINK} }`,
      `const form = document.createElement("form"); form.method = "post"; document.body.append(form); form.submit();`,
    ]) {
      const { origin } = await site(scripted(script));
      const startMs = performance.now();
      const { fates } = await crawlOf(origin, {}, { browser });
      expect(fates.get(`${origin}/`)).toMatchObject({ outcome: "links-unknown", detail: "not-rendered" });
      expect(performance.now() - startMs).toBeLessThan(pageMs);
    }
  });

  it("has unknown links where a frame or a shadow tree cannot be read", async () => {
    const link = "<a href=/end>end</a>";
    for (const html of [
      `<iframe sandbox srcdoc="${link}"></iframe>`,
      `<iframe src="data:text/html,${link}"></iframe>`,
      `<div><template shadowrootmode="closed">${link}</template></div>`,
    ]) {
      const { origin } = await site((path) => (path === "/" ? html : undefined));
      const { fates } = await crawlOf(origin);
      expect(fates.get(`${origin}/`)).toMatchObject({ outcome: "links-unknown", detail: "not-rendered" });
    }
    const { origin } = await site((path) => (path === "/" ? '<iframe sandbox src="/end"></iframe>' : "end"));
    expect((await crawlOf(origin)).pages).toEqual(["/", "/end"]);
  });
});
