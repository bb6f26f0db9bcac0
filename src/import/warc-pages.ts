/**
 * The pages of WARC files: responses, and revisits of bodies that stood in an earlier record. robots.txt and sitemaps
 * are no pages, unless a page links to them; `request`, `metadata` and other records say nothing about pages.
 */
import { dropOldest } from "../base/index.ts";
import type { ImportedPage, ReportedLinks } from "../crawl/index.ts";
import { payloadDigest } from "../store/index.ts";
import { mediaType } from "../web/index.ts";
import type { ImportFile, ReadOptions } from "./contract.ts";
import { damaged, readAgain, tellDamage } from "./files.ts";
import { answerOf, answerWith, BODY_BYTES_MAX, parseMessage } from "./http-message.ts";
import { type RecordPlace, recordIn, type WarcRecord, warcRecords } from "./warc.ts";

/** A page that is larger is cut anyway; its compressed form is smaller. */
const BLOCK_BYTES_MAX = BODY_BYTES_MAX + (1 << 18);
/** Enough for the head of a response. */
const SURVEY_BYTES_MAX = 1 << 16;
/** Bodies of which it is remembered where they are, for revisits. */
const REMEMBERED_MAX = 1 << 20;

/** Records of responses. */
const TYPES: ReadonlySet<string> = new Set(["response", "revisit", "resource"]);

const NOT_RECORDED: ReportedLinks = { links: [], linksUnknown: "not-recorded" };

export async function* warcPages(files: readonly ImportFile[], options: ReadOptions): AsyncGenerator<ImportedPage> {
  const { isSurvey = false, progress, nowMs } = options;
  const blockBytesMax = isSurvey ? SURVEY_BYTES_MAX : BLOCK_BYTES_MAX;
  const bodies = new Map<string, RecordPlace>();
  for (const { path } of files) {
    try {
      for await (const record of warcRecords(path, { progress, blockBytesMax })) {
        if (!TYPES.has(record.type)) continue;
        const url = urlOf(record);
        if (url === undefined) {
          options.addressless();
          continue;
        }
        const page = isSurvey ? outlineOf(url, record, nowMs) : await pageOf(url, record, bodies, nowMs);
        if (page !== undefined) yield page;
      }
    } catch (error) {
      tellDamage(path, error, options);
    }
  }
}

/** URL and status. */
function outlineOf(url: string, record: WarcRecord, nowMs: number): ImportedPage | undefined {
  const atMs = dateOf(record, nowMs);
  if (record.type === "resource") return { url, atMs, answer: answerWith({ status: 200 }) };
  const message = parseMessage(record.block);
  return message && { url, atMs, answer: answerWith({ status: message.status, headers: message.headers }) };
}

async function pageOf(
  url: string,
  record: WarcRecord,
  bodies: Map<string, RecordPlace>,
  nowMs: number,
): Promise<ImportedPage | undefined> {
  expectDigest(record);
  const { fields, isCut } = record;
  const atMs = dateOf(record, nowMs);
  const truncated = isCut || fields.has("warc-truncated");
  if (record.type === "resource") {
    const headers = { "content-type": fields.get("content-type") ?? "" };
    return { url, atMs, answer: answerWith({ status: 200, headers, body: record.block, truncated }) };
  }
  const digest = fields.get("warc-payload-digest");
  const isRevisit = record.type === "revisit";
  const original = isRevisit ? await originalOf(digest, bodies) : undefined;
  // A revisit may leave out its headers too.
  const message = parseMessage(record.block) ?? original?.message;
  if (message === undefined) return undefined;
  if (isRevisit && original === undefined) {
    const { status, headers } = message;
    // A body that nobody has is that of a page all the same, if the status says so.
    return { url, atMs, answer: answerWith({ status, headers }), reported: NOT_RECORDED };
  }
  if (!isRevisit && digest !== undefined && record.place.kind !== "stream") remember(bodies, digest, record.place);
  const payload = original === undefined ? message : { ...original.message, status: message.status };
  const answer = await answerOf(payload, truncated || original?.isCut === true);
  return { url, atMs, answer: original === undefined ? answer : { ...answer, headers: message.headers } };
}

function urlOf({ fields }: WarcRecord): string | undefined {
  // WARC 1.0 has the URL in angle brackets, by some readings.
  const url = fields.get("warc-target-uri")?.replace(/^<|>$/g, "");
  return url !== undefined && /^https?:/i.test(url) ? url : undefined;
}

function dateOf({ fields }: WarcRecord, nowMs: number): number {
  const atMs = Date.parse(fields.get("warc-date") ?? "");
  return Number.isNaN(atMs) ? nowMs : atMs;
}

function remember(bodies: Map<string, RecordPlace>, digest: string, place: RecordPlace): void {
  if (bodies.has(digest)) return;
  bodies.set(digest, place);
  dropOldest(bodies, REMEMBERED_MAX);
}

/** The response whose body a revisit has. */
async function originalOf(digest: string | undefined, bodies: ReadonlyMap<string, RecordPlace>) {
  const place = digest === undefined ? undefined : bodies.get(digest);
  if (place === undefined) return undefined;
  const bytes = readAgain(place.path, place.offset, BLOCK_BYTES_MAX);
  const record = await recordIn(bytes, place, BLOCK_BYTES_MAX);
  const message = record && parseMessage(record.block);
  if (record === undefined || message === undefined) return undefined;
  return { message, isCut: record.isCut || record.fields.has("warc-truncated") };
}

/** Where no checksum of gzip vouches for the block of a record, its own digest does, if it has one that we know. */
function expectDigest({ fields, block, isCut, place }: WarcRecord): void {
  const digest = fields.get("warc-block-digest") ?? "";
  if (!/^sha1:[A-Z2-7]{32}$/i.test(digest) || isCut || place.kind === "member") return;
  if (payloadDigest(block).toLowerCase() === digest.toLowerCase()) return;
  throw damaged(place.path, place.offset, "a record does not have the digest that it names");
}

/** Whether a response serves crawlers, not readers; where a sitemap is looked for, there may be none. */
export function isForRobots({ url, answer }: ImportedPage): boolean {
  if (/^https?:\/\/[^/?#]*\/(?:robots\.txt|sitemap\.xml)(?:$|[?#])/i.test(url)) return true;
  const type = mediaType(answer.headers["content-type"] ?? null);
  if (!/xml/.test(type) || type === "application/xhtml+xml") return false;
  return /<(?:\w+:)?(?:urlset|sitemapindex)[\s>]/.test(Buffer.from(answer.body.subarray(0, 1024)).toString("latin1"));
}
