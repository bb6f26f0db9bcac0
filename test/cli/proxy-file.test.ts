/** Proxies of `tidemark crawl` that are refused. */
import { expect, it } from "vitest";
import { FolderHere } from "./run-here.ts";

it.each([
  [["--proxy-file", "none.txt"], "none.txt", "none.txt: no such file"],
  [["--proxy-file", "empty.txt"], "empty.txt", "names no proxy; expected one per line"],
  [["--proxy-file", "bad.txt"], "bad.txt: line 2: expected http://HOST:PORT"],
  [["--proxy", "http://127.0.0.1:1/s3cret"], "proxy: expected http://HOST:PORT"],
  [["--proxy", "127.0.0.1:1:me:s3cret"], "proxy: expected http://HOST:PORT"],
  [["--proxy", "http://me:p@1/s3cret@127.0.0.1:1"], "--proxy: others could read a user name and password here"],
  [["--config", "c.yaml"], "c.yaml: line 1: proxy: proxy http://127.0.0.1:1: expected http://HOST:PORT"],
  [["--proxy-file", "p.txt", "--proxy", "http://127.0.0.1:1"], "--proxy and --proxy-file", "cannot be used together"],
  [["--proxy-file", "p.txt", "--resolve", "one.test:127.0.0.1"], "cannot be used together", "resolves names itself"],
  [["--verbose", "--quiet"], "--quiet and --verbose", "contradict each other"],
])("refuses %j before anything is created", async (args, ...messages) => {
  const folder = new FolderHere({
    "empty.txt": "#\n",
    "bad.txt": "a.test:1\nftp://me:s3cret@x.test/\n",
    "p.txt": "a.test:1\n",
    "c.yaml": "proxy: http://me:p@1/s3cret@127.0.0.1:1\n",
  });
  const { code, stderr } = await folder.run(["crawl", "--dir", "c", "http://h0.test/", ...args]);
  expect(code).toBe(2);
  for (const message of messages) expect(stderr).toContain(message);
  expect(stderr).not.toContain("s3cret");
  expect(folder.names()).not.toContain("c");
});
