/**
 * The built page: a few files, read once and served by name, so no path can lead outside. Their names contain a hash of
 * their content, except for the page itself and for the style that reports share.
 */
import { readdirSync, readFileSync } from "node:fs";
import { extname } from "node:path";
import { compiledEntry, FailureError } from "../../base/index.ts";
import { sharedStyle } from "../../report/index.ts";

export interface Asset {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly type: string;
  /** Its content never changes under this name. */
  readonly isImmutable: boolean;
}

const CSS = "text/css; charset=utf-8";
const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": CSS,
  ".svg": "image/svg+xml",
};

/** In the built page only: the source has no such folder. */
const BUILT_FOLDER = "dashboard/page/assets/";

/** By path, such as "/assets/index-abc.js". */
export function loadAssets(folder: URL = new URL("../", compiledEntry(BUILT_FOLDER))): ReadonlyMap<string, Asset> {
  const assets = new Map<string, Asset>();
  const remedy = "install the package again, or build it";
  try {
    for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
      const type = TYPES[extname(name)];
      const path = name.replaceAll("\\", "/");
      if (type === undefined) continue;
      const bytes = new Uint8Array(readFileSync(new URL(path, folder)));
      assets.set(`/${path}`, { bytes, type, isImmutable: path.startsWith("assets/") });
    }
  } catch (error) {
    const problem = `the dashboard's page could not be read from ${folder.pathname}: ${String(error)}; ${remedy}`;
    throw new FailureError(problem, { cause: error });
  }
  const page = assets.get("/index.html");
  if (page === undefined) throw new FailureError(`the dashboard's page is missing in ${folder.pathname}: ${remedy}`);
  assets.set("/", page);
  assets.set("/theme.css", { bytes: new TextEncoder().encode(sharedStyle), type: CSS, isImmutable: false });
  return assets;
}
