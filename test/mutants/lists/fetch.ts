/** Bugs in reading replies: one that a server can use against us, or one that loses a page that curl reads. */
import type { Mutant } from "../mutant.ts";

const lenient = "test/fetch/lenient-http.test.ts";

export const fetch: readonly Mutant[] = [
  {
    file: "src/fetch/lenient-http.ts",
    find: "if (this.#deviates || end < edits.bytes.length) return",
    replace: "if (end < edits.bytes.length) return",
    plants: "A connection is used again after a reply against the rules.",
    killedBy: [lenient],
  },
  {
    file: "src/fetch/lenient-http.ts",
    find: "if (this.#deviates || end < edits.bytes.length) return",
    replace: "if (this.#deviates) return",
    plants: "What a server sends behind a reply is taken for the next one.",
    killedBy: [lenient],
  },
  {
    file: "src/fetch/lenient-http.ts",
    find: "      if (framing.deviates) this.#deviates = true;\n",
    replace: "",
    plants: "A connection is used again after chunks against the rules.",
    killedBy: [lenient],
  },
  {
    file: "src/fetch/lenient-http.ts",
    find: 'else if (this.#earlier !== "") edits.replace(start, start, this.#earlier);',
    replace: "",
    plants: "A head that comes in pieces loses the first ones.",
    killedBy: [lenient],
  },
  {
    file: "src/fetch/lenient-http.ts",
    find: "size > HEADERS_BYTES_MAX",
    replace: "size >= HEADERS_BYTES_MAX",
    plants: "A head of exactly the limit is not read.",
    killedBy: [lenient],
  },
  {
    file: "src/fetch/lenient-http.ts",
    find: 'if (this.#state === "ended") return false;\n    this.#state = "ended";',
    replace: 'this.#state = "ended";',
    plants: "A stream is ended twice, which throws where nobody catches.",
    killedBy: [lenient],
  },
  {
    file: "src/fetch/response-head.ts",
    find: 'if (framing !== "close") return null;',
    replace: "",
    plants: "A length beside chunks goes through to the strict parser.",
    killedBy: [lenient],
  },
  {
    file: "src/fetch/response-head.ts",
    find: "if (Number.isSafeInteger(Number(digits))) length",
    replace: "length",
    plants: "A body with a length beyond all numbers is never complete.",
    killedBy: [lenient],
  },
  {
    file: "src/fetch/response-head.ts",
    find: "rewritten, deviates: false };",
    replace: "rewritten, deviates: true };",
    plants: "A connection is given up after each 304.",
    killedBy: [lenient],
  },
  {
    file: "src/fetch/response-head.ts",
    find: "if (digits === undefined) return null;",
    replace: "if (digits === undefined) continue;",
    plants: "A length that is no number is overlooked.",
    killedBy: [lenient],
  },
  {
    file: "src/fetch/response-head.ts",
    find: '|| lines.some((line) => line.includes("\\0"))) return null;',
    replace: ") return null;",
    plants: "A zero byte in a header is read over.",
    killedBy: [lenient],
  },
  {
    file: "src/fetch/chunk-framing.ts",
    find: 'this.#lineEnd = "\\n";',
    replace: 'this.#lineEnd = "\\r\\n";',
    plants: "A carriage return within a size line is written twice.",
    killedBy: [lenient],
  },
  {
    file: "src/fetch/chunk-framing.ts",
    find: "this.#inTrailer = lineFeed < 0;",
    replace: "",
    plants: "A trailer that comes in pieces is taken for the end.",
    killedBy: [lenient],
  },
  {
    file: "src/fetch/chunk-framing.ts",
    find: "this.#trailerBytes > HEADERS_BYTES_MAX",
    replace: "this.#trailerBytes > HEADERS_BYTES_MAX + 1",
    plants: "Trailers are read one byte beyond the limit.",
    killedBy: [lenient],
  },
  {
    file: "src/fetch/proxies.ts",
    find: "if (result[0] === null) readLeniently(result[1]);",
    replace: "",
    plants: "Behind a proxy, replies against the rules are refused.",
    killedBy: [lenient],
  },
];
