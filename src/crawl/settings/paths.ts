/** Values inside of plain documents, by paths such as "limits.pages". */

export type Plain = { [key: string]: unknown };

export function valueAt(document: unknown, path: string): unknown {
  let value = document;
  for (const key of path.split(".")) value = isPlain(value) ? value[key] : undefined;
  return value;
}

/** What lies on the way is created; undefined takes a value away. */
export function place(document: Plain, path: string, value: unknown): void {
  const keys = path.split(".");
  const last = keys.pop() ?? "";
  let inner = document;
  for (const key of keys) {
    const next = inner[key];
    inner = isPlain(next) ? next : ((inner[key] = {}) as Plain);
  }
  if (value === undefined) delete inner[last];
  else inner[last] = value;
}

export function isPlain(value: unknown): value is Plain {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
