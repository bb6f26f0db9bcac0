/**
 * The names of the elements that matter to a reader of links, found without making a string of the name.
 *
 * The first six letters, five bits each, are a key into a small table. The name found there is compared letter by
 * letter, so a collision with a name that is not listed costs one comparison. When the table is built, an assertion
 * ensures that no two listed names collide.
 */

import { assert } from "../base/index.ts";

/** Positions in the list are the ids; 0 is every element that is not listed. */
const NAMES: readonly string[] = (
  " a area iframe base link meta title script style noframes textarea xmp noembed noscript template select svg math " +
  "col frameset plaintext html head basefont bgsound body br option optgroup hr"
).split(" ");

const KEY_LETTERS = 6;
const TABLE_SIZE = 1 << 10;
const table = makeTable();

/** The id of a listed name, for `switch` and comparison. */
export function nameId(name: string): number {
  const id = NAMES.indexOf(name);
  assert(id > 0, `${name} is listed`);
  return id;
}

export function nameOfId(id: number): string {
  return NAMES[id];
}

/** The id of the name that starts at `start` and ends before `end`, in any case; 0 when it is not listed. */
export function findName(text: string, start: number, end: number): number {
  let key = 0;
  const last = end - start < KEY_LETTERS ? end : start + KEY_LETTERS;
  for (let at = start, shift = 0; at < last; at++, shift += 5) key |= (text.charCodeAt(at) & 31) << shift;
  const id = table[place(key)];
  return id !== 0 && isName(text, start, end, NAMES[id]) ? id : 0;
}

/** Whether the text from `start` up to `end` is `name` (lower case), in any case. */
export function isName(text: string, start: number, end: number, name: string): boolean {
  if (end - start !== name.length) return false;
  for (let at = 0; at < name.length; at++) {
    const code = text.charCodeAt(start + at);
    const lower = code >= 0x41 && code <= 0x5a ? code | 0x20 : code;
    if (lower !== name.charCodeAt(at)) return false;
  }
  return true;
}

function place(key: number): number {
  return (Math.imul(key, 0x9e3779b1) >>> 22) & (TABLE_SIZE - 1);
}

function makeTable(): Uint8Array {
  const made = new Uint8Array(TABLE_SIZE);
  for (let id = 1; id < NAMES.length; id++) {
    const name = NAMES[id];
    let key = 0;
    for (let at = 0; at < Math.min(name.length, KEY_LETTERS); at++) key |= (name.charCodeAt(at) & 31) << (5 * at);
    assert(made[place(key)] === 0, `two names share a place: ${name}`);
    made[place(key)] = id;
  }
  return made;
}
