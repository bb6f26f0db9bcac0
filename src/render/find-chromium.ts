/** Finds a Chromium: the one that the user names, Playwright's own, or one that is installed. */
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { UsageError } from "../base/index.ts";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "microsoft-edge"];

const PLACES = [
  "/usr/bin/chromium",
  "/usr/bin/google-chrome",
  "/snap/bin/chromium",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
  "C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe",
  "C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe",
];

const INSTALL_CHROMIUM = "npx playwright-core install chromium";

export interface ChromiumSearch {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Where Playwright would have put its own; it may not be there. */
  readonly ofPlaywright: string | undefined;
  readonly isExecutable?: (path: string) => boolean;
}

/** Throws a `UsageError` that says how to get one. */
export function findChromium({ environment, ofPlaywright, isExecutable = mayBeRun }: ChromiumSearch): string {
  const named = environment["CHROMIUM_PATH"];
  if (named !== undefined && named !== "") {
    if (isExecutable(named)) return named;
    throw new UsageError(
      `CHROMIUM_PATH is ${named}, which cannot be run; set it to the program of a Chromium or Chrome, or unset it`,
    );
  }
  const folders = (environment["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  const inPath = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  const candidates = [...(ofPlaywright === undefined ? [] : [ofPlaywright]), ...inPath, ...PLACES];
  const found = candidates.find((path) => isExecutable(path));
  if (found !== undefined) return found;
  throw new UsageError(
    `--render needs Chromium or Chrome, and none was found: install one with ${INSTALL_CHROMIUM}, ` +
      "or set CHROMIUM_PATH to its program; or leave out --render",
  );
}

function mayBeRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
