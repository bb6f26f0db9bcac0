/** Which pages are local: those of a host (a site-specific domain), or those near some pages (a topic-specific one). */
import { nearest, quoted, UsageError } from "../base/index.ts";
import type { Graph, Hosts } from "../graph/index.ts";

const NEAR_HOSTS_MAX = 3;

/** The pages of a host, ascending. For an unknown host it throws a `UsageError` that names similar ones. */
export function pagesOfHost({ names, hostOf }: Hosts, name: string): Uint32Array {
  const host = names.indexOf(name.toLowerCase());
  if (host < 0) throw new UsageError(`no page is on the host ${quoted(name)}${nearHosts(name, names)}`);
  const pages: number[] = [];
  for (let page = 0; page < hostOf.length; page++) if (hostOf[page] === host) pages.push(page);
  return Uint32Array.from(pages);
}

/** The pages within this many links of the given pages, included; ascending. Breadth first, at most `pagesMax`. */
export function pagesWithin(
  web: Graph,
  from: Uint32Array,
  { links, pagesMax }: { readonly links: number; readonly pagesMax: number },
): Uint32Array {
  const isFound = new Uint8Array(web.pages);
  const found = new Uint32Array(Math.min(pagesMax, web.pages));
  let count = 0;
  const add = (page: number): void => {
    if (isFound[page] === 1 || count === found.length) return;
    isFound[page] = 1;
    found[count++] = page;
  };
  for (const page of from) add(page);
  let read = 0;
  for (let level = 0; level < links; level++) {
    for (const end = count; read < end; read++) {
      for (let arc = web.offsets[found[read]]; arc < web.offsets[found[read] + 1]; arc++) add(web.targets[arc]);
    }
  }
  return found.slice(0, count).sort();
}

/** The crawled pages that are not local, ascending. */
export function pagesBeside(all: Uint32Array, local: Uint32Array): Uint32Array {
  const isLocal = new Set(local);
  return all.filter((page) => !isLocal.has(page));
}

function nearHosts(name: string, names: readonly string[]): string {
  const near: string[] = [];
  let rest = names;
  while (near.length < NEAR_HOSTS_MAX) {
    const found = nearest(name, rest);
    if (found === undefined) break;
    near.push(found);
    rest = rest.filter((each) => each !== found);
  }
  return near.length === 0 ? "" : `; similar hosts are ${near.join(", ")}`;
}
