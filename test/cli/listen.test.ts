import { createServer } from "node:net";
import { describe, expect, it } from "vitest";
import { FailureError, UsageError } from "../../src/base/index.ts";
import { expectFree, listening, placeOf } from "../../src/cli/options/settings.ts";
import { settingsTable } from "../../src/crawl/settings/index.ts";

const { kind } = settingsTable.listen;

describe("where a dashboard listens", () => {
  it.each([
    ["8080", { host: "127.0.0.1", port: 8080 }],
    ["0", { host: "127.0.0.1", port: 0 }],
    ["0.0.0.0:80", { host: "0.0.0.0", port: 80 }],
    ["localhost:65535", { host: "localhost", port: 65_535 }],
    ["[::1]:7433", { host: "::1", port: 7433 }],
  ])("%s is understood", (text, address) => {
    expect(kind.read(text)).toEqual(address);
  });

  it.each(["", "65536", "-1", "http", "::1:80", "[::1]", "host:", "a b:80", "http://x:80", "80:", "123456"])(
    "%j is refused",
    (text) => {
      expect(() => kind.read(text)).toThrow(UsageError);
    },
  );

  it.each([
    ["http://127.0.0.1:34567/", {}, { listen: { host: "127.0.0.1", port: 34_567 } }],
    [
      "http://box:34567/?token=abc.d~e",
      { listen: { host: "0.0.0.0", port: 0 } },
      { listen: { host: "0.0.0.0", port: 34_567 }, token: "abc.d~e" },
    ],
    // An address need not name the usual port.
    ["http://[::1]:80/", { listen: { host: "::1", port: 80 } }, { listen: { host: "::1", port: 80 } }],
  ])("is where one at %s was", (url, given, place) => {
    expect(placeOf(url, given)).toEqual(place);
  });

  it("is any free port where the usual one is taken and none was given", async () => {
    const asked: number[] = [];
    const answer = await listening(undefined, async ({ port }) => {
      asked.push(port);
      if (port !== 0) throw new UsageError("taken");
      return "there";
    });
    expect(answer).toBe("there");
    expect(asked).toEqual([7433, 0]);
  });

  it("is no other port where the given one is taken, or where something else failed", async () => {
    const taken = async (): Promise<never> => {
      throw new UsageError("taken");
    };
    await expect(listening({ host: "127.0.0.1", port: 7500 }, taken)).rejects.toThrow("taken");
    const failing = async (): Promise<never> => {
      throw new FailureError("broken");
    };
    await expect(listening(undefined, failing)).rejects.toThrow("broken");
  });

  it("is looked at before anything is created", async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen({ host: "127.0.0.1", port: 0 }, resolve));
    const { port } = server.address() as { port: number };
    await expect(expectFree({ host: "127.0.0.1", port })).rejects.toThrow(
      new RegExp(`port ${port} of 127\\.0\\.0\\.1`),
    );
    await new Promise((resolve) => server.close(resolve));
    await expect(expectFree({ host: "127.0.0.1", port })).resolves.toBeUndefined();
    await expect(expectFree(undefined)).resolves.toBeUndefined();
  });
});
