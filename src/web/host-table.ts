/**
 * Values for hosts. A key is a host with or without its port, or `*.NAME` for all hosts below a name. Without a port, a
 * key is for every port.
 */
export class HostTable<T> {
  readonly #values: ReadonlyMap<string, T>;

  /** Keys as `canonicalHostKey` returns them. */
  constructor(values: Readonly<Record<string, T>>) {
    this.#values = new Map(Object.entries(values));
  }

  get size(): number {
    return this.#values.size;
  }

  /** The values for a host (with its port where it has one), the most specific key first. */
  lookup(host: string): T[] {
    if (this.size === 0) return [];
    const port = /:\d+$/.exec(host)?.[0] ?? "";
    const name = host.slice(0, host.length - port.length);
    const values: T[] = [];
    for (const key of keysOf(name)) {
      for (const each of port === "" ? [key] : [key + port, key]) {
        const value = this.#values.get(each);
        if (value !== undefined) values.push(value);
      }
    }
    return values;
  }
}

/** "a.b.example", "*.b.example", "*.example". */
function* keysOf(name: string): Iterable<string> {
  yield name;
  for (let dot = name.indexOf("."); dot !== -1; dot = name.indexOf(".", dot + 1)) yield `*${name.slice(dot)}`;
}

/** A key as the hosts of canonical URLs are written, without a default port; undefined for what is no key. */
export function canonicalHostKey(written: string): string | undefined {
  const [, star = "", name = "", port = ""] = /^(\*\.)?([^/?#@\\*\s]+?)(:\d+)?$/.exec(written) ?? [];
  const url = `http://${name}${port === ":443" ? "" : port}/`;
  return name !== "" && URL.canParse(url) ? `${star}${new URL(url).host}` : undefined;
}
