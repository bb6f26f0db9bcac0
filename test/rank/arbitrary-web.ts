import fc from "fast-check";
import { type Arc, graphOf } from "../graph/arbitrary.ts";

/**
 * Webs as sites make them: cliques with common links (and a few pages that lack one), pages copied from others, pages
 * without links; self links on request.
 */
export const arbitraryWeb = fc.integer({ min: 2, max: 14 }).chain((pages) => {
  const page = fc.nat({ max: pages - 1 });
  const some = fc.uniqueArray(page, { maxLength: 6 });
  return fc
    .record({
      cliques: fc.array(fc.record({ members: some, links: some }), { maxLength: 3 }),
      copies: fc.array(fc.record({ members: some, links: some }), { maxLength: 3 }),
      arcs: fc.array(fc.tuple(page, page), { maxLength: 6 }),
      without: some,
      keepSelfLinks: fc.boolean(),
    })
    .map(({ cliques, copies, arcs, without, keepSelfLinks }) => {
      const all: Arc[] = [...arcs];
      const link = (members: number[], links: number[]) => {
        for (const from of members) for (const to of links) all.push([from, to]);
      };
      for (const { members, links } of copies) link(members, links);
      for (const { members, links } of cliques) link(members, [...members, ...links]);
      const kept = all.filter(([from, to]) => !without.includes(from) && (keepSelfLinks || from !== to));
      return graphOf(kept, pages);
    });
});
