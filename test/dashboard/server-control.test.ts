import { describe, expect, it } from "vitest";
import { ask } from "./support/asking.ts";
import { FakeFeed, startSmall, STATUS } from "./support/small-dashboard.ts";

describe("controls", () => {
  const control = async (url: string, body: string) => {
    const headers = { "content-type": "application/json", origin: url.slice(0, -1) };
    const reply = await ask(`${url}api/control`, { method: "POST", headers, body });
    return { status: reply.status, answer: JSON.parse(reply.text) as Record<string, unknown> };
  };

  it("are answered once the crawl shows that it has done it", async () => {
    const feed = new FakeFeed();
    const { url } = await startSmall({ feed });
    feed.status("running");
    feed.onHeard = () => {
      // Sent before the crawl knows it.
      feed.status("running");
      feed.status("paused");
    };
    expect(await control(url, '{"action":"pause"}')).toEqual({
      status: 200,
      answer: { state: "paused", limits: { coverage: 0.9 } },
    });
    feed.onHeard = () => feed.status("paused", {}, { pages: 10 });
    expect(await control(url, '{"action":"limits","limits":{"coverage":null,"pages":10}}')).toEqual({
      status: 200,
      answer: { state: "paused", limits: { pages: 10 } },
    });
    expect(feed.heard.at(-1)).toEqual({
      type: "control",
      control: { action: "limits", limits: { coverage: null, pages: 10 } },
    });
  });

  it("that the crawl refuses are refused with its words", async () => {
    const feed = new FakeFeed();
    feed.onHeard = () => feed.tell({ type: "refused", problem: "10 pages are fewer than were fetched" });
    const { url } = await startSmall({ feed });
    expect(await control(url, '{"action":"limits","limits":{"pages":10}}')).toEqual({
      status: 409,
      answer: { problem: "10 pages are fewer than were fetched" },
    });
  });

  it("is impossible where the crawl does not run in this process, or has ended", async () => {
    expect((await control((await startSmall()).url, '{"action":"pause"}')).status).toBe(409);
    const feed = new FakeFeed();
    const { url } = await startSmall({ feed });
    feed.tell({ type: "ended", reason: "frontier-empty", status: { ...STATUS, elapsedMs: 1 } });
    expect(await control(url, '{"action":"stop"}')).toEqual({
      status: 409,
      answer: { problem: "the crawl has ended: there is nothing to control any more" },
    });
    expect(feed.heard).toEqual([]);
  });

  it.each([
    ["", "not JSON"],
    ["[]", "the body is"],
    ["null", "the body is"],
    ['{"action":"delete"}', "action is"],
    ["{}", "action is missing"],
    ['{"action":"pause","force":true}', 'unknown field "force"'],
    ['{"action":"limits"}', "limits is missing"],
    ['{"action":"limits","limits":{"pages":0}}', "expected a whole number of at least 1"],
    ['{"action":"limits","limits":{"pages":1.5}}', "expected a whole number of at least 1"],
    ['{"action":"limits","limits":{"coverage":1.01}}', "expected a share above 0 and at most 1"],
    ['{"action":"limits","limits":{"coverage":0}}', "expected a share above 0"],
    ['{"action":"limits","limits":{"coverage":"0.5"}}', "expected a number, or null for none"],
    ['{"action":"limits","limits":{"speed":null}}', "unknown limit"],
    ['{"action":"limits","limits":{"__proto__":1}}', "unknown limit"],
  ])("are refused that make no sense: %s", async (body, problem) => {
    const feed = new FakeFeed();
    const { url } = await startSmall({ feed });
    const reply = await control(url, body);
    expect(reply.status).toBe(400);
    expect(reply.answer["problem"]).toContain(problem);
    expect(feed.heard).toEqual([]);
  });
});

/** What waited in the small crawl is found dead. */
