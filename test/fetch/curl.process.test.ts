/**
 * What curl reads is read here, with the same status. The rules of src/fetch/response-head.ts are those of curl 7.88, as
 * Debian 12 has it: where that is not installed, the comparisons do not run, and this says so.
 */
import { execFile, execFileSync } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { sharedPath } from "../support/shared.ts";
import { lenientReplies } from "./lenient-replies.ts";
import { repliesOfCurl } from "./replies-of-curl.ts";
import { get, newFetcher, rawServer } from "./servers.ts";

const VERSION = "curl 7.88.";
/** Of the replies that curl reads, those that get the same status here. */
const SAME_SHARE_MIN = 0.985;
const suitePath = sharedPath("suites/http-replies.json");
const installed = isInstalled();

describe.runIf(installed)("curl", () => {
  it("reads those of our own replies that we read, with the same status", async () => {
    const urls = await served(lenientReplies.map(([, reply]) => Buffer.from(reply, "latin1")));
    const statuses = await curlStatuses(urls);
    const got = lenientReplies.map(([what], i) => [what, statuses[i] ?? "bad-answer"]);
    const expected = lenientReplies.map(([what, , outcome]) => {
      const status = outcome.split(" ")[0] ?? "";
      return [what, /^\d/.test(status) ? Number(status) : status];
    });
    expect(got).toEqual(expected);
  });

  it.runIf(suitePath !== undefined)("reads what we read of the replies of its own tests", async () => {
    const urls = await served(repliesOfCurl(suitePath));
    const expected = await curlStatuses(urls);
    const fetcher = newFetcher();
    let read = 0;
    let same = 0;
    for (const [i, url] of urls.entries()) {
      const reply = await get(fetcher, url);
      if (expected[i] === null) continue;
      read++;
      if (reply.kind === "answer" && reply.status === expected[i]) same++;
    }
    expect(urls).toHaveLength(719);
    expect(read).toBeGreaterThan(680);
    expect(same / read).toBeGreaterThanOrEqual(SAME_SHARE_MIN);
  });
});

function isInstalled(): boolean {
  let found = "none";
  try {
    found = execFileSync("curl", ["--version"], { encoding: "utf8" });
  } catch {
    // There is none.
  }
  if (found.startsWith(VERSION)) return true;
  console.warn(`comparisons with curl did not run: they need ${VERSION}x, found ${found.slice(0, 12)}`);
  return false;
}

/** The URL of each reply, which is sent as it is before the connection is closed. */
async function served(replies: readonly Buffer[]): Promise<string[]> {
  const port = await rawServer((socket, head) => {
    socket.end(replies[Number(/^GET \/(\d+) /.exec(head)?.[1])] ?? Buffer.alloc(0));
  });
  return replies.map((_, i) => `http://127.0.0.1:${port}/${i}`);
}

/** The status of each URL, or null where curl fails. */
async function curlStatuses(urls: readonly string[]): Promise<(number | null)[]> {
  const each = ["--silent", "--max-time", "5", "--write-out", "%{urlnum} %{http_code} %{exitcode}\n"];
  const targets = urls.flatMap((url) => ["--output", "/dev/null", url]);
  // curl exits with the failure of its last URL.
  const run = promisify(execFile)("curl", [...each, ...targets], { maxBuffer: 1 << 24 });
  const { stdout } = await run.catch((error: { stdout: string }) => error);
  const statuses: (number | null)[] = urls.map(() => null);
  for (const line of stdout.trim().split("\n")) {
    const [url = 0, status = 0, exit = 1] = line.split(" ").map(Number);
    if (exit === 0) statuses[url] = status;
  }
  return statuses;
}
