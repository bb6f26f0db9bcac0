/** What pages in a real Chromium cannot do. */
import { describe, expect, it } from "vitest";
import { scriptSiteFile } from "../../src/lab/index.ts";
import { crawlOf, LINK, scripted, site, useBrowser } from "../support/browser-crawl.ts";

useBrowser();

describe("a page in Chromium", () => {
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

  it("reads another host that allows it to this page alone", async () => {
    const origins = new Map<string, string | undefined>();
    const other = await site((path, _, headers) => {
      const from = headers.origin;
      origins.set(path, from);
      const allowed: Record<string, string> = from === undefined ? {} : { "access-control-allow-origin": from };
      if (path === "/app.js") return { type: "text/javascript", body: "window.isThere = true;", headers: allowed };
      return from === undefined ? undefined : { type: "application/json", body: '"there"', headers: allowed };
    });
    const { origin } = await site((path) => {
      const app = `<script crossorigin src="http://127.0.0.1:${other.port}/app.js"></script>`;
      if (path === "/end") return "end";
      const script = `fetch("http://127.0.0.1:${other.port}/data").then((r) => r.json())
        .then((text) => { document.title = text + " " + window.isThere; ${LINK} });`;
      return path === "/" ? `<title>t</title>${app}<script>${script}</script>` : undefined;
    });
    const { pages, fates } = await crawlOf(origin);
    expect(pages).toEqual(["/", "/end"]);
    expect(fates.get(`${origin}/`)?.title).toBe("there true");
    expect(origins).toEqual(
      new Map([
        ["/robots.txt", undefined],
        ["/app.js", origin],
        ["/data", origin],
      ]),
    );
  });

  it("gets data by cookies that its scripts have set, besides those of the session that they do not see", async () => {
    const cookies = new Map<string, string | undefined>();
    const { origin } = await site((path, _, { cookie }) => {
      cookies.set(path, cookie);
      if (path === "/data") return cookie === undefined ? undefined : { type: "text/plain", body: "x" };
      if (path === "/end") return "end";
      const html = scripted(`document.cookie = "consent=1; path=/"; document.cookie = "sid=mine; path=/";
        fetch("/data").then((r) => r.ok ? r.text() : Promise.reject())
          .then(() => { document.title = document.cookie; ${LINK} });`)(path);
      return html === undefined
        ? undefined
        : { type: "text/html", body: html.toString(), headers: { "set-cookie": "sid=secret" } };
    });
    const { pages, fates } = await crawlOf(origin, { cookies: true }, { session: { keepsCookies: true } });
    expect(pages).toEqual(["/", "/end"]);
    expect(fates.get(`${origin}/`)?.title).toBe("consent=1; sid=mine");
    expect(cookies.get("/data")).toBe("sid=secret; consent=1");
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
        for (let k = 0; k < 10000; k++) setTimeout(() => { window.count = k; }, k % 1000);
        ${LINK}
      `)(path);
    });
    const { pages, fates } = await crawlOf(origin);
    expect(pages).toEqual(["/", "/end", "/file.bin"]);
    expect(fates.get(`${origin}/`)?.title).toBe("t");
    const never = new Set(["/opened", "/worker.js", "/image.png", "/font.woff2", "/film.mp4", "/beacon"]);
    expect(requested.filter((path) => never.has(path))).toEqual([]);
    // They are links, and so fetched as pages.
    for (const path of ["/file.bin", "/frame"]) expect(requested.filter((each) => each === path)).toHaveLength(1);
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
});
