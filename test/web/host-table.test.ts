/** Values for hosts: which keys are for a host, the most specific first. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalHostKey, HostTable } from "../../src/web/index.ts";

const label = fc.constantFrom("a", "b", "c");
const name = fc.array(label, { minLength: 1, maxLength: 3 }).map((labels) => labels.join("."));
const port = fc.constantFrom("", ":8080", ":81");
const host = fc.tuple(name, port).map(([each, suffix]) => each + suffix);
const key = fc.tuple(fc.constantFrom("", "*."), host).map(([star, each]) => star + each);

/** By the words of the documentation, with no table. */
function isFor(written: string, wanted: string): boolean {
  const [keyName, keyPort] = written.split(":");
  const [hostName, hostPort] = wanted.split(":");
  if (keyPort !== undefined && keyPort !== hostPort) return false;
  return keyName.startsWith("*.") ? hostName.endsWith(keyName.slice(1)) : hostName === keyName;
}

describe("a table of hosts", () => {
  it("finds all keys that are for a host, and no others", () => {
    fc.assert(
      fc.property(fc.uniqueArray(key, { maxLength: 20 }), host, (keys, wanted) => {
        const table = new HostTable(Object.fromEntries(keys.map((each) => [each, each])));
        expect(table.lookup(wanted).toSorted()).toEqual(keys.filter((each) => isFor(each, wanted)).toSorted());
      }),
    );
  });

  it("names the most specific key first", () => {
    const keys = ["*.example", "*.b.example:81", "a.b.example", "*.b.example", "a.b.example:81", "*.example:81"];
    const table = new HostTable(Object.fromEntries(keys.map((each) => [each, each])));
    expect(table.lookup("a.b.example:81")).toEqual([
      "a.b.example:81",
      "a.b.example",
      "*.b.example:81",
      "*.b.example",
      "*.example:81",
      "*.example",
    ]);
    expect(table.lookup("b.example")).toEqual(["*.example"]);
    expect(table.lookup("example")).toEqual([]);
  });
});

describe("a host as people write it", () => {
  it.each([
    ["WWW.Example.com", "www.example.com"],
    ["*.Bücher.example", "*.xn--bcher-kva.example"],
    ["example.com:8080", "example.com:8080"],
    ["example.com:443", "example.com"],
    ["example.com:80", "example.com"],
    ["[::1]:8080", "[::1]:8080"],
    ["127.1", "127.0.0.1"],
  ])("%s is %s", (written, canonical) => expect(canonicalHostKey(written)).toBe(canonical));

  it.each(["", "*", "*.", "https://example.com", "example.com/a", "a b", "user@example.com", "a.*.example", "a:99999"])(
    "%j is none",
    (written) => expect(canonicalHostKey(written)).toBeUndefined(),
  );
});
