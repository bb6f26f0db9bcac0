/** Bugs in what everything uses: queues, tables, chance, numbers as people read them. */
import type { Mutant } from "../mutant.ts";

const heap = "test/base/indexed-heap.test.ts";
const ids = "test/base/id-table.test.ts";
const coldHeap = "test/base/cold-heap.test.ts";
const queue = "test/base/int-queue.test.ts";
const timed = "test/base/timed-queue.test.ts";
const table = "test/base/fingerprint-table.test.ts";
const segments = "test/base/fingerprint-segment.test.ts";
const random = "test/base/random.test.ts";
const format = "test/base/format.test.ts";
const nearest = "test/base/nearest.test.ts";
const texts = "test/base/text-table.test.ts";

export const base: readonly Mutant[] = [
  {
    file: "src/base/text-table.ts",
    find: "    if (this.#ends[number] - from !== end - start) return false;\n",
    replace: "",
    plants: "A text is taken for one that begins with it.",
    killedBy: [texts],
  },
  {
    file: "src/base/text-table.ts",
    find: "      while (slots[slot] !== 0) slot = (slot + 1) & mask;\n",
    replace: "",
    plants: "Texts that meet in one slot are lost when the table grows.",
    killedBy: [texts],
  },
  {
    file: "src/base/indexed-heap.ts",
    find: "for (let place = (this.#size - 2) >> 2; place >= 0; place--) {",
    replace: "for (let place = (this.#size - 2) >> 2; place > 0; place--) {",
    plants: "When all keys change, the first id stays first.",
    killedBy: [heap],
  },
  {
    file: "src/base/indexed-heap.ts",
    find: "    this.#settle(this.#places[id] - 1, id, key);",
    replace: "    this.#rise(this.#places[id] - 1, id, key);",
    plants: "An id whose key has fallen stays where it was.",
    killedBy: [heap],
  },
  {
    file: "src/base/indexed-heap.ts",
    find: "if (parentKey === key && this.#order.isEarlier(parentId, id)) break;",
    replace: "if (parentKey === key) break;",
    plants: "An id that comes back with an equal key has lost its place.",
    killedBy: [heap],
  },
  {
    file: "src/base/indexed-heap.ts",
    find: "else if (keys[child] === keys[best] && this.#order.isEarlier(ids[child], ids[best])) best = child;",
    replace: "",
    plants: "Of equal keys any leaves first.",
    killedBy: [heap],
  },
  {
    file: "src/base/arrivals.ts",
    find: "    if (this.#known.has(id)) return;\n",
    replace: "",
    plants: "An id that leaves and comes back is taken for a new one.",
    killedBy: [heap],
  },
  {
    file: "src/base/indexed-heap.ts",
    find: "if (place > 0 && this.#before(id, key, this.#ids[parent], this.#keys[parent])) this.#rise(place, id, key);\n    else ",
    replace: "",
    plants: "An id that fills a gap stays below smaller keys.",
    killedBy: [heap],
  },
  {
    file: "src/base/arrivals.ts",
    find: "this.#places[id] = this.#count++;",
    replace: "this.#places[id] = this.#count++ - this.#latest - 1;",
    plants: "The first id out of order counts as the earliest of all.",
    killedBy: [heap],
  },
  {
    file: "src/base/arrivals.ts",
    find: "if (id >= this.#places.length) this.#places = enlarged(this.#places, capacityFor(id + 1, this.#places.length));",
    replace: "",
    plants: "A heap that grows forgets which new id came first.",
    killedBy: [heap],
  },
  {
    file: "src/base/queues.ts",
    find: "    this.#head = 0;\n",
    replace: "",
    plants: "A queue that doubles loses its first number.",
    killedBy: [queue],
  },
  {
    file: "src/base/queues.ts",
    find: "(a.timeMs === b.timeMs && a.arrival < b.arrival)",
    replace: "(a.timeMs === b.timeMs && a.arrival > b.arrival)",
    plants: "Of equal times the last to come leaves first.",
    killedBy: [timed],
  },
  {
    file: "src/base/queues.ts",
    find: "if (top === undefined || top.timeMs > nowMs) return undefined;",
    replace: "if (top === undefined || top.timeMs >= nowMs) return undefined;",
    plants: "What is due now is not due.",
    killedBy: [timed],
  },
  {
    file: "src/base/cold-heap.ts",
    find: "    this.#arrivals.note(id);\n    return",
    replace: "    return",
    plants: "Of equal keys, a new id with a smaller number leaves before one that came earlier and is hot.",
    killedBy: [coldHeap],
  },
  {
    file: "src/base/cold-heap.ts",
    find: "if (key !== this.#levelKey) return key < this.#levelKey;",
    replace: "if (key !== this.#levelKey) return key < this.#levelKey - 1;",
    plants: "A page a little below the level is hot, and may leave before better ones.",
    killedBy: [coldHeap],
  },
  {
    file: "src/base/cold-heap.ts",
    find: "if (this.#coldCount > 0 && this.#cold.has(id)) this.#unchill(id);\n    this.#hot.raise",
    replace: "this.#hot.raise",
    plants: "A page that becomes hot by itself waits twice.",
    killedBy: [coldHeap, "test/order/cold.test.ts"],
  },
  {
    file: "src/base/cold-heap.ts",
    find: "      if (!isKept) this.#chill(id);\n",
    replace: "",
    plants: "Pages that become cold are lost.",
    killedBy: [coldHeap, "test/order/cold.test.ts"],
  },
  {
    file: "src/base/fingerprint-segment.ts",
    find: "return 2 ** (bits - 1 - SEGMENT_BITS);",
    replace: "return 2 ** (bits - 2 - SEGMENT_BITS);",
    plants:
      "Two fingerprints in one slot may have the same stored bits, where a segment has few entries for its numbers.",
    killedBy: [segments],
  },
  {
    file: "src/base/fingerprint-segment.ts",
    find: "Math.max(before.slots, slots, slotsMin(this.#bits))",
    replace: "Math.max(before.slots, slots)",
    plants: "A segment whose numbers grow stores too few bits for its slots.",
    killedBy: [segments],
  },
  {
    file: "src/base/fingerprint-segment.ts",
    find: " && this.#bytes[slot] === (low & 0xff)",
    replace: "",
    plants: "Two things whose fingerprints differ in the last bits are one.",
    killedBy: [table],
  },
  {
    file: "src/base/fingerprint-segment.ts",
    find: " && (entry ^ rest) >>> bits === 0",
    replace: "",
    plants: "Two things whose fingerprints differ in some bits of the second half are one.",
    killedBy: [table],
  },
  {
    file: "src/base/fingerprint-segment.ts",
    find: "    while ((words[2 * free + 1] & numberMask) !== 0) free++;\n",
    replace: "",
    plants: "A thing drives another out of its slot.",
    killedBy: [table],
  },
  {
    file: "src/base/fingerprint-segment.ts",
    find: "if (free - home >= REACH && !this.#mayMove(slot, free, home)) return false;",
    replace: "",
    plants: "Things lie farther from their home than their stored bits tell.",
    killedBy: [table],
  },
  {
    file: "src/base/fingerprint-segment.ts",
    find: "((words[2 * slot - 2] - key) | 0) <= 0;",
    replace: "true;",
    plants: "When a segment is written anew with more bits for numbers, things that were equal in order are lost.",
    killedBy: [table],
  },
  {
    file: "src/base/bytes.ts",
    find: "if (needed > room) this.#bytes.copyWithin(this.#at + needed, this.#at + room, this.#at + room + length);",
    replace: "",
    plants: "A text whose length takes more room than its characters do begins one byte too early.",
    killedBy: ["test/base/bytes.test.ts"],
  },
  {
    file: "src/base/random.ts",
    find: "this.#b = mix32(seed + 0x9e3779b9 + mix32(stream));",
    replace: "this.#b = mix32(seed + 0x9e3779b9);",
    plants: "Seeds that were printed give other numbers than before.",
    killedBy: [random],
  },
  {
    file: "src/base/random.ts",
    find: "return Math.floor(this.float() * bound);",
    replace: "return Math.round(this.float() * bound);",
    plants: "A number may be drawn that is not below its bound.",
    killedBy: [random],
  },
  {
    file: "src/base/random.ts",
    find: "    this.#places[last] = place;\n",
    replace: "",
    plants: "An id that takes another's place in a random set is lost when it leaves.",
    killedBy: ["test/order/contract.test.ts", "test/rank/opic.test.ts"],
  },
  {
    file: "src/base/format.ts",
    find: 'return `${whole}.${fraction.slice(0, digits).padEnd(digits, "0")}`;',
    replace: "return value.toFixed(digits);",
    plants: "Coverage is rounded up.",
    killedBy: [format],
  },
  {
    file: "src/base/format.ts",
    find: 'const text = shortest.includes("e") ? value.toFixed(20) : shortest;',
    replace: "const text = shortest;",
    plants: "A coverage of a hair is shown as a large one.",
    killedBy: [format],
  },
  {
    file: "src/base/format.ts",
    find: "if (seconds < 59.95) return",
    replace: "if (seconds < 60) return",
    plants: "Nearly a minute is shown as 60 s.",
    killedBy: [format],
  },
  {
    file: "src/base/format.ts",
    find: "if (distance < bestDistance) {",
    replace: "if (distance <= bestDistance) {",
    plants: "A word that is too far away is proposed.",
    killedBy: [nearest],
  },
  {
    file: "src/base/id-table.ts",
    find: "if (((at - home) & mask) < ((at - gap) & mask)) continue;",
    replace: "",
    plants: "An id that is moved forward, before its home, is not found again.",
    killedBy: [ids],
  },
  {
    file: "src/base/cold-heap.ts",
    find: "      sparse.raise(id, key);\n",
    replace: "",
    plants: "Hot ids are lost where there are too many ids for places of their own.",
    killedBy: [coldHeap],
  },
];
