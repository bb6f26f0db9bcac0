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

/** The mutants of these areas, and those with one of these texts in their file or sentence; all without any. */
export function mutantsWith(texts: readonly string[]): readonly ListedMutant[] {
  if (texts.length === 0) return allMutants;
  return allMutants.filter((mutant) => texts.some((text) => isMeant(mutant, text)));
}

function isMeant({ area, file, plants }: ListedMutant, text: string): boolean {
  return Object.hasOwn(areas, text) ? area === text : file.includes(text) || plants.includes(text);
}
