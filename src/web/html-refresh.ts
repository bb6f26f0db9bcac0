/**
 * The URL of `<meta http-equiv=refresh content="5; url=/next">`: the HTML standard's "shared declarative refresh steps",
 * step by step. Null when the content is no refresh, or one of the page itself.
 */

export interface Refresh {
  /** As written, to be resolved against the page's base; null refreshes the page itself. */
  readonly url: string | null;
}

/** Null where the standard returns before it has a time: then a later element may still refresh the page. */
export function readRefresh(content: string): Refresh | null {
  const time = /^[\t\n\f\r ]*(?:[0-9]+[0-9.]*|\.[0-9.]*)/.exec(content)?.[0];
  if (time === undefined) return null;
  let rest = content.slice(time.length);
  if (rest === "") return { url: null };
  if (!/^[;,\t\n\f\r ]/.test(rest)) return null;
  rest = rest.replace(/^[\t\n\f\r ]*[;,]?[\t\n\f\r ]*/, "");
  if (rest === "") return { url: null };
  // "url=" may be spelt out; without its equals sign the letters belong to the URL.
  rest = rest.replace(/^url[\t\n\f\r ]*=[\t\n\f\r ]*/i, "");
  const quote = rest[0];
  if (quote === '"' || quote === "'") {
    const end = rest.indexOf(quote, 1);
    rest = end < 0 ? rest.slice(1) : rest.slice(1, end);
  }
  return { url: rest };
}
