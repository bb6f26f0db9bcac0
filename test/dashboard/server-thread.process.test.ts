/** The server's thread runs compiled code: build first. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { UsageError } from "../../src/base/index.ts";
import { type ServerThread, type ServerThreadOptions, startServerThread } from "../../src/dashboard/index.ts";
import type { RefreshStatus } from "../../src/crawl/index.ts";
import type { Control, FreshnessAnswer, HostList, Overview, PageList } from "../../src/dashboard/protocol/http.ts";
import { openCrawl } from "../../src/store/index.ts";
import { makeLargeCrawl } from "../support/large-crawl.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { answer, ask, EventListener } from "./support/asking.ts";
import { STATUS } from "./support/small-dashboard.ts";

function crawled(): string {
  const dir = join(temporaryDirectory(), "crawl");
  makeLargeCrawl(dir, 50);
  return dir;
}

const IDLE: NonNullable<ServerThreadOptions["crawl"]> = {
  onControl: () => {},
  hosts: (names) => names.map(() => null),
};

async function started(options: Partial<ServerThreadOptions> & { readonly dir: string }): Promise<ServerThread> {
  const thread = await startServerThread({
    host: "127.0.0.1",
    port: 0,
    crawl: IDLE,
    onError: (message) => {
      throw new Error(message);
    },
    ...options,
  });
  onTestFinished(() => thread.close());
  return thread;
}

/** The thread beside a refresh. */
async function refreshed(dir: string): Promise<Pick<ServerThread, "url" | "send">> {
  const onError = (message: string): never => {
    throw new Error(message);
  };
  const thread = await startServerThread({ dir, host: "127.0.0.1", port: 0, onError });
  onTestFinished(() => thread.close());
  return { url: thread.url, send: (message) => thread.send(message) };
}

const running = (state: "running" | "paused") =>
  ({
    type: "status",
    state,
    limits: { pages: 100 },
    status: { ...STATUS, pages: 50, elapsedMs: 1000 },
  }) as const;

describe("a dashboard in a thread of the crawl", () => {
  it("shows what the crawl sends, asks for the hosts in view, and forwards controls", async () => {
    const dir = crawled();
    const store = openCrawl(dir);
    onTestFinished(() => store.close());
    const controls: Control[] = [];
    const status = {
      state: "busy",
      pausedForMs: null,
      delayMs: 10,
      connections: 1,
      underWay: 1,
      address: "127.0.0.1",
    } as const;
    const dashboard = await started({
      dir,
      crawl: {
        hosts: (names) => names.map((name) => (name === "large.test" ? status : null)),
        onControl: (control) => {
          if (control.action === "limits") throw new UsageError("limits stay as they are");
          controls.push(control);
          dashboard.send(running("paused"));
        },
      },
    });
    const { url } = dashboard;
    dashboard.send(running("running"));
    const listener = await EventListener.open(`${url}api/events`);
    onTestFinished(() => listener.close());
    await listener.until(({ data }) => (data as Overview).status?.pages === 50);
    await listener.until(({ event, data }) => event === "surveyed" || "visits" in (data as Overview).survey);
    expect((await answer<PageList>(`${url}api/pages`)).total).toBe(60);
    expect((await answer<HostList>(`${url}api/hosts`)).rows[0].politeness).toEqual(status);
    const control = (body: string) =>
      ask(`${url}api/control`, {
        method: "POST",
        headers: { "content-type": "application/json", origin: url.slice(0, -1) },
        body,
      });
    expect(JSON.parse((await control('{"action":"pause"}')).text)).toMatchObject({ state: "paused" });
    expect(controls).toEqual([{ action: "pause" }]);
    const refused = await control('{"action":"limits","limits":{"pages":1}}');
    expect([refused.status, refused.text]).toEqual([409, '{"problem":"limits stay as they are"}']);
  });

  it("stays when the crawl has ended, and leaves the directory in order when it goes", async () => {
    const dir = crawled();
    const store = openCrawl(dir);
    const dashboard = await started({ dir });
    dashboard.send(running("running"));
    store.close();
    dashboard.send({ type: "ended", reason: "page-limit", status: { ...STATUS, elapsedMs: 2000 } });
    expect(await answer<Overview>(`${dashboard.url}api/overview`)).toMatchObject({
      state: "ended",
      reason: "page-limit",
    });
    await dashboard.close();
    await dashboard.close();
    dashboard.send(running("running"));
    await expect(ask(dashboard.url)).rejects.toThrow("ECONNREFUSED");
    expect(readdirSync(dir).filter((name) => name.includes("-wal") || name.includes("-shm"))).toEqual([]);
  });

  it("shows what a refresh reports, which nobody controls", async () => {
    const dir = crawled();
    const store = openCrawl(dir);
    onTestFinished(() => store.close());
    const { url, send } = await refreshed(dir);
    // Workers may still crawl what is refreshed later.
    expect(await answer<Overview>(`${url}api/overview`)).toMatchObject({ state: "elsewhere" });
    send({ type: "refresh", status: null });
    await expect.poll(() => answer<Overview>(`${url}api/overview`)).toMatchObject({ state: "refreshing" });
    expect(await answer<FreshnessAnswer>(`${url}api/freshness`)).toEqual({ refresh: null });
    send({ type: "refresh", status: { reads: 3 } as RefreshStatus });
    await expect.poll(() => answer<FreshnessAnswer>(`${url}api/freshness`)).toEqual({ refresh: { reads: 3 } });
    expect(await answer<Overview>(`${url}api/overview`)).toMatchObject({ controllable: false, secondsLeft: null });
  });

  it("that cannot begin says so as if it were not on a thread", async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void other.close());
    const { port } = other.address() as AddressInfo;
    const dir = crawled();
    await expect(started({ dir, port })).rejects.toThrow(UsageError);
    await expect(started({ dir, port })).rejects.toThrow(`port ${port} of 127.0.0.1 is used`);
    await expect(started({ dir: temporaryDirectory() })).rejects.toThrow("is not a crawl directory");
  });

  it("whose requests cannot be answered gets nothing, and the crawl gets the error", async () => {
    const errors: string[] = [];
    const dashboard = await started({
      dir: crawled(),
      crawl: {
        ...IDLE,
        hosts: () => {
          throw new Error("the engine is gone");
        },
      },
      onError: (message) => errors.push(message),
    });
    dashboard.send(running("running"));
    const { url } = dashboard;
    for (;;) {
      if ((await ask(`${url}api/hosts`)).status === 200) break;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect((await answer<HostList>(`${url}api/hosts`)).rows[0].politeness).toBeNull();
    expect(errors[0]).toBe("the engine is gone");
  });
});
