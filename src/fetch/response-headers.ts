/** Raw header bytes to a record: names in lower case, repeated ones joined by ", ". */

/** Where a list makes no sense the first one holds: a Location of two URLs would be none. */
const single = new Set([
  "location",
  "content-type",
  "content-length",
  "etag",
  "last-modified",
  "date",
  "retry-after",
]);

/** `raw` is name and value in turn; HTTP/2 gives a list of values where a name came more than once. */
export function headerRecord(
  raw: readonly (Buffer | string | readonly (Buffer | string)[])[],
): Record<string, string> {
  // No prototype: a header may be called "constructor".
  const headers: Record<string, string> = Object.create(null);
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = latin1(raw[i]).toLowerCase();
    const value = latin1(raw[i + 1]);
    const before = headers[name];
    if (before === undefined) headers[name] = value;
    else if (!single.has(name)) headers[name] = `${before}, ${value}`;
  }
  return headers;
}

function latin1(value: Buffer | string | readonly (Buffer | string)[] | undefined): string {
  if (value === undefined || typeof value === "string") return value ?? "";
  return Buffer.isBuffer(value) ? value.toString("latin1") : value.map(latin1).join(", ");
}
