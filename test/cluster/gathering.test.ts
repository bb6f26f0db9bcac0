/** How URLs were discovered that several shards know. */
import { expect, it } from "vitest";
import { systemTimers } from "../../src/base/index.ts";
import { beginGathering, Gathering, JOB_VERSION, shardOf } from "../../src/cluster/index.ts";
import { crawlSettings, Fingerprinter, type StoredSettings } from "../../src/crawl/index.ts";
import { BatchWriter } from "../../src/log/index.ts";
import { JobState, MemoryFactLog, MemoryStore, urlTexts } from "../../src/store/index.ts";

const SHARDS = 2;
const [ours, theirs] = [0, 1].map((shard) => {
  for (let k = 0; ; k++)
    if (shardOf(`h${k}.test`, { shards: SHARDS, by: "host" }) === shard) return `http://h${k}.test`;
});
const settings = crawlSettings({ urls: [`${theirs}/seed`], scope: "any" }) as StoredSettings;
const JOB = { crawl: settings, shardBy: "host", secretHosts: [] };
const RECORD = { depth: 1, discoveredAt: 0 } as const;

/** Of the shard of a page: another has told it of both of its URLs, one after the other. */
function heard(): (Uint8Array | undefined)[] {
  const batch = new BatchWriter();
  batch.addOrigin(0, ours);
  batch.addUrl({ ...RECORD, id: 0, origin: 0, path: "/before", source: "remote", reason: null });
  const first = batch.take();
  batch.addUrl({ ...RECORD, id: 1, origin: 0, path: "/page", source: "remote", reason: null });
  return [first, batch.take()];
}

/** Of the other. */
function told(): (Uint8Array | undefined)[] {
  const batch = new BatchWriter();
  batch.addOrigin(0, theirs);
  batch.addUrl({ ...RECORD, id: 0, origin: 0, path: "/seed", depth: 0, source: "seed", reason: null });
  const first = batch.take();
  batch.addOrigin(1, ours);
  batch.addUrl({ ...RECORD, id: 1, origin: 1, path: "/page", source: "redirect", reason: "elsewhere" });
  return [first, batch.take()];
}

/** The source of the page in one log, of these shards. */
async function sourceIn(shard?: number): Promise<string | undefined> {
  const job = { name: "job", version: JOB_VERSION, shards: SHARDS, settings: JSON.stringify(JOB) };
  const log = new MemoryFactLog(new JobState(job, systemTimers));
  for (const [number, batches] of [heard(), told()].entries()) {
    const lease = await log.lease("worker", number, 1e9);
    if (lease === undefined) throw new Error("nobody else has the shard");
    for (const [k, batch = new Uint8Array()] of batches.entries()) {
      expect(await log.append([{ lease, position: k + 1, batch }])).toEqual(["appended"]);
    }
  }
  const store = new MemoryStore(JSON.stringify(settings));
  await beginGathering(store, settings, await log.job());
  const fingerprinter = await Fingerprinter.create(settings.web.hashSeed);
  const only = shard === undefined ? {} : { shard };
  const gathering = await Gathering.open({ log, store, settings, fingerprinter, ...only });
  // A batch at a time.
  while (await gathering.step(1));
  const texts = new Map(urlTexts(store));
  return [...store.urls()].find(({ id }) => texts.get(id) === `${ours}/page`)?.source;
}

it("is told by the shard that has discovered it, though its own comes first", async () => {
  expect(await sourceIn()).toBe("redirect");
});

it("is not known from the log of its own shard", async () => {
  expect(await sourceIn(0)).toBe("remote");
});
