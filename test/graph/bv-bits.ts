/** Bits as text, so that tests can spell out what a file holds. */
export function bytesOf(...bits: string[]): Uint8Array {
  const text = bits.join("").replaceAll(" ", "");
  return Uint8Array.from({ length: Math.ceil(text.length / 8) }, (_, i) =>
    Number.parseInt(text.slice(8 * i, 8 * i + 8).padEnd(8, "0"), 2),
  );
}

export function bitsOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(2).padStart(8, "0")).join("");
}
