/** How the links and the reason of a visit are stored. */
import { assert } from "../base/index.ts";
import { type RefusalReason, refusalReasons } from "../coverage/index.ts";
import type { Outcome, Reread, RereadOutcome, Visit } from "./records.ts";

/** A difference of 33 bits and its sign, 7 bits a byte. */
const LINK_BYTES_MAX = 5;
/** Greater differences overflow 32-bit arithmetic. */
const SMALL = 2 ** 30;

/**
 * The out-links of a page as bytes: the difference of each id to the one before it (the first to 0), zigzag (0, -1, 1,
 * -2 become 0, 1, 2, 3), as little-endian base-128 varints. Order and repetitions are kept as written. Links that stand
 * together on a page mostly were discovered together, so most differences take one byte.
 */
export function encodeLinks(links: Uint32Array): Uint8Array {
  const bytes = new Uint8Array(LINK_BYTES_MAX * links.length);
  let at = 0;
  let before = 0;
  for (let i = 0; i < links.length; i++) {
    const delta = links[i] - before;
    before = links[i];
    if (delta < SMALL && delta >= -SMALL) {
      let rest = (delta << 1) ^ (delta >> 31);
      while (rest > 127) {
        bytes[at++] = (rest & 127) | 128;
        rest >>>= 7;
      }
      bytes[at++] = rest;
    } else {
      at = writeLarge(bytes, at, delta < 0 ? -2 * delta - 1 : 2 * delta);
    }
  }
  return bytes.subarray(0, at);
}

export function decodeLinks(bytes: Uint8Array): Uint32Array {
  let count = 0;
  for (let i = 0; i < bytes.length; i++) if (bytes[i] < 128) count++;
  const links = new Uint32Array(count);
  let at = 0;
  let before = 0;
  for (let i = 0; i < count; i++) {
    let byte = bytes[at++];
    let zigzag = byte & 127;
    if (byte > 127) {
      byte = bytes[at++];
      zigzag |= (byte & 127) << 7;
      let weight = 2 ** 14;
      while (byte > 127) {
        byte = bytes[at++];
        zigzag += (byte & 127) * weight;
        weight *= 128;
      }
    }
    before += zigzag % 2 === 0 ? zigzag / 2 : -(zigzag + 1) / 2;
    links[i] = before;
  }
  assert(at === bytes.length, "a list of links ends with a whole number");
  return links;
}

function writeLarge(bytes: Uint8Array, from: number, value: number): number {
  let at = from;
  let rest = value;
  while (rest > 127) {
    bytes[at++] = (rest % 128) | 128;
    rest = Math.floor(rest / 128);
  }
  bytes[at++] = rest;
  return at;
}

type Reason = Pick<Visit, "reason" | "detail" | "isRewritten">;

const REWRITTEN = "rewritten";

/**
 * Reason and detail of a visit as one text, which the database and exports hold: "robots", "failed:status-500",
 * "status-404" (of a dead URL), "rewritten" (of a redirect). In memory they are separate fields.
 */
export function encodeReason({ reason, detail, isRewritten }: Reason): string | null {
  if (isRewritten) return REWRITTEN;
  if (reason === null) return detail;
  return detail === null ? reason : `${reason}:${detail}`;
}

export function decodeReason(outcome: Outcome | "waiting", text: string | null): Reason {
  if (outcome === "redirected") return { reason: null, detail: null, isRewritten: text === REWRITTEN };
  if (outcome !== "refused") return { reason: null, detail: text, isRewritten: false };
  const [head, ...rest] = (text ?? "failed").split(":");
  return { reason: refusalReason(head), detail: rest.length === 0 ? null : rest.join(":"), isRewritten: false };
}

/** The database holds the target of a page that has moved as its reason. */
export function decodeRereadReason(outcome: RereadOutcome, text: string | null): Pick<Reread, "reason" | "target"> {
  return outcome === "moved" ? { reason: null, target: text } : { reason: text, target: null };
}

/** An unknown name, of a newer version perhaps, counts as the worst. */
export function refusalReason(name: string): RefusalReason {
  return refusalReasons.find((reason) => reason === name) ?? "failed";
}
