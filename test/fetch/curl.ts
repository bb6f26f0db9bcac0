/** What curl makes of raw replies. The rules of src/fetch/response-head.ts are those of curl 7.88, as Debian 12 has it. */
import { execFile, execFileSync } from "node:child_process";
import { promisify } from "node:util";

const VERSION = "curl 7.88.";

/** Whether that curl is installed; tests that need it do not run where it is not, and this says so. */
export function hasCurl(): boolean {
  let found = "none";
  try {
    found = execFileSync("curl", ["--version"], { encoding: "utf8" });
  } catch {}
  if (found.startsWith(VERSION)) return true;
  console.warn(`comparisons with curl did not run: they need ${VERSION}x, found ${found.slice(0, 12)}`);
  return false;
}

/** The status of each URL, or null where curl fails. */
export async function curlStatuses(urls: readonly string[]): Promise<(number | null)[]> {
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
