/**
 * The instantaneous codes of the BV format, for natural numbers below 2^32 - 1 (P. Boldi, S. Vigna, "Codes for the
 * World Wide Web", Internet Mathematics 2(4), 2005). Bits are written from the most significant one.
 *
 * - unary: x zeros, then a one;
 * - gamma: with y = x + 1 of m + 1 bits, m in unary, then the m bits of y below its leading one;
 * - delta: the same with m in gamma;
 * - zeta(k): with y = x + 1 in [2^hk, 2^(h+1)k), h in unary, then y - 2^hk in minimal binary;
 * - golomb(b): the quotient of x by b in unary, then the remainder in minimal binary;
 * - nibble: groups of three bits from the top, each after a bit that is set on the last group only.
 *
 * Minimal binary of r below b uses floor(log2 b) bits for the small r and one more for the others.
 */
export const Code = { unary: 0, gamma: 1, delta: 2, zeta: 3, nibble: 4, golomb: 5 } as const;

export type CodeName = keyof typeof Code;
export type Code = (typeof Code)[CodeName];

/** Receives coded numbers, to write them or only to count their bits. */
export interface BitSink {
  write(code: Code, value: number): void;
}

/** Counts the bits that numbers would take in a file. */
export class BitCounter implements BitSink {
  bits = 0;
  readonly #parameter: number;
  readonly #byWidth: readonly (Uint8Array | undefined)[];

  /** `parameter` is the k of zeta and the modulus of golomb. */
  constructor(parameter: number) {
    this.#parameter = parameter;
    this.#byWidth = Object.values(Code).map((code) =>
      LENGTH_BY_WIDTH.has(code)
        ? Uint8Array.from({ length: 32 }, (_, width) => codeLength(code, parameter, 2 ** width - 1))
        : undefined,
    );
  }

  write(code: Code, value: number): void {
    const lengths = this.#byWidth[code];
    this.bits += lengths === undefined ? codeLength(code, this.#parameter, value) : lengths[log2(value + 1)];
  }
}

/** The codes whose length depends only on the leading one of value + 1. */
const LENGTH_BY_WIDTH: ReadonlySet<Code> = new Set([Code.gamma, Code.delta, Code.zeta]);

export function codeLength(code: Code, parameter: number, value: number): number {
  switch (code) {
    case Code.unary:
      return value + 1;
    case Code.gamma:
      return 2 * log2(value + 1) + 1;
    case Code.delta: {
      const width = log2(value + 1);
      return 2 * log2(width + 1) + 1 + width;
    }
    case Code.zeta: {
      const h = Math.floor(log2(value + 1) / parameter);
      return h + 1 + (h + 1) * parameter - (value + 1 < 2 ** (h * parameter + 1) ? 1 : 0);
    }
    case Code.nibble:
      return 4 * (Math.floor(log2(Math.max(value, 1)) / 3) + 1);
    case Code.golomb: {
      const width = log2(parameter);
      const long = value % parameter >= 2 ** (width + 1) - parameter;
      return Math.floor(value / parameter) + 1 + width + (long ? 1 : 0);
    }
  }
}

/** The position of the leading one of a number in [1, 2^32). */
export function log2(value: number): number {
  return 31 - Math.clz32(value);
}

/** Folds the integers of (-2^31, 2^31) into the natural numbers: 0, -1, 1, -2, 2, ... */
export function toNatural(value: number): number {
  return value >= 0 ? 2 * value : -2 * value - 1;
}

export function fromNatural(natural: number): number {
  return (natural >>> 1) ^ -(natural & 1);
}
