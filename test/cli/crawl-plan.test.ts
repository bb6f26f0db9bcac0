/** What a crawl would do: where options come from, and what `--dry-run` shows. */
import { describe, expect, it } from "vitest";
import { demoWeb, SEED } from "./demo-web.ts";
import { FolderHere } from "./run-here.ts";

describe("crawl --dry-run", () => {
  it("takes options from a file, and those of the command line before them", async () => {
    const config = `urls: [${SEED}]\nmax-pages: 9\nscope: domain\nmaxDepth: 2\nexclude:\n  - /topics/\n  - calendar\nallow-private: true\n`;
    const folder = new FolderHere({ "c.yaml": config });
    const web = (await demoWeb()).slice(0, 4);
    const document = await folder.json([
      "crawl",
      "--config",
      "c.yaml",
      ...web,
      "--delay",
      "0",
      "--max-pages",
      "5",
      "--dry-run",
    ]);
    expect(document).toMatchObject({
      settings: {
        limits: { pages: 5, depth: 2 },
        web: { scope: { kind: "domain", exclude: ["/topics/", "calendar"] } },
      },
    });
  });

  it("shows the host to which a seed redirects in the scope", async () => {
    const folder = new FolderHere();
    const args = ["crawl", "http://demo.test/", ...(await demoWeb()), "--scope", "host", "--dry-run"];
    expect((await folder.run(args)).stdout).toContain("scope:      the hosts demo.test and www.demo.test");
  });

  it("shows where seeds lead, what robots.txt says, and all settings, and creates nothing", async () => {
    const folder = new FolderHere();
    const { code, stdout } = await folder.run([
      "crawl",
      "http://demo.test/",
      "http://library.demo.test/reading-room/",
      ...(await demoWeb()),
      "--dry-run",
    ]);
    expect(code).toBe(0);
    expect(stdout).toContain(
      "http://demo.test/ (trust 50%), redirects to http://www.demo.test/, robots.txt: allowed, status 200",
    );
    expect(stdout).toContain("http://library.demo.test/reading-room/ (trust 50%), robots.txt: forbidden");
    expect(stdout).toContain("scope:      the domain demo.test");
    expect(folder.names()).toEqual([]);
  });
});
