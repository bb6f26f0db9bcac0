/** Browsers that die, or cannot be started. */
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { scriptSiteFile } from "../../src/lab/index.ts";
import { startRenderer } from "../../src/render/index.ts";
import { browserOptions, crawlOf, site, useBrowser } from "../support/browser-crawl.ts";
import { temporaryDirectory } from "../support/temporary.ts";

const { processes } = useBrowser();

describe("a page in Chromium", () => {
  it("is rendered again when the browser is killed", async () => {
    let requests = 0;
    let kills = 0;
    const { origin } = await site((path) => {
      if (path.startsWith("/api/") && ++requests % 10 === 0 && kills < 3) {
        kills++;
        for (const pid of processes()) process.kill(pid, "SIGKILL");
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
    writeFileSync(
      program,
      `#!/bin/sh\nmkdir ${folder}/started || exit 1\nexec ${browserOptions.environment.CHROMIUM_PATH} "$@"\n`,
    );
    chmodSync(program, 0o755);
    const browser = await startRenderer({ ...browserOptions, environment: { CHROMIUM_PATH: program } });
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
    await expect(startRenderer({ ...browserOptions, sandbox: true })).rejects.toThrow(/--no-browser-sandbox/);
  });
});
