import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import {
  ArcsDecoder,
  type Graph,
  graphInfo,
  type Hosts,
  HostsDecoder,
  withoutSelfLinks,
} from "../../src/graph/index.ts";
import { sharedPath } from "../support/shared.ts";

const CHUNK_BYTES = 1 << 16;

function decode<T>(path: string, decoder: { push(chunk: Uint8Array): void; finish(): T }): T {
  const bytes = gunzipSync(readFileSync(path));
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) decoder.push(bytes.subarray(at, at + CHUNK_BYTES));
  return decoder.finish();
}

const readGraph = (path: string): Graph => decode(path, new ArcsDecoder());
const readHosts = (path: string, pages: number): Hosts => decode(path, new HostsDecoder({ pages }));

/** What the collection's own description says of each graph. */
const described = [
  { name: "cnr-2000", pages: 325_557, arcs: 3_216_152, urls: false, danglingPercent: 24, selfLinks: 87_442 },
  {
    name: "uci-ics",
    pages: 53_769,
    arcs: 580_939,
    urls: true,
    hosts: 88,
    danglingPercent: 19,
    interHostPercent: 4.6,
  },
  { name: "hollins", pages: 6_012, arcs: 23_875, urls: true, hosts: 4, danglingPercent: 53 },
  // 3,259 where hosts are what stands in the URL; spellings of one host and default ports make 29 of them.
  { name: "epa", pages: 4_772, arcs: 8_965, urls: true, hosts: 3_230 },
  { name: "harvard500", pages: 500, arcs: 2_636, urls: false },
];

describe.each(described)("$name", (expected) => {
  const arcsPath = sharedPath(`data/${expected.name}.arcs.gz`);
  const urlsPath = expected.urls ? sharedPath(`data/${expected.name}.urls.gz`) : undefined;

  it.skipIf(arcsPath === undefined)("has the pages, arcs, hosts and shares that its description states", () => {
    const graph = readGraph(arcsPath!);
    const info = graphInfo(graph, urlsPath === undefined ? undefined : readHosts(urlsPath, graph.pages));
    expect(info).toMatchObject({
      pages: expected.pages,
      arcs: expected.arcs,
      hosts: expected.hosts ?? null,
    });
    if (expected.danglingPercent !== undefined) {
      expect(Math.round((100 * info.dangling) / info.pages)).toBe(expected.danglingPercent);
    }
    if (expected.interHostPercent !== undefined) {
      expect((100 * info.interHostArcs!) / info.arcs).toBeCloseTo(expected.interHostPercent, 1);
    }
    if (expected.selfLinks !== undefined) {
      expect(info.selfLinks).toBe(expected.selfLinks);
      expect(withoutSelfLinks(graph).arcs).toBe(expected.arcs - expected.selfLinks);
    }
  });
});
