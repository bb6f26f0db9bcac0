/** Connections that pages in a real Chromium open, and streams that they read. */
import { describe, expect, it } from "vitest";
import { crawlOf, LINK, scripted, site, useBrowser } from "../support/browser-crawl.ts";

useBrowser();

/** What is known of a page with this script, which adds a link in the end. */
async function pageWith(script: string): Promise<{ detail: unknown; hasLink: boolean }> {
  const other = await site(() => "nothing");
  const { origin } = await site(scripted(`const there = "127.0.0.1:${other.port}"; ${script} ${LINK}`));
  const { fates } = await crawlOf(origin);
  expect(other.connections()).toBe(0);
  return { detail: fates.get(`${origin}/`)?.detail, hasLink: fates.has(`${origin}/end`) };
}

const inWorker = (script: string): string =>
  `const text = "const there = '" + there + "'; ${script}"; new Worker(URL.createObjectURL(new Blob([text])));`;

describe("a page in Chromium", () => {
  it.each([
    ["a WebSocket", "new WebSocket(`ws://${there}/`);"],
    ["a WebSocket of another site", "new WebSocket('wss://other.example/');"],
    [
      "a WebSocket in a frame",
      "document.body.append(document.createElement('iframe')); new frames[0].WebSocket('ws:/x');",
    ],
    ["a WebSocket in a worker", inWorker("new WebSocket('ws://' + there);")],
    ["an event stream", "new EventSource('/events');"],
    ["an event stream of another site", "new EventSource(`http://${there}/`);"],
    ["an event stream in a worker", inWorker("new EventSource('http://' + there);")],
    ["an event stream by fetch", "fetch('/events', { headers: { accept: 'text/event-stream' } }).catch(() => {});"],
    ["a peer connection", "try { new RTCPeerConnection(); } catch (error) { if (!error.message) throw error; }"],
    [
      "a web transport",
      "try { new WebTransport(`https://${there}/`); } catch (error) { if (!error.message) throw error; }",
    ],
    ["a shared worker", "try { new SharedWorker('/worker.js'); } catch (error) { if (!error.message) throw error; }"],
  ])("has unknown links when it opens %s, and goes on", async (_, script) => {
    expect(await pageWith(script)).toEqual({ detail: "not-rendered", hasLink: true });
  });

  it("is whole when it only looks whether connections exist", async () => {
    const names = ["WebSocket", "EventSource", "RTCPeerConnection", "WebTransport", "SharedWorker"];
    const script = `if (${names.map((name) => `!window.${name}`).join(" || ")}) throw new Error("missing");`;
    expect(await pageWith(script)).toEqual({ detail: null, hasLink: true });
  });

  it("does not connect to an event stream again", async () => {
    const script = `const events = new EventSource("/events");
      events.onerror = () => { if (events.readyState === EventSource.CLOSED) { ${LINK} } };`;
    const { origin, requested } = await site(scripted(script));
    expect((await crawlOf(origin)).fates.has(`${origin}/end`)).toBe(true);
    expect(requested).not.toContain("/events");
  });

  it("gets a stream that ends, and has unknown links if it does not end", async () => {
    const script = `fetch("/stream").then(async (response) => {
      for await (const _ of response.body);
      ${LINK}
    });`;
    const crawlWith = async (file: { readonly endless: string } | string): Promise<unknown> => {
      const { origin } = await site((path) => (path === "/stream" ? file : scripted(script)(path)));
      const { fates } = await crawlOf(origin, { timeout: 5_000 });
      return { detail: fates.get(`${origin}/`)?.detail, hasLink: fates.has(`${origin}/end`) };
    };
    expect(await crawlWith("text")).toEqual({ detail: null, hasLink: true });
    expect(await crawlWith({ endless: "text" })).toEqual({ detail: "not-rendered", hasLink: false });
  });
});
