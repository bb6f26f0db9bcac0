/** Pages in a real Chromium on loopback: what scripts make of them, and what they cannot do. */
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type CrawlEvent,
  type CrawlOptions,
  crawlSettings,
  defaultPoliteness,
  launchCrawl,
  openFetcher,
} from "../../src/crawl/index.ts";
import type { SessionOptions } from "../../src/fetch/index.ts";
import { plainSiteFile, scriptSiteFile } from "../../src/lab/index.ts";
import { type BrowserRenderer, startRenderer } from "../../src/render/index.ts";
import { MemoryStore } from "../../src/store/index.ts";
import { type Fate, fatesIn } from "../support/inline-web.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { type Serve, type ServedFile, type ServedSite, serveSite } from "../support/served-site.ts";

const LIMITS = { pageMs: 5000, snapshotMs: 5000, closeMs: 5000, quietMs: 150, resourcesPerPage: 30 };
const environment = { CHROMIUM_PATH: process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium" };

let renderer: BrowserRenderer;
const sites: ServedSite[] = [];

beforeAll(async () => {
  renderer = await startRenderer({ userAgent: "tidemark/test", sandbox: false, limits: LIMITS, environment });
});
afterAll(async () => {
  await renderer.close();
  await Promise.all(sites.map((site) => site.close()));
});

async function site(serve: Serve): Promise<ServedSite> {
  const served = await serveSite(serve);
  sites.push(served);
  return served;
}

interface Crawled {
  readonly fates: ReadonlyMap<string, Fate>;
  readonly events: readonly CrawlEvent[];
  /** Paths of the seed's origin that were downloaded. */
  readonly pages: readonly string[];
  readonly coverage: number;
  readonly error: unknown;
}

async function crawlOf(
  origin: string,
  options: CrawlOptions = {},
  { session = {}, browser = renderer }: { readonly session?: SessionOptions; readonly browser?: BrowserRenderer } = {},
): Promise<Crawled> {
  const settings = crawlSettings({
    urls: [`${origin}/`],
    render: "always",
    delay: 0,
    allowPrivateHost: ["127.0.0.1"],
    sitemaps: false,
    ...options,
  });
  const store = new MemoryStore(JSON.stringify(settings));
  const fetcher = openFetcher(settings.network, defaultPoliteness.perHost, undefined, session);
  const events: CrawlEvent[] = [];
  try {
    const crawl = await launchCrawl({
      settings,
      store,
      fetcher,
      renderer: browser,
      readers: 0,
      onEvent: (event) => void events.push(event),
    });
    const end = await crawl.run();
    const fates = fatesIn(store);
    const downloaded = [...fates].filter(([, { outcome }]) => outcome === "downloaded");
    const pages = downloaded.map(([url]) => url.replace(origin, "")).sort();
    return { fates, events, pages, coverage: end.status.coverage, error: end.error };
  } finally {
    await fetcher.close();
  }
}

/** A page that runs this script, and a page that it may link to. */
function scripted(script: string): (path: string) => ServedFile | undefined {
  return (path) =>
    path === "/" ? `<title>t</title><p>text</p><script>${script}</script>` : path === "/end" ? "end" : undefined;
}

const LINK = 'document.body.insertAdjacentHTML("beforeend", `<a href="/end">end</a>`);';

describe("a page in Chromium", { timeout: 60_000 }, () => {
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

  it("does not get what robots.txt forbids", async () => {
    const { origin, requested } = await site((path) =>
      path === "/robots.txt"
        ? { type: "text/plain", body: "User-agent: *\nDisallow: /api/" }
        : scriptSiteFile(path, 12),
    );
    const { pages } = await crawlOf(origin);
    expect(pages).toEqual(["/"]);
    expect(requested.some((path) => path.startsWith("/api/"))).toBe(false);
  });

  it("cannot reach a private address that was not allowed, neither directly nor by a redirect", async () => {
    const other = await site(() => "secret");
    const { origin } = await site((path) => {
      if (path === "/away") return { redirect: `http://localhost:${other.port}/stolen` };
      return scripted(`
        for (const rel of ["preconnect", "prefetch", "preload", "modulepreload"]) {
          const hint = document.createElement("link");
          Object.assign(hint, { rel, as: "script", href: "http://localhost:${other.port}/" + rel });
          document.head.append(hint);
        }
        const told = (text) => { document.title = document.title + " " + text; };
        Promise.allSettled([
          fetch("http://localhost:${other.port}/direct", { mode: "no-cors" }).then(() => told("got")),
          fetch("/away", { mode: "no-cors" }).then(() => told("got")),
          new Promise((resolve) => {
            const socket = new WebSocket("ws://localhost:${other.port}/socket");
            socket.onopen = () => { told("got"); resolve(); };
            socket.onclose = resolve;
          }),
        ]).then(() => { ${LINK} });
      `)(path);
    });
    const { pages, fates } = await crawlOf(origin);
    expect(pages).toEqual(["/", "/end"]);
    expect(fates.get(`${origin}/`)?.title).toBe("t");
    expect(other.connections()).toBe(0);
  });

  it("cannot read another host that does not allow it", async () => {
    const other = await site((path) => (path === "/robots.txt" ? undefined : { type: "text/plain", body: "secret" }));
    const { origin } = await site(
      scripted(`fetch("http://127.0.0.1:${other.port}/data").then((r) => r.text())
        .then((text) => { document.title = text; }, () => { document.title = "kept"; }).then(() => { ${LINK} });`),
    );
    const { fates } = await crawlOf(origin);
    expect(fates.get(`${origin}/`)?.title).toBe("kept");
  });

  it("goes on after dialogs, windows, workers, downloads, files and images, and fetches none of them", async () => {
    const { origin, requested } = await site((path) => {
      if (path === "/file.bin") return { type: "application/octet-stream", body: "binary" };
      return scripted(`
        alert("stop"); confirm("?"); prompt("?");
        for (let k = 0; k < 1000; k++) console.log("x".repeat(1e6));
        window.open("/opened");
        navigator.serviceWorker?.register("/worker.js").catch(() => {});
        const download = document.createElement("a");
        download.href = "/file.bin"; download.download = "x"; document.body.append(download); download.click();
        const frame = document.createElement("iframe"); frame.src = "/frame"; document.body.append(frame);
        const image = new Image(); image.src = "/image.png";
        const film = document.createElement("video"); film.src = "/film.mp4"; document.body.append(film);
        new FontFace("f", "url(/font.woff2)").load().catch(() => {});
        fetch("file:///etc/passwd").catch(() => {});
        navigator.sendBeacon("/beacon", "x");
        fetch("/posted", { method: "POST", body: "x" }).catch(() => {});
        try { new RTCPeerConnection(); document.title = "rtc"; } catch {}
        for (let k = 0; k < 10000; k++) setTimeout(() => { window.count = k; }, k % 1000);
        ${LINK}
      `)(path);
    });
    const { pages, fates } = await crawlOf(origin);
    expect(pages).toEqual(["/", "/end", "/file.bin"]);
    expect(fates.get(`${origin}/`)?.title).toBe("t");
    const never = new Set(["/opened", "/worker.js", "/image.png", "/font.woff2", "/film.mp4", "/beacon", "/posted"]);
    expect(requested.filter((path) => never.has(path))).toEqual([]);
    // They are links, and so fetched as pages.
    for (const path of ["/file.bin", "/frame"]) expect(requested.filter((each) => each === path)).toHaveLength(1);
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
        inner.attachShadow({ mode: "open" }).innerHTML = '<a href="end">end</a>';`),
    );
    expect((await crawlOf(origin)).pages).toEqual(["/", "/end"]);
  });

  it("has unknown links when a script empties it, or leads to a page of its own making", async () => {
    const { origin } = await site(scripted(`${LINK} location.href = "about:blank";`));
    const { fates } = await crawlOf(origin);
    expect(fates.get(`${origin}/`)).toMatchObject({ outcome: "links-unknown", detail: "not-rendered" });
  });

  it("sends what the user gave to its own server only, and scripts see none of it", async () => {
    const headersOf = new Map<string, string | undefined>();
    const other = await site((path, _, headers) => {
      headersOf.set(`other ${path}`, headers["x-secret"]?.toString());
      return { type: "text/plain", body: "x", headers: { "access-control-allow-origin": "*" } };
    });
    const { origin } = await site((path, _, headers) => {
      headersOf.set(path, headers["x-secret"]?.toString());
      if (path === "/data") return { type: "text/plain", body: "x", headers: { "set-cookie": "sid=secret" } };
      return scripted(`Promise.all([fetch("/data"), fetch("http://127.0.0.1:${other.port}/data")])
        .then(() => { document.title = "cookie: " + document.cookie; ${LINK} });`)(path);
    });
    const headers = [{ origin, headers: [["x-secret", "s3cret"] as const] }];
    const { pages, fates } = await crawlOf(origin, { cookies: true }, { session: { headers, keepsCookies: true } });
    expect(pages).toEqual(["/", "/end"]);
    expect(headersOf.get("/data")).toBe("s3cret");
    expect(headersOf.has("other /data")).toBe(true);
    expect(headersOf.get("other /data")).toBeUndefined();
    expect(fates.get(`${origin}/`)?.title).toBe("cookie:");
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

  it("has unknown links when it hangs or wants too much, and the crawl goes on", async () => {
    const { origin } = await site((path) => {
      if (path === "/") return '<a href="/loop">1</a> <a href="/greedy">2</a> <a href="/end">3</a>';
      if (path === "/loop") return '<a href="/end">3</a><script>while (true);</script>';
      if (path === "/greedy") return "<script>const go = (k) => fetch('/x' + k).then(() => go(k + 1)); go(0);</script>";
      return path === "/end" ? "end" : undefined;
    });
    const { pages, fates } = await crawlOf(origin);
    expect(pages).toEqual(["/", "/end"]);
    for (const path of ["/loop", "/greedy"]) {
      expect(fates.get(origin + path)).toMatchObject({ outcome: "links-unknown", detail: "not-rendered" });
    }
  });

  it("is rendered again when the browser is killed", async () => {
    let requests = 0;
    let kills = 0;
    const { origin } = await site((path) => {
      if (path.startsWith("/api/") && ++requests % 10 === 0 && kills < 3) {
        kills++;
        for (const pid of renderer.pids) process.kill(pid, "SIGKILL");
      }
      return scriptSiteFile(path, 40);
    });
    const { pages, fates } = await crawlOf(origin);
    expect(kills).toBe(3);
    expect([...fates.values()].filter(({ outcome }) => outcome === "links-unknown")).toEqual([]);
    expect(pages).toHaveLength(40);
  });

  it("ends its crawl with an error when no browser can be started any more", async () => {
    const folder = temporaryDirectory();
    const program = join(folder, "chromium-once");
    writeFileSync(program, `#!/bin/sh\nmkdir ${folder}/started || exit 1\nexec ${environment.CHROMIUM_PATH} "$@"\n`);
    chmodSync(program, 0o755);
    const own = { CHROMIUM_PATH: program };
    const browser = await startRenderer({
      userAgent: "tidemark/test",
      sandbox: false,
      limits: LIMITS,
      environment: own,
    });
    try {
      const { origin } = await site((path) => {
        if (path === "/api/items/5") for (const pid of browser.pids) process.kill(pid, "SIGKILL");
        return scriptSiteFile(path, 40);
      });
      const { error, fates } = await crawlOf(origin, {}, { browser });
      expect(error).toMatchObject({ message: expect.stringContaining("Chromium cannot be started any more") });
      expect([...fates.values()].every(({ outcome }) => outcome === "downloaded")).toBe(true);
    } finally {
      await browser.close();
    }
  });

  it.runIf(process.getuid?.() === 0)("is not rendered for root, unless the sandbox is given up", async () => {
    await expect(startRenderer({ userAgent: "tidemark/test", environment })).rejects.toThrow(/--no-browser-sandbox/);
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
