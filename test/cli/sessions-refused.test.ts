/** Sites behind a login: what a dry run shows of secrets, and what is refused before anything is created. */
import { chmodSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { BASIC, COMMON, COOKIE, expectNoSecret, HEADER, NETSCAPE, PASSWORD, siteBehindLogin } from "./login-site.ts";
import { FolderHere } from "./run-here.ts";

describe("a dry run", () => {
  it.each([
    [`header: "X-Key: ${HEADER}"`, 0o644, true],
    [`hosts:\n  a.example:\n    header: "X-Key: ${HEADER}"`, 0o644, true],
    [`header: "X-Key: ${HEADER}"`, 0o600, false],
    ["hosts:\n  a.example:\n    delay: 1s", 0o644, false],
  ])("warns of a config file with headers that others can read: %j, mode %i", async (text, mode, isTold) => {
    const { url } = await siteBehindLogin();
    const folder = new FolderHere({ "c.yaml": text });
    chmodSync(folder.at("c.yaml"), mode);
    const { code, stderr } = await folder.run(["crawl", url, ...COMMON, "--config", "c.yaml", "--dry-run"]);
    expect(code).toBe(0);
    expect(stderr.includes("c.yaml: other users of this machine can read this file")).toBe(isTold);
  });

  it("shows what a dry run would send where, without any value", async () => {
    const { url, port } = await siteBehindLogin();
    const folder = new FolderHere({ "c.txt": NETSCAPE });
    const environment = { TIDEMARK_AUTH: `http://127.0.0.1:${port} me ${PASSWORD}` };
    const words = ["crawl", url, ...COMMON, "--cookie-file", "c.txt", "--header", `X-Key: ${HEADER}`, "--dry-run"];
    const { stdout } = await folder.run(words, environment);
    const said = stdout.replaceAll(/\s+/g, " ");
    expect(said).toContain(`headers x-key to http://127.0.0.1:${port}, https://127.0.0.1:${port}`);
    expect(said).toContain(`1 cookie of 127.0.0.1; credentials for http://127.0.0.1:${port}`);
  });
});

describe("what is refused", () => {
  it.each([
    [
      "a secret header",
      ["--header", `Authorization: Basic ${BASIC}`],
      "--auth-file FILE or the variable TIDEMARK_AUTH",
    ],
    ["a cookie header", ["--header", `Cookie: ${COOKIE}`], "cookies go into --cookie-file FILE"],
    ["a header without a name", ["--header", HEADER], "expected a name, a colon and a value"],
    ["a missing file", ["--auth-file", "none"], "none: no such file"],
    ["a bad cookie file", ["--cookie-file", "bad.txt"], "bad.txt: line 2: has 1 of 7 fields"],
    ["expired cookies", ["--cookie-file", "old.txt"], "old.txt: all cookies have expired"],
    ["a bad auth file", ["--auth-file", "bad.txt"], "bad.txt: line 2: the first word is no host"],
    ["a header in a config file", ["--config", "c.yaml"], "c.yaml: line 2: header: --header Cookie: others could read"],
    ["a header of a host", ["--config", "h.yaml"], "h.yaml: line 4: hosts: --header Authorization: others could read"],
  ])("%s, before anything is created", async (_what, words, why) => {
    const folder = new FolderHere({
      "bad.txt": `# comment\na/b me ${PASSWORD}\n`,
      "old.txt": `a.example\tFALSE\t/\tFALSE\t1000\tsid\t${COOKIE}\n`,
      "c.yaml": `max-pages: 1\nheader: "Cookie: ${COOKIE}"\n`,
      "h.yaml": `hosts:\n  a.example:\n    delay: 1s\n    header: "Authorization: Basic ${BASIC}"\n`,
    });
    const outcome = await folder.run(["crawl", "http://127.0.0.1:9/", "--allow-private", ...words]);
    expect(outcome).toMatchObject({ code: 2, stderr: expect.stringContaining(why) });
    expectNoSecret(outcome);
    expect(folder.names()).toEqual(["bad.txt", "c.yaml", "h.yaml", "old.txt"]);
  });

  it("credentials in a seed", async () => {
    const folder = new FolderHere();
    const outcome = await folder.run(["crawl", `https://me:${PASSWORD}@a.example/`]);
    expect(outcome).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('the URL of "a.example" has a user name'),
    });
    expectNoSecret(outcome);
    expect(folder.names()).toEqual([]);
  });

  it("a session for a command that fetches nothing", async () => {
    const folder = new FolderHere({ "g.arcs": "0 1\n", "a.txt": "a me b" });
    const outcomes = [
      await folder.run(["coverage", "g.arcs", "--auth-file", "a.txt"]),
      await folder.run(["refresh", "g.arcs", "--budget", "1", "--header", "X: y"]),
    ];
    expect(outcomes.map(({ code, stderr }) => [code, stderr.trim()])).toEqual([
      [2, "tidemark: --auth-file is about fetching; --budget fetches pages: give it as well"],
      [2, "tidemark: --header is about fetching; g.arcs is a graph, and nothing is fetched"],
    ]);
  });
});
