/**
 * One part of a table of fingerprints: numbers of entries by 64-bit fingerprints whose first bits are the same, in 9
 * bytes per slot.
 *
 * Linear probing in order of the fingerprints (Robin Hood hashing; Celis, Larson, Munro 1985): an entry lies in its
 * home slot, which follows from the first half of its fingerprint, or at most 62 slots behind it. So a slot tells in
 * which small part of all fingerprints its entry is, and the upper bits need not be stored (quotienting; Cleary 1984).
 * With b bits for the number of an entry, the lower R = 72 - b bits are stored:
 *
 *     words[2 slot]        bits: the order of entries, compared modulo 2^32
 *     words[2 slot + 1]    bits 8 to R-33, and in the lower b bits the number of the entry plus one; 0 if it is free
 *     bytes[slot]          bits 0 to 7
 *
 * Invariant: 64 homes cover at most half of 2^R fingerprints (`slotsMin`). So of an entry and one that is looked for
 * there, the stored bits tell whether they are the same, and which comes first. Nothing of the 64 bits is given up.
 */
import type { SegmentArrays, SegmentCopy, SegmentMemory } from "./segment-memory.ts";

/** So many first bits of the fingerprints of a segment are the same. */
export const SEGMENT_BITS = 6;
/** Numbers of entries are smaller than 2 to this power less 2. */
export const NUMBER_BITS_MAX = 31;
const NUMBER_BITS_MIN = 10;
const LOCAL_BITS = 32 - SEGMENT_BITS;
const LOCAL_MASK = 2 ** LOCAL_BITS - 1;
const LOCAL_UNIT = 2 ** -LOCAL_BITS;
/** An entry lies in one of so many slots from its home on; there are as many behind the last home. */
const REACH = 63;
/** The share of slots in use, at most: beyond it probing takes long. */
const LOAD_MAX = 0.9;
/** By how much a segment is enlarged. */
const GROWTH = 1.1;
/** With fewer in use it is not for lack of slots that there is no room within the reach of a home. */
const LOAD_CROWDED = 0.5;

export class FingerprintSegment {
  /** The bits that all fingerprints here begin with, as the high half of one. */
  readonly #first: number;
  /** Between 0 and 1, another for each segment: so they are not all full at the same time. */
  readonly #phase: number;
  #count = 0;
  #slots: number;
  #bits: number;
  readonly #memory: SegmentMemory;
  readonly #copy: SegmentCopy;
  /** Longer than what is in use. */
  #words: Uint32Array = new Uint32Array(0);
  #bytes: Uint8Array = new Uint8Array(0);
  /** Entries for which there is no room within the reach of their home: none, unless somebody chose them so. */
  #crowded: Map<string, number> | undefined;

  /** Without arrays: the memory is enlarged before the first entry. */
  constructor(segment: number, { memory, copy, count, size }: Room & SegmentRooms) {
    this.#first = (segment << LOCAL_BITS) >>> 0;
    this.#phase = segment / 2 ** SEGMENT_BITS;
    this.#memory = memory;
    this.#copy = copy;
    memory.add(this);
    this.#bits = numberBitsFor(size);
    this.#slots = Math.max(slotsFor(count, this.#phase), slotsMin(this.#bits));
  }

  /** With those behind the last home. */
  get slots(): number {
    return this.#slots + REACH;
  }

  /** Goes on in other arrays, which are longer and empty. */
  move({ words, bytes }: SegmentArrays): void {
    words.set(this.#words.subarray(0, Math.min(2 * this.slots, this.#words.length)));
    bytes.set(this.#bytes.subarray(0, Math.min(this.slots, this.#bytes.length)));
    this.#words = words;
    this.#bytes = bytes;
  }

  /** The number of an entry; -1 if it is unknown. */
  find(high: number, low: number): number {
    const words = this.#words;
    const bits = this.#bits;
    const numberMask = lowBits(bits);
    const key = keyOf(high, low, bits);
    const rest = restOf(low, bits);
    for (let slot = this.#homeOf(high); ; slot++) {
      const entry = words[2 * slot + 1];
      const number = entry & numberMask;
      const difference = (words[2 * slot] - key) | 0;
      if (number === 0 || difference > 0) return this.#crowded?.get(textOf(high, low)) ?? -1;
      if (difference === 0 && (entry ^ rest) >>> bits === 0 && this.#bytes[slot] === (low & 0xff)) return number - 1;
    }
  }

  /** Adds an entry that is not here yet. */
  add(high: number, low: number, number: number): void {
    const isFull = this.#count >= LOAD_MAX * this.#slots || number >= lowBits(this.#bits);
    if (isFull) this.#enlarge(slotsFor(this.#count), number + 1);
    if (this.#insert(high, low, number)) return;
    if (this.#count > LOAD_CROWDED * this.#slots) this.#enlarge(Math.ceil(GROWTH * this.#slots), number + 1);
    this.#insertOrCrowd(high, low, number);
  }

  reserve({ count, size }: Room): void {
    const isEnough = count <= LOAD_MAX * this.#slots && size <= lowBits(this.#bits);
    if (!isEnough) this.#enlarge(slotsFor(count, this.#phase), size);
  }

  #insertOrCrowd(high: number, low: number, number: number): boolean {
    if (this.#insert(high, low, number)) return true;
    this.#crowded ??= new Map();
    this.#crowded.set(textOf(high, low), number);
    return false;
  }

  /** Enters an entry among those around its home. False if it, or one that gives way to it, would lie out of reach. */
  #insert(high: number, low: number, number: number): boolean {
    const words = this.#words;
    const bytes = this.#bytes;
    const bits = this.#bits;
    const numberMask = lowBits(bits);
    const key = keyOf(high, low, bits);
    const home = this.#homeOf(high);
    let slot = home;
    while ((words[2 * slot + 1] & numberMask) !== 0 && ((words[2 * slot] - key) | 0) <= 0) slot++;
    let free = slot;
    while ((words[2 * free + 1] & numberMask) !== 0) free++;
    // The homes of those that give way are not before that of the entry.
    if (free - home >= REACH && !this.#mayMove(slot, free, home)) return false;
    for (let to = free; to > slot; to--) {
      words[2 * to] = words[2 * to - 2];
      words[2 * to + 1] = words[2 * to - 1];
      bytes[to] = bytes[to - 1];
    }
    words[2 * slot] = key;
    words[2 * slot + 1] = restOf(low, bits) | (number + 1);
    bytes[slot] = low;
    this.#count++;
    return true;
  }

  #mayMove(slot: number, free: number, home: number): boolean {
    if (slot - home >= REACH) return false;
    const layout = this.#layout;
    for (let from = slot; from < free; from++) {
      const high = highOf(this.#words[2 * from], from, layout);
      if (from + 1 - this.#homeOf(high) >= REACH) return false;
    }
    return true;
  }

  /** Writes all entries anew, into at least so many slots and with room for the numbers of `size` entries. */
  #enlarge(slots: number, size: number): void {
    const before = this.#layout;
    const words = this.#words.subarray(0, 2 * this.slots);
    this.#copy.take({ words, bytes: this.#bytes.subarray(0, this.slots) });
    this.#bits = Math.max(before.bits, numberBitsFor(size));
    this.#slots = Math.max(before.slots, slots, slotsMin(this.#bits));
    if (this.slots > this.#bytes.length) this.#memory.enlarge(2 * this.slots);
    this.#words.fill(0, 0, 2 * this.slots);
    this.#count = 0;
    this.#writeAnew(this.#copy, before);
  }

  /** Entries come in their order, so each lies behind the one before it, unless another layout orders them anew. */
  #writeAnew({ words: wordsBefore, bytes: bytesBefore }: SegmentArrays, before: Layout): void {
    const words = this.#words;
    const bytes = this.#bytes;
    const bits = this.#bits;
    const numberMask = lowBits(before.bits);
    let next = 0;
    for (let slotBefore = 0; slotBefore < before.slots + REACH; slotBefore++) {
      const entry = wordsBefore[2 * slotBefore + 1];
      const number = entry & numberMask;
      if (number === 0) continue;
      const keyBefore = wordsBefore[2 * slotBefore];
      const high = highOf(keyBefore, slotBefore, before);
      const low = ((keyBefore << (40 - before.bits)) | ((entry >>> before.bits) << 8) | bytesBefore[slotBefore]) >>> 0;
      const key = keyOf(high, low, bits);
      const home = this.#homeOf(high);
      const slot = Math.max(home, next);
      const isInOrder = slot > next || next === 0 || ((words[2 * slot - 2] - key) | 0) <= 0;
      if (slot - home < REACH && isInOrder) {
        words[2 * slot] = key;
        words[2 * slot + 1] = restOf(low, bits) | number;
        bytes[slot] = low;
        this.#count++;
        next = slot + 1;
      } else if (this.#insertOrCrowd(high, low, number - 1)) next++;
    }
  }

  get #layout(): Layout {
    const slots = this.#slots;
    return { first: this.#first, slots, homeSize: 1 / (LOCAL_UNIT * slots), bits: this.#bits };
  }

  /** Exact: the product is below 2^53. */
  #homeOf(high: number): number {
    return ((high & LOCAL_MASK) * this.#slots * LOCAL_UNIT) | 0;
  }
}

/** Room for so many entries in a segment, and in all of them. */
export interface Room {
  readonly count: number;
  readonly size: number;
}

interface SegmentRooms {
  readonly memory: SegmentMemory;
  readonly copy: SegmentCopy;
}

/** How entries were stored. */
interface Layout {
  readonly first: number;
  readonly slots: number;
  /** How many high halves have the same home. */
  readonly homeSize: number;
  readonly bits: number;
}

function lowBits(bits: number): number {
  return 0xffffffff >>> (32 - bits);
}

function keyOf(high: number, low: number, bits: number): number {
  return (high << (bits - 8)) | (low >>> (40 - bits));
}

function restOf(low: number, bits: number): number {
  return (low >>> 8) << bits;
}

/** The high half of the fingerprint in a slot: the only one with these lower bits whose home is near. */
function highOf(key: number, slot: number, { first, homeSize, bits }: Layout): number {
  const least = first + ((Math.max(0, slot - REACH) * homeSize) | 0);
  return (least + (((key >>> (bits - 8)) - least) & lowBits(40 - bits))) >>> 0;
}

function numberBitsFor(size: number): number {
  return Math.max(NUMBER_BITS_MIN, 32 - Math.clz32(Math.min(2 ** NUMBER_BITS_MAX - 1, GROWTH * size + 1)));
}

/** With fewer slots two entries that may lie in one slot could have the same stored bits. */
function slotsMin(bits: number): number {
  return 2 ** (bits - 1 - SEGMENT_BITS);
}

/** With phase 0 they are full then, with phase 1 as far from it as after an enlargement. */
function slotsFor(count: number, phase = 1): number {
  return Math.ceil((count / LOAD_MAX) * GROWTH ** phase);
}

function textOf(high: number, low: number): string {
  return `${high} ${low}`;
}
