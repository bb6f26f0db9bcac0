/**
 * How a page was read, and what a later read says about it: the same, another, or less than there was. A fingerprint of
 * the body alone does not tell.
 */
import type { Answer } from "../../fetch/index.ts";
import type { Visit } from "../../log/index.ts";
import { bodyKind } from "../../web/index.ts";
import type { FinishedPage } from "../page-pipeline.ts";
import { type PageContent, storedRobotsTag } from "../reader/contract.ts";

/** How the body of a page was read: what the next answer is compared with, besides its bytes. */
export interface Reading {
  /** By which rules: from its Content-Type and X-Robots-Tag. By others, the same bytes have other links. */
  readonly readAs: string;
  /** All links of the page are known. */
  readonly isWhole: boolean;
}

/** What is known of a page that is read again. */
interface KnownReading extends Reading {
  readonly digest: Uint8Array | null;
  /** Why the last read failed, if it did. */
  readonly failure?: string | null | undefined;
}

export function readingOfVisit({ outcome, contentType, robotsTag }: Visit): Reading {
  return { readAs: rulesOf(contentType, robotsTag), isWhole: outcome === "downloaded" };
}

export function readingOf(answer: Answer, { linksUnknown }: Pick<PageContent, "linksUnknown">): Reading {
  return { readAs: rulesOfAnswer(answer), isWhole: linksUnknown === null };
}

function rulesOf(contentType: string | null, robotsTag: string | null): string {
  return `${bodyKind(contentType)} ${robotsTag ?? ""}`;
}

function rulesOfAnswer({ headers }: Answer): string {
  return rulesOf(headers["content-type"] ?? null, storedRobotsTag(headers["x-robots-tag"] ?? null));
}

/** The same bytes, which are to be read in the same way. */
export function isSame(page: KnownReading, digest: Uint8Array | null, answer: Answer): boolean {
  return page.readAs === rulesOfAnswer(answer) && areEqual(page.digest, digest);
}

function areEqual(a: Uint8Array | null, b: Uint8Array | null): boolean {
  if (a === null || b === null) return a === b;
  return a.length === b.length && a.every((byte, k) => byte === b[k]);
}

/**
 * Whether less was seen of a page than it had, which may be an accident: its rendering failed or is not complete, or
 * its connection was lost. If the next read sees no more, the page is believed to be so. A rendering that failed shows
 * nothing at all and is never believed.
 */
export function showsLess(
  { isWhole, failure }: KnownReading,
  { page, content, isRenderFailed }: FinishedPage,
): boolean {
  const { linksUnknown } = content;
  if (!isWhole || linksUnknown === null) return false;
  if (isRenderFailed) return true;
  const mayPass = linksUnknown === "not-rendered" || page.answer.truncatedBy === "disconnect";
  return mayPass && failure !== linksUnknown;
}
