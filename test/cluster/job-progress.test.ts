/** What the notes of all shards of a job say together. */
import { afterEach, describe, expect, it, vi } from "vitest";
import { progressOf, shardOf } from "../../src/cluster/index.ts";
import { EndDetector } from "../../src/cluster/job-progress.ts";
import { levelOf } from "../../src/cluster/level.ts";
import { NoteReader, type ShardNote } from "../../src/cluster/shard-note.ts";
import { FinalLedger, tighten } from "../../src/coverage/index.ts";
import type { Board } from "../../src/store/index.ts";
import { hostOfUrl } from "../../src/web/index.ts";
import { inlineSettings } from "../support/inline-web.ts";
import { linkTable } from "../support/link-table.ts";

const SHARDS = 256;
/** Of a shard that has nothing left to do. */
const NOTE = {
  counts: { pages: 1, dead: 0, redirects: 0, refused: 0, failed: 0, retries: 0, bytes: 0 },
  known: 1,
  frontier: 0,
  hosts: 1,
  losses: [],
  backlog: null,
  lookedAhead: 0,
  isIdle: true,
  isClosed: true,
  parked: null,
  sent: 0,
  heard: 0,
  number: 1,
};
const OWNED = { epoch: 1, worker: "worker", position: 1, pages: 0, noteEpoch: 1 };

/** The board of a job in which every seed is a page without links; all but the last ones are seeded and downloaded. */
function boardOf(seeds: readonly string[], unseeded: number): Board {
  const shards = seeds.map((url) => shardOf(hostOfUrl(url), { shards: SHARDS, by: "host" }));
  const none = new Uint32Array(seeds.length);
  const ledger = new FinalLedger({
    links: linkTable({ targets: none, starts: none, ends: none }),
    pages: seeds.length,
    damping: 0.85,
    parts: { count: SHARDS, of: (page) => shards[page] },
  });
  for (let page = 0; page < seeds.length - unseeded; page++) {
    ledger.trusted(page, 1 / seeds.length);
    ledger.downloaded(page);
  }
  tighten(ledger, { absoluteGap: 0 });
  const noteOf = (shard: number): ShardNote => ({ ...NOTE, sums: ledger.sumsOf(shard) });
  return {
    job: { name: "job", version: 1, shards: SHARDS, settings: "{}", stopped: null, ageMs: 0 },
    shards: Array.from({ length: SHARDS }, (_, shard) => ({ shard, ...OWNED, note: JSON.stringify(noteOf(shard)) })),
    workers: [{ name: "worker", info: "{}" }],
  };
}

function progressWith(count: number, unseeded = 0) {
  const seeds = Array.from({ length: count }, (_, k) => `https://host-${k}.example/`);
  return progressOf(boardOf(seeds, unseeded), inlineSettings(seeds, {}));
}

describe("the progress of a job", () => {
  it("knows that all trust was seeded, however many seeds there are and whichever shards have them", () => {
    for (let seeds = 1; seeds < 1000; seeds = Math.ceil(1.06 * seeds)) {
      const { coverage, losses } = progressWith(seeds);
      expect({ seeds, coverage, losses }).toEqual({ seeds, coverage: 1, losses: [] });
    }
  });

  it("knows what trust was not", () => {
    const { coverage, losses } = progressWith(1000, 1);
    // 999 pages without links hold (1 - d) 0.999, and what is not seeded may hold 0.001 of surfing that goes on.
    const whole = 0.15 * 0.999 + 0.001;
    expect(coverage).toBeCloseTo((0.15 * 0.999) / whole, 9);
    expect(losses).toEqual([{ reason: "trust-unseeded", mass: expect.closeTo(0.001 / whole, 9), url: null }]);
  });
});

describe("notes of a board", () => {
  afterEach(() => vi.restoreAllMocks());

  it("are parsed once, whatever a worker wants to know of them, and again only where they have changed", () => {
    const board = boardOf(["https://a.example/"], 0);
    const settings = inlineSettings(["https://a.example/"], {});
    const notes = new NoteReader();
    const parse = vi.spyOn(JSON, "parse");
    const detector = new EndDetector();
    const look = (seen: Board): void => {
      const progress = progressOf(seen, settings, notes);
      expect(progress.quiet).toBe("frontier-empty");
      detector.look(seen, progress, notes);
      levelOf(seen, () => false, notes);
    };
    look(board);
    expect(parse).toHaveBeenCalledTimes(SHARDS);
    // The server sends the same texts again.
    const same = { ...board, shards: board.shards.map((shard) => ({ ...shard })) };
    look(same);
    expect(parse).toHaveBeenCalledTimes(SHARDS);
    const changed = (shard: (typeof board.shards)[number]) => ({
      ...shard,
      note: shard.note?.replace('"pages":1', '"pages":7') ?? null,
    });
    const next = { ...board, shards: board.shards.map((shard) => (shard.shard === 3 ? changed(shard) : shard)) };
    look(next);
    expect(parse).toHaveBeenCalledTimes(SHARDS + 1);
    expect(progressOf(next, settings, notes).counts.pages).toBe(SHARDS + 6);
    const gone = {
      ...board,
      shards: board.shards.map((shard) => (shard.shard === 3 ? { ...shard, note: null } : shard)),
    };
    expect(progressOf(gone, settings, notes).counts.pages).toBe(SHARDS - 1);
  });
});
