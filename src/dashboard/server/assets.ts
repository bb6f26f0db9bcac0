/**
 * The built page: a few files, read once and held by name, so that no path can lead outside. Their names carry a hash of what they hold,
 * but for the page itself and for the colours, which it shares with reports.
 */
import { readdirSync, readFileSync } from "node:fs";
import { extname } from "node:path";
import { compiledEntry, FailureError } from "../../base/index.ts";
import { themes } from "../../report/index.ts";

export interface Asset {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly type: string;
  /** What it holds never changes under this name. */
  readonly isLasting: boolean;
}

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".json": "application/json",
};

/** Where the built page is: of all that is there, only this folder is not in the source as well. */
const BUILT_FOLDER = "dashboard/page/assets/";

/** By path, as in "/assets/index-abc.js". */
export function loadAssets(
  folder: URL = new URL("../", compiledEntry(BUILT_FOLDER)),
): ReadonlyMap<string, Asset> {
  const assets = new Map<string, Asset>();
  try {
    for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
      const type = TYPES[extname(name)];
      const path = name.replaceAll("\\", "/");
      if (type === undefined) continue;
      const bytes = new Uint8Array(readFileSync(new URL(path, folder)));
      assets.set(`/${path}`, { bytes, type, isLasting: path.startsWith("assets/") });
    }
  } catch (error) {
    throw new FailureError(
      `the dashboard's page could not be read from ${folder.pathname}: ${String(error)}; install the package again, or build it`,
      { cause: error },
    );
  }
  const page = assets.get("/index.html");
  if (page === undefined) {
    throw new FailureError(
      `the dashboard's page is missing in ${folder.pathname}: install the package again, or build it`,
    );
  }
  assets.set("/", page);
  assets.set("/theme.css", {
    bytes: new TextEncoder().encode(themes),
    type: TYPES[".css"] ?? "",
    isLasting: false,
  });
  return assets;
}
