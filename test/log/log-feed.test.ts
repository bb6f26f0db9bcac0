import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { refusalReasons } from "../../src/coverage/index.ts";
import { decodeReason, encodeReason, LogFeed, type LogListener, outcomes, UrlView } from "../../src/log/index.ts";
import { MemoryStore } from "../../src/store/index.ts";
import { upTo } from "../support/log-up-to.ts";
import { tellSmallCrawl } from "../support/small-crawl.ts";

/** Writes down everything that it learns. */
class Recorder implements LogListener {
  readonly learnt: string[] = [];
  origin = (text: string): void => this.#note("origin", text);
  url = ({ id }: { id: number }): void => this.#note("url", id);
  trusted = (url: number, weight: number): void => this.#note("trusted", url, weight);
  known = (url: number): void => this.#note("known", url);
  downloaded = (url: number): void => this.#note("downloaded", url);
  linksUnknown = (url: number): void => this.#note("linksUnknown", url);
  dead = (url: number): void => this.#note("dead", url);
  refused = (url: number, reason: string): void => this.#note("refused", url, reason);
  redirected = (url: number, target: number): void => this.#note("redirected", url, target);
  received = (url: number, sender: number, total: number): void => this.#note("received", url, sender, total);
  visited = ({ number }: { number: number }): void => this.#note("visited", number);

  #note(...words: readonly (string | number)[]): void {
    this.learnt.push(words.join(" "));
  }
}

describe("a log", () => {
  it("is fed in the order in which a crawl learns: URLs, trust, then each visit and what it made known", () => {
    const store = tellSmallCrawl(new MemoryStore());
    store.putReceived({ url: 2, sender: 4, total: 0.125 });
    const recorder = new Recorder();
    const feed = new LogFeed(() => 0);
    feed.add(recorder);
    feed.readAll(store);
    const { learnt } = recorder;
    expect(learnt.indexOf("received 2 4 0.125")).toBeGreaterThan(
      learnt.findLastIndex((each) => each.startsWith("url")),
    );
    expect(learnt.indexOf("received 2 4 0.125")).toBeLessThan(learnt.findIndex((each) => each.startsWith("visited")));
    const visited = learnt.filter((each) => each.startsWith("visited"));
    expect(visited).toEqual(Array.from(store.visits(), ({ number }) => `visited ${number}`));
    for (const { id, path, source, discoveredAt } of store.urls()) {
      const isUnlinked = path !== null && !["link", "redirect"].includes(source);
      const at = learnt.indexOf(`known ${id}`);
      expect(at >= 0).toBe(isUnlinked);
      if (isUnlinked && discoveredAt > 0) expect(at).toBeGreaterThan(learnt.indexOf(`visited ${discoveredAt}`));
    }
  });

  it("that has received more since it was read teaches the new total, before the visits that are new", () => {
    const store = tellSmallCrawl(new MemoryStore());
    store.replaceTrust([{ url: 0, weight: 1 }]);
    store.putReceived({ url: 2, sender: 4, total: 0.125 });
    const recorder = new Recorder();
    const feed = new LogFeed(() => 0);
    feed.add(recorder);
    feed.readAll(upTo(store, 7));
    recorder.learnt.length = 0;
    store.putReceived({ url: 2, sender: 4, total: 0.5 });
    feed.readAll(store);
    expect(recorder.learnt).toEqual(["received 2 4 0.5", "redirected 7 6", "visited 8"]);
  });

  it("read in pieces as it grows teaches each listener what it teaches at once, but for what is known earlier", () => {
    const store = tellSmallCrawl(new MemoryStore());
    const last = [...store.visits()].length;
    const once: LogFeed = new LogFeed((url) => whole.hostOf(url));
    const whole = new UrlView(once.links);
    once.add(whole);
    once.readAll(store);
    for (let cut = 0; cut <= last; cut++) {
      const feed: LogFeed = new LogFeed((url) => view.hostOf(url));
      const view = new UrlView(feed.links);
      feed.add(view);
      feed.readAll(upTo(store, cut)).readAll(store);
      expect(view.urls).toBe(whole.urls);
      expect(view.state.slice(0, view.urls)).toEqual(whole.state.slice(0, whole.urls));
      expect(view.hosts).toEqual(whole.hosts);
      expect([...view.sinks]).toEqual([...whole.sinks]);
      for (let url = 0; url < view.urls; url++) {
        expect(view.endOf(url)).toBe(whole.endOf(url));
        expect(view.depthOf(url)).toBe(whole.depthOf(url));
      }
    }
  });
});

describe("reason and detail of a visit", () => {
  const detail = fc.option(
    fc.stringMatching(/^[a-z0-9:-]{1,12}$/).filter((text) => text !== "rewritten"),
    { nil: null },
  );

  it("survive being one text", () => {
    const reasons = fc.record({
      outcome: fc.constantFrom(...outcomes),
      detail,
      index: fc.nat(),
      flag: fc.boolean(),
    });
    fc.assert(
      fc.property(reasons, ({ outcome, detail, index, flag }) => {
        const isRedirect = outcome === "redirected";
        const visit = {
          reason: outcome === "refused" ? refusalReasons[index % refusalReasons.length] : null,
          detail: isRedirect ? null : detail,
          isRewritten: isRedirect && flag,
        };
        expect(decodeReason(outcome, encodeReason(visit))).toEqual(visit);
      }),
    );
  });

  it("of another version, which nobody knows, count as a failure", () => {
    expect(decodeReason("refused", "haunted:ghost")).toMatchObject({ reason: "failed", detail: "ghost" });
    expect(decodeReason("refused", null)).toMatchObject({ reason: "failed", detail: null });
  });
});
