/** Every mutant, by area. A new area is a file in `lists/` and a line here. */
import { base } from "./lists/base.ts";
import { cluster } from "./lists/cluster.ts";
import { community } from "./lists/community.ts";
import { compare } from "./lists/compare.ts";
import { content } from "./lists/content.ts";
import { coverage } from "./lists/coverage.ts";
import { crawl } from "./lists/crawl.ts";
import { crawlee } from "./lists/crawlee.ts";
import { exports } from "./lists/exports.ts";
import { fetch } from "./lists/fetch.ts";
import { findings } from "./lists/findings.ts";
import { foreverMutants } from "./lists/forever.ts";
import { graph } from "./lists/graph.ts";
import { mcp } from "./lists/mcp.ts";
import { imports } from "./lists/import.ts";
import { names } from "./lists/names.ts";
import { packs } from "./lists/packs.ts";
import { order } from "./lists/order.ts";
import { rank } from "./lists/rank.ts";
import { refresh } from "./lists/refresh.ts";
import { refreshQueueMutants } from "./lists/refresh-queue.ts";
import { rendering } from "./lists/rendering.ts";
import { seeds } from "./lists/seeds.ts";
import { sessions } from "./lists/sessions.ts";
import { store } from "./lists/store.ts";
import { texts } from "./lists/texts.ts";
import { views } from "./lists/views.ts";
import { web } from "./lists/web.ts";
import type { ListedMutant, Mutant } from "./mutant.ts";

const areas: Readonly<Record<string, readonly Mutant[]>> = {
  base,
  graph,
  rank,
  coverage,
  order,
  seeds,
  community,
  refresh,
  "refresh-queue": refreshQueueMutants,
  forever: foreverMutants,
  web,
  names,
  store,
  content,
  packs,
  texts,
  findings,
  exports,
  fetch,
  sessions,
  crawl,
  rendering,
  import: imports,
  compare,
  views,
  cluster,
  mcp,
  crawlee,
};

export const allMutants: readonly ListedMutant[] = Object.entries(areas).flatMap(([area, mutants]) =>
  mutants.map((mutant) => ({ ...mutant, area })),
);

/** The mutants of an area, or those with a text anywhere in their file or sentence; all without one. */
export function mutantsWith(text: string | undefined): readonly ListedMutant[] {
  if (text === undefined) return allMutants;
  if (Object.hasOwn(areas, text)) return allMutants.filter(({ area }) => area === text);
  return allMutants.filter(({ file, plants }) => file.includes(text) || plants.includes(text));
}
