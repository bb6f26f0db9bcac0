/**
 * Any characters of Unicode. It is what fast-check's own unit "binary" draws, without the table of a million entries
 * that this makes at first use, which takes a second.
 */
import fc from "fast-check";

const SURROGATES = { first: 0xd800, count: 0x800 };
const CODE_POINTS = 0x110000;

const character = fc
  .nat(CODE_POINTS - SURROGATES.count - 1)
  .map((n) => String.fromCodePoint(n < SURROGATES.first ? n : n + SURROGATES.count));

export function anyText(length: { readonly minLength?: number; readonly maxLength?: number }): fc.Arbitrary<string> {
  return fc.string({ ...length, unit: character });
}
