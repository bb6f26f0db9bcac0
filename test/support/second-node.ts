/** A second Node, which has the other SQLite driver (scripts/ensure-second-node.sh installs it). */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

export const SECOND_NODE = fileURLToPath(new URL("../../out/second-node/node_modules/node/bin/node", import.meta.url));
if (!existsSync(SECOND_NODE)) throw new Error(`${SECOND_NODE} is missing: run sh scripts/ensure-second-node.sh`);
