/** What crawlers report about pages, in words that several formats share. */
import { isHtml, isVague } from "../web/index.ts";

/** Whether a page of this type has no links, as in a crawl: its type is known, and it is no HTML. */
export function isLinkless(contentType: string | null): boolean {
  return contentType !== null && !isVague(contentType) && !isHtml(contentType, new Uint8Array());
}

/** "line 7 is", "line 7 and 2 more are". */
export function oddLines(numbers: readonly number[]): string {
  return `line ${numbers[0]}${numbers.length === 1 ? " is" : ` and ${numbers.length - 1} more are`}`;
}
