/**
 * The pages of WAT files, the extracts of WARC files that Common Crawl publishes: a record of JSON per response, with
 * its headers and the links of its HTML. Links are those that a crawl of ours follows: of `a`, `area` and frames, and
 * of a refresh.
 */
import type { ImportedPage, ReportedLinks } from "../crawl/index.ts";
import { headerRecord } from "../fetch/index.ts";
import type { ImportFile, ReadOptions } from "./contract.ts";
import { tellDamage } from "./files.ts";
import { answerWith } from "./http-message.ts";
import { isLinkless } from "./reported.ts";
import { warcRecords } from "./warc.ts";

/** Pages with a hundred thousand links have about this much. */
const RECORD_BYTES_MAX = 64 << 20;
const PATHS = new Set(["A@/href", "AREA@/href", "IFRAME@/src", "FRAME@/src"]);

export async function* watPages(files: readonly ImportFile[], options: ReadOptions): AsyncGenerator<ImportedPage> {
  const { progress } = options;
  for (const { path } of files) {
    let broken = 0;
    try {
      for await (const { block, isCut, type } of warcRecords(path, { progress, blockBytesMax: RECORD_BYTES_MAX })) {
        if (type !== "metadata") continue;
        const envelope = isCut ? undefined : envelopeIn(block);
        if (envelope === undefined) broken++;
        const page = envelope && pageOf(envelope, options);
        if (page !== undefined) yield page;
      }
    } catch (error) {
      tellDamage(path, error, options);
    }
    if (broken > 0) options.damaged({ path, message: `${path}: ${broken} records are not JSON, and left out` });
  }
}

/** Whether a record of metadata is one of a WAT file. */
export function isEnvelope(block: Uint8Array): boolean {
  return /^\s*\{\s*"(?:Container|Envelope)"/.test(Buffer.from(block.subarray(0, 100)).toString("latin1"));
}

class Json {
  readonly #value: unknown;

  constructor(value: unknown) {
    this.#value = value;
  }

  get(...names: readonly string[]): Json {
    let value = this.#value;
    for (const name of names) {
      value = typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
    }
    return new Json(value);
  }

  get text(): string | undefined {
    return typeof this.#value === "string" ? this.#value : undefined;
  }

  get list(): readonly Json[] {
    return Array.isArray(this.#value) ? this.#value.map((each) => new Json(each)) : [];
  }

  get isThere(): boolean {
    return this.#value !== undefined && this.#value !== null;
  }

  /** Names and values alternating. */
  get pairs(): string[] {
    if (typeof this.#value !== "object" || this.#value === null) return [];
    return Object.entries(this.#value).flatMap(([name, value]) =>
      (Array.isArray(value) ? value : [value]).flatMap((each) => (typeof each === "string" ? [name, each] : [])),
    );
  }
}

function envelopeIn(block: Uint8Array): Json | undefined {
  try {
    return new Json(JSON.parse(new TextDecoder().decode(block))).get("Envelope");
  } catch {
    return undefined;
  }
}

function pageOf(envelope: Json, { nowMs, linksComplete = false }: ReadOptions): ImportedPage | undefined {
  const warc = envelope.get("WARC-Header-Metadata");
  const http = envelope.get("Payload-Metadata", "HTTP-Response-Metadata");
  const url = warc.get("WARC-Target-URI").text;
  const status = Number(/^\d{3}/.exec(http.get("Response-Message", "Status").text ?? "")?.[0]);
  const type = warc.get("WARC-Type").text ?? "response";
  if (url === undefined || Number.isNaN(status) || (type !== "response" && type !== "revisit")) return undefined;
  const headers = headerRecord(http.get("Headers").pairs);
  const html = http.get("HTML-Metadata");
  const date = Date.parse(warc.get("WARC-Date").text ?? "");
  const truncated = warc.get("WARC-Truncated").isThere;
  const isWhole = html.isThere && linksComplete && !truncated && type === "response";
  const isComplete = isWhole || isLinkless(headers["content-type"] ?? null);
  const reported = { ...linksIn(html), linksUnknown: isComplete ? null : ("not-recorded" as const) };
  return { url, atMs: Number.isNaN(date) ? nowMs : date, answer: answerWith({ status, headers, truncated }), reported };
}

function linksIn(html: Json): Omit<ReportedLinks, "linksUnknown"> {
  const head = html.get("Head");
  const metas = head.get("Metas").list.map((meta) => ({
    name: (meta.get("name").text ?? meta.get("http-equiv").text ?? "").toLowerCase(),
    content: meta.get("content").text ?? "",
  }));
  const allNofollow = metas.some(({ name, content }) => name === "robots" && /\b(?:nofollow|none)\b/i.test(content));
  const links = html.get("Links").list.flatMap((link) => {
    const href = link.get("url").text;
    if (href === undefined || !PATHS.has(link.get("path").text ?? "")) return [];
    return [{ href, nofollow: allNofollow || /(?:^|\s)nofollow(?:\s|$)/i.test(link.get("rel").text ?? "") }];
  });
  const refreshes = metas.flatMap(({ name, content }) => {
    const [, href] = (name === "refresh" && /url\s*=\s*["']?([^"']+)/i.exec(content)) || [];
    return href === undefined ? [] : [{ href, nofollow: allNofollow }];
  });
  const base = head.get("Base").text;
  return {
    title: head.get("Title").text ?? null,
    ...(base === undefined ? {} : { base }),
    links: [...links, ...refreshes],
  };
}
