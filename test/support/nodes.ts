/** Other Nodes than the one that runs the tests (scripts/ensure-nodes.sh installs them), by their major version. */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

export const NODES = [20, 22, 24] as const;

export function nodeOf(major: (typeof NODES)[number]): string {
  const path = fileURLToPath(new URL(`../../out/nodes/${major}/node_modules/node/bin/node`, import.meta.url));
  if (!existsSync(path)) throw new Error(`${path} is missing: run sh scripts/ensure-nodes.sh`);
  return path;
}
