/** Bugs in the graph: how it is built, read, written, and to which hosts its pages belong. */
import type { Mutant } from "../mutant.ts";

const builder = "test/graph/builder.test.ts";
const hosts = "test/graph/hosts.test.ts";
const components = "test/graph/components.test.ts";
const codes = "test/graph/bv-codes.test.ts";
const bv = "test/graph/bv.test.ts";
const damage = "test/graph/bv-damage.test.ts";
const transposed = "test/graph/transpose.test.ts";
const arcs = "test/graph/arcs-text.test.ts";
const links = "test/graph/links.test.ts";
const spilled = "test/graph/spilled-links.test.ts";

export const graph: readonly Mutant[] = [
  {
    file: "src/graph/builder.ts",
    find: "if (source < this.#source) this.#ascending = false;",
    replace: "",
    plants: "Arcs of sources that come back stand in the wrong rows.",
    killedBy: [builder],
  },
  {
    file: "src/graph/builder.ts",
    find: "if (target > this.#idMax || target >>> 0 !== target) this.#admit(target);",
    replace: "if (target > this.#idMax) this.#admit(target);",
    plants: "A link to page -1 is taken.",
    killedBy: [builder],
  },
  {
    file: "src/graph/builder.ts",
    find: "if (runStarts[run + 1] === chunkStart + i) run++;",
    replace: "if (runStarts[run + 1] === i) run++;",
    plants: "Beyond the first chunk arcs are gathered into the wrong rows.",
    killedBy: [builder],
  },
  {
    file: "src/graph/builder.ts",
    find: "    this.#idMax = -1;\n    this.#ascending = true;\n  }",
    replace: "    this.#ascending = true;\n  }",
    plants: "A builder that is used again remembers its greatest id.",
    killedBy: [builder],
  },
  {
    file: "src/graph/builder.ts",
    find: "if (targets[i - 1] >= targets[i]) return false;",
    replace: "if (targets[i - 1] > targets[i]) return false;",
    plants: "Parallel links count twice.",
    killedBy: [builder],
  },
  {
    file: "src/graph/builder.ts",
    find: "if (arcs !== from) targets.copyWithin(arcs, from, end);",
    replace: "",
    plants: "Rows after one with parallel links are shifted.",
    killedBy: [builder],
  },
  {
    file: "src/graph/links.ts",
    find: "if (begin < 0) return -1;",
    replace: "if (begin < 0) return 0;",
    plants: "A page whose links were never added has none, which certifies too much.",
    killedBy: [links],
  },
  {
    file: "src/graph/graph.ts",
    find: "    offsets[page + 1] = kept;\n",
    replace: "    offsets[page + 1] = kept + 1;\n",
    plants: "Without self links each row is one too long.",
    killedBy: [transposed, builder, components],
  },
  {
    file: "src/graph/graph.ts",
    find: "for (let page = 0; page < pages; page++) offsets[page + 1] += offsets[page];",
    replace: "for (let page = 0; page < pages - 1; page++) offsets[page + 1] += offsets[page];",
    plants: "The last page has no in-links.",
    killedBy: [transposed],
  },
  {
    file: "src/graph/components.ts",
    find: "while (last < pages && r[stacks[last]] >= own) last++;",
    replace: "while (last < pages && r[stacks[last]] > own) last++;",
    plants: "Pages of one component end up in another.",
    killedBy: [components],
  },
  {
    file: "src/graph/hosts.ts",
    find: "if (!startsWith(bytes, at, this.#beginning, this.#beginningLength)) this.#lookUp(bytes, at);",
    replace: "if (!startsWith(bytes, at, this.#beginning, this.#beginningLength - 1)) this.#lookUp(bytes, at);",
    plants: "A host whose name goes on after another's is taken for it.",
    killedBy: [hosts],
  },
  {
    file: "src/graph/hosts.ts",
    find: 'return host === "" ? undefined : host;',
    replace: "return host;",
    plants: "A URL without a host has the empty one.",
    killedBy: [hosts],
  },
  {
    file: "src/graph/hosts.ts",
    find: "if (length !== pages) {",
    replace: "if (length < pages) {",
    plants: "More URLs than pages are taken without a word.",
    killedBy: [hosts],
  },
  {
    file: "src/web/url.ts",
    find: "return getDomain(name) ?? name;",
    replace: 'return getDomain(name) ?? "";',
    plants: "All addresses are one domain.",
    killedBy: [hosts],
  },
  {
    file: "src/graph/graph.ts",
    find: 'typeof SharedArrayBuffer === "undefined" ? ArrayBuffer : SharedArrayBuffer',
    replace: "ArrayBuffer",
    plants: "Threads work on copies of what they should share.",
    killedBy: [hosts],
  },
  {
    file: "src/graph/lines.ts",
    find: "if (chunk[i] === LF || (chunk[i] === CR && i + 1 < chunk.length)) return i + 1;",
    replace: "if (chunk[i] === LF || chunk[i] === CR) return i + 1;",
    plants: "A CRLF that is cut between two chunks makes two lines of one.",
    killedBy: [arcs, hosts],
  },
  {
    file: "src/graph/bv/bit-reader.ts",
    find: "if (width > 12) return this.#below(this.#unary());",
    replace: "if (width > 13) return this.#below(this.#unary());",
    plants: "Gamma codes of 27 bits are read from 25 good ones.",
    killedBy: [codes, bv],
  },
  {
    file: "src/graph/bv/bit-reader.ts",
    find: "if (h + width > 23) return this.#longZeta();",
    replace: "if (h + width > 25) return this.#longZeta();",
    plants: "Zeta codes of 27 bits are read from 25 good ones.",
    killedBy: [codes, bv],
  },
  {
    file: "src/graph/bv/bit-reader.ts",
    find: "if (this.position > 8 * this.#bytes) this.#truncated();",
    replace: "",
    plants: "A graph that ends inside its last row is taken for whole.",
    killedBy: [codes, damage],
  },
  {
    file: "src/graph/bv/bit-writer.ts",
    find: "if (width > 32) this.#bits(0, width - 32);",
    replace: "",
    plants: "Zeta codes of more than 32 bits are written too short.",
    killedBy: [codes],
  },
  {
    file: "src/graph/bv/bit-writer.ts",
    find: "this.#word = rest === 0 ? 0 : value << this.#free;",
    replace: "this.#word = value << this.#free;",
    plants: "A code that ends with a word leaves its bits in the next.",
    killedBy: [codes, bv],
  },
  {
    file: "src/graph/bv/row-decoder.ts",
    find: "if (reference > this.#page) this.#damaged(",
    replace: "if (reference > this.#pages) this.#damaged(",
    plants: "A damaged row copies from before the first page.",
    killedBy: [damage, bv],
  },
  {
    file: "src/graph/bv/row-decoder.ts",
    find: "if (link >= this.#pages) this.#damaged(",
    replace: "if (link > this.#pages) this.#damaged(",
    plants: "A link one past the last page is taken.",
    killedBy: [damage, bv],
  },
  {
    file: "src/graph/bv/row-decoder.ts",
    find: "if (old >= at && row[old] === link) return false;",
    replace: "",
    plants: "A link that is copied and written again counts twice.",
    killedBy: [damage, bv],
  },
  {
    file: "src/graph/bv/encode.ts",
    find: "window.chain(source) >= maxRefCount",
    replace: "window.chain(source) > maxRefCount",
    plants: "Chains of references are one longer than asked for.",
    killedBy: [bv],
  },
  {
    file: "src/graph/bv/encode.ts",
    find: "if (this.#counter.bits < leastBits) {",
    replace: "if (this.#counter.bits <= leastBits) {",
    plants: "Of equally short rows the farthest reference is taken, unlike WebGraph.",
    killedBy: [bv],
  },
  {
    file: "src/graph/bv/encode.ts",
    find: "reference === 0 ? 0 : this.#window.chain(page - reference) + 1",
    replace: "reference === 0 ? 0 : 1",
    plants: "Chains of references grow without limit.",
    killedBy: [bv],
  },
  {
    file: "src/graph/bv/decode.ts",
    find: "this.#passed[passed] <= page",
    replace: "this.#passed[passed] < page",
    plants: "The first row beyond half a gigabyte is looked for at the start of the file.",
    killedBy: [bv],
  },
  {
    file: "src/graph/links.ts",
    find: "this.#at = chunk.length > this.#chunkBytes ? chunk.length : at;",
    replace: "this.#at = at;",
    plants: "A row behind one that is longer than a chunk is sought in the next chunk.",
    killedBy: [links],
  },
  {
    file: "src/graph/links.ts",
    find: "    this.#at = chunk.length > this.#chunkBytes ? chunk.length : at;\n    this.#rowPage = -1;\n",
    replace: "    this.#at = chunk.length > this.#chunkBytes ? chunk.length : at;\n",
    plants: "A page that is set again has its old links for whoever read it last.",
    killedBy: [links],
  },
  {
    file: "src/graph/links.ts",
    find: "    // A row that cannot be read is that of no page.\n    this.#rowPage = -1;\n",
    replace: "    this.#rowPage = page;\n",
    plants: "A page whose links could not be read has none when it is read again, which certifies too much.",
    killedBy: [spilled],
  },
  {
    file: "src/graph/links.ts",
    find: "const { bytes, at } = this.#find(begin, NUMBER_BYTES_MAX * (count + 1));",
    replace: "const { bytes, at } = this.#find(begin, NUMBER_BYTES_MAX * count);",
    plants: "Of a row that crosses two blocks of the file the last link may be missing.",
    killedBy: [spilled],
  },
];
