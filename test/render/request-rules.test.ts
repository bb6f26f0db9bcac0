/** What of a browser's requests is fetched, and what of the answers it sees. */
import { describe, expect, it } from "vitest";
import { findChromium, mayBeSeen, shownHeaders, useOfRequest } from "../../src/render/index.ts";
import { documentHeaders, isEventStream, isMadeAnew, isMissedData } from "../../src/render/request-rules.ts";

describe("requests of a browser", () => {
  const request = { url: "https://a.example/x", method: "GET", type: "script" };

  it("are fetched for scripts, styles and data", () => {
    const uses = ["script", "stylesheet", "xhr", "fetch"].map((type) => useOfRequest({ ...request, type }));
    expect(uses).toEqual(["script", "style", "data", "data"]);
  });

  it("are not fetched for anything else", () => {
    for (const type of [
      "image",
      "media",
      "font",
      "websocket",
      "eventsource",
      "ping",
      "manifest",
      "document",
      "other",
    ]) {
      expect(useOfRequest({ ...request, type })).toBeUndefined();
    }
  });

  it("are not fetched with another method, or from anywhere but the web", () => {
    for (const method of ["POST", "HEAD", "PUT"]) expect(useOfRequest({ ...request, method })).toBeUndefined();
    for (const url of ["file:///etc/passwd", "ftp://a.example/", "chrome://gpu", "blob:https://a.example/1"]) {
      expect(useOfRequest({ ...request, url })).toBeUndefined();
    }
  });
});

describe("what is not known of a page", () => {
  const page = "https://www.a.example/page?b=1";

  it("is what scripts do with data that is not fetched, of whatever host", () => {
    for (const host of ["www.a.example", "api.a.example", "b.example", "127.0.0.1:8080"]) {
      const posted = { url: `https://${host}/graphql`, method: "POST", type: "fetch" };
      for (const method of ["POST", "PUT", "HEAD"]) expect(isMissedData({ ...posted, method })).toBe(true);
      expect(isMissedData({ ...posted, type: "xhr" })).toBe(true);
      expect(isMissedData({ ...posted, method: "GET" })).toBe(false);
      expect(isMissedData({ ...posted, type: "ping" })).toBe(false);
    }
    expect(isMissedData({ url: "blob:https://a.example/1", method: "POST", type: "fetch" })).toBe(false);
  });

  it("is what it looks like when it is loaded again, or has sent a form", () => {
    const isAnew = (url: string, method = "GET"): boolean => isMadeAnew({ url, method }, page);
    for (const url of [page, `${page}#x`, "https://WWW.a.example:443/page?b=1"]) expect(isAnew(url)).toBe(true);
    for (const url of ["https://www.a.example/page", "https://a.example/page?b=1"]) expect(isAnew(url)).toBe(false);
    expect(isAnew("https://www.a.example/other", "POST")).toBe(true);
  });
});

describe("answers to a browser", () => {
  it("keep no cookies, downloads or ways elsewhere", () => {
    const headers = {
      "content-type": "text/html",
      "content-security-policy": "default-src 'self'",
      "set-cookie": "a=b",
      "content-disposition": "attachment",
      "content-encoding": "gzip",
      link: "</x.js>; rel=preload",
      refresh: "0; url=/x",
      "alt-svc": 'h3=":443"',
    };
    expect(Object.keys(shownHeaders({ headers }))).toEqual(["content-type", "content-security-policy"]);
  });

  it("are HTML where a page does not say what it is", () => {
    expect(documentHeaders({ headers: {} })["content-type"]).toBe("text/html");
    expect(documentHeaders({ headers: { "content-type": "application/xhtml+xml" } })["content-type"]).toBe(
      "application/xhtml+xml",
    );
  });

  it("are seen by scripts of another origin only if the server allows it", () => {
    const seen = (origin: string | undefined, allowed?: string): boolean =>
      mayBeSeen(origin, { headers: allowed === undefined ? {} : { "access-control-allow-origin": allowed } });
    expect(seen("https://a.example")).toBe(false);
    expect(seen("https://a.example", "https://b.example")).toBe(false);
    expect(seen("null")).toBe(false);
    expect(seen("https://a.example", "*")).toBe(true);
    expect(seen("https://a.example", "https://a.example")).toBe(true);
    expect(seen(undefined)).toBe(true);
  });
});

describe("an event stream", () => {
  it("is what EventSource asks for, or a script that says so", () => {
    expect(isEventStream({ type: "eventsource" })).toBe(true);
    expect(isEventStream({ type: "fetch", accept: "Text/Event-Stream, */*" })).toBe(true);
    expect(isEventStream({ type: "fetch", accept: "application/json" })).toBe(false);
    expect(isEventStream({ type: "xhr" })).toBe(false);
  });
});

describe("the browser", () => {
  const search = { environment: { PATH: "/bin:/usr/bin" }, ofPlaywright: "/cache/chrome" };

  it("is the one that CHROMIUM_PATH names, Playwright's, or one that is installed", () => {
    const isExecutable = (path: string): boolean => path !== "/cache/chrome";
    expect(findChromium({ ...search, isExecutable: () => true })).toBe("/cache/chrome");
    expect(findChromium({ ...search, isExecutable })).toBe("/bin/chromium");
    const environment = { CHROMIUM_PATH: "/opt/chrome" };
    expect(findChromium({ ...search, environment, isExecutable: () => true })).toBe("/opt/chrome");
  });

  it("is asked for with the line that installs it", () => {
    expect(() => findChromium({ ...search, isExecutable: () => false })).toThrow(
      "--render needs Chromium or Chrome, and none was found: install one with npx playwright-core install chromium",
    );
    const environment = { CHROMIUM_PATH: "/none" };
    expect(() => findChromium({ ...search, environment, isExecutable: () => false })).toThrow(
      "CHROMIUM_PATH is /none, which cannot be run",
    );
  });
});
