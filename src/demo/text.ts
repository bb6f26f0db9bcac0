/** Titles and sentences of the demo web, chosen from small lists: the same number gives the same text. */
import { mix32 } from "../base/index.ts";

const ADJECTIVES =
  "quiet northern tidal forgotten early copper hollow salt winter drifting narrow amber".split(" ");
const NOUNS =
  "harbour lighthouse chart estuary signal archive compass ferry weir lantern dune almanac anchor pier".split(
    " ",
  );
const VERBS = "marks follows measures remembers crosses divides explains outlasts".split(" ");
const PLACES = [
  "the Skerries",
  "Gull Sound",
  "Marsh End",
  "the Long Bank",
  "Otter Bay",
  "the Grey Firth",
  "Low Island",
  "Saint Brae",
];
const MATTERS = [
  "the turn of the tide",
  "a winter of storms",
  "the old pilots",
  "two centuries of soundings",
  "what the map left out",
  "the last ferry",
];

/** A pseudorandom number from 0 to 2^32 - 1; the same for the same arguments. */
export function drawn(...parts: readonly number[]): number {
  let value = 0x9e3779b9;
  for (const part of parts) value = mix32(value ^ Math.imul(part + 1, 0x85ebca6b));
  return value >>> 0;
}

export function hashOf(text: string): number {
  let value = 0;
  for (let k = 0; k < text.length; k++) value = mix32(value ^ text.charCodeAt(k));
  return value >>> 0;
}

export function titleOf(key: number): string {
  const adjective = pick(ADJECTIVES, drawn(key, 1));
  const noun = pick(NOUNS, drawn(key, 2));
  const place = pick(PLACES, drawn(key, 3));
  return `${capital(adjective)} ${noun} of ${place}`;
}

export function paragraphOf(key: number): string {
  const sentences = Array.from({ length: 3 + (drawn(key, 4) % 3) }, (_, k) => sentenceOf(drawn(key, 5, k)));
  return sentences.join(" ");
}

function sentenceOf(key: number): string {
  const [first, second] = [pick(NOUNS, drawn(key, 1)), pick(NOUNS, drawn(key, 2))];
  const what = `${pick(ADJECTIVES, drawn(key, 3))} ${first} ${pick(VERBS, drawn(key, 4))} the ${second}`;
  return `The ${what} of ${pick(PLACES, drawn(key, 5))}, and with it ${pick(MATTERS, drawn(key, 6))}.`;
}

function pick(list: readonly string[], key: number): string {
  return list[key % list.length];
}

function capital(word: string): string {
  return `${word[0].toUpperCase()}${word.slice(1)}`;
}
