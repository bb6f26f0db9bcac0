import zlib from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ENCODINGS_MAX, encodingsOf, type Unpacked, unpack } from "../../src/fetch/decompression.ts";

type Encoding = "gzip" | "deflate" | "br";
const pack = {
  gzip: (body: Uint8Array) => zlib.gzipSync(body),
  deflate: (body: Uint8Array) => zlib.deflateRawSync(body),
  br: (body: Uint8Array) => zlib.brotliCompressSync(body, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 4 } }),
};

describe("the encodings of a header", () => {
  it.each<[header: string | undefined, expected: string[]]>([
    [undefined, []],
    ["", []],
    ["GZIP", ["gzip"]],
    ["x-gzip", ["gzip"]],
    ["identity", []],
    ["utf-8", []],
    ["gzip , identity,br", ["gzip", "br"]],
    ["gzip, gzip, gzip", ["gzip", "gzip", "gzip"]],
  ])("%j are %j", (header, expected) => {
    expect(encodingsOf(header)).toEqual(expected);
  });

  it("are refused where one is not ours, or where there is one more than allowed", () => {
    expect(encodingsOf("zstd")).toBeInstanceOf(Error);
    expect(encodingsOf("compress")).toBeInstanceOf(Error);
    expect(encodingsOf(Array(ENCODINGS_MAX).fill("br").join(","))).toHaveLength(ENCODINGS_MAX);
    expect(
      encodingsOf(
        Array(ENCODINGS_MAX + 1)
          .fill("br")
          .join(","),
      ),
    ).toBeInstanceOf(Error);
  });
});

describe("unpacking", () => {
  it("gives back whatever was packed, cut at the limit and not before", async () => {
    const encodings = fc.array(fc.constantFrom<Encoding>("gzip", "deflate", "br"), {
      maxLength: ENCODINGS_MAX,
    });
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ minLength: 1, maxLength: 3000 }),
        encodings,
        fc.integer({ min: 200, max: 4000 }),
        async (body, encodings, bytesMax) => {
          const wire = encodings.reduce<Uint8Array>((inner, encoding) => pack[encoding](inner), body);
          // What stands between two layers counts against the limit too; it is a little longer than the body here.
          const limit = Math.max(bytesMax, 200 + (encodings.length > 1 ? body.length : 0));
          const unpacked = await unpackedOf(wire, encodings, limit);
          expect(Buffer.from(unpacked.body).equals(body.subarray(0, limit))).toBe(true);
          expect(unpacked.truncated).toBe(body.length > limit);
        },
      ),
    );
  });

  it.each<Encoding>(["gzip", "deflate", "br"])(
    "of %s lets the limit pass whole and cuts one byte more",
    async (encoding) => {
      const body = Buffer.alloc(5_000, "abc");
      const wire = pack[encoding](body);
      expect(await unpackedOf(wire, [encoding], 5_000)).toMatchObject({
        truncated: false,
        body: { length: 5_000 },
      });
      expect(await unpackedOf(wire, [encoding], 4_999)).toMatchObject({
        truncated: true,
        body: { length: 4_999 },
      });
    },
  );

  it.each<Encoding>(["gzip", "deflate", "br"])("of %s that ends too soon gives what came", async (encoding) => {
    const body = Buffer.from(Array.from({ length: 20_000 }, (_, i) => `${i * 7919} `).join(""));
    const wire = pack[encoding](body);
    const { body: part, truncated } = await unpackedOf(wire.subarray(0, wire.length / 2), [encoding], 1e6);
    expect(truncated).toBe(true);
    expect(part.length).toBeGreaterThan(body.length / 4);
    expect(body.subarray(0, part.length).equals(part)).toBe(true);
  });

  it.each<Encoding>(["gzip", "deflate", "br"])("of a large %s, by stream, does the same", async (encoding) => {
    const body = Buffer.from(Array.from({ length: 200_000 }, (_, i) => `${Math.imul(i, 0x9e3779b1) >>> 0} `).join(""));
    const wire = pack[encoding](body);
    expect(wire.length).toBeGreaterThan(256 * 1024);
    const whole = await unpackedOf(wire, [encoding], body.length);
    expect([whole.truncated, body.equals(whole.body)]).toEqual([false, true]);
    const cut = await unpackedOf(wire, [encoding], body.length - 1);
    expect([cut.truncated, cut.body.length]).toEqual([true, body.length - 1]);
    const part = await unpackedOf(wire.subarray(0, wire.length / 2), [encoding], body.length);
    expect(part.truncated).toBe(true);
    expect(body.subarray(0, part.body.length).equals(part.body)).toBe(true);
    // Nonsense at the start: brotli has no checksum that would tell of nonsense further on.
    const broken = Buffer.from(wire);
    broken.fill(0xff, 10, 200);
    expect(await outcomeOf(broken, [encoding], body.length)).toBeInstanceOf(Error);
  });

  it("stops bombs at the limit, in bounded memory", async () => {
    const zeros = Buffer.alloc(64 * 1024 * 1024);
    const bombs: [Encoding[], Uint8Array][] = [
      [["gzip"], zlib.gzipSync(zeros)],
      [["deflate"], zlib.deflateSync(zeros)],
      [["br"], zlib.brotliCompressSync(zeros, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 4 } })],
      [["gzip", "gzip"], zlib.gzipSync(zlib.gzipSync(zeros))],
    ];
    for (const [encodings, wire] of bombs) {
      const before = process.memoryUsage().arrayBuffers;
      const { body, truncated } = await unpackedOf(wire, encodings, 1_000_000);
      expect([body.length, truncated]).toEqual([1_000_000, true]);
      expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(16 * 1024 * 1024);
    }
  });

  it("never throws, whatever the bytes", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 200 }),
        fc.constantFrom<Encoding>("gzip", "deflate", "br"),
        async (wire, encoding) => {
          const outcome = await outcomeOf(wire, [encoding], 1000);
          expect(outcome instanceof Error || outcome.body.length <= 1000).toBe(true);
        },
      ),
    );
  });
});

function outcomeOf(wire: Uint8Array, encodings: readonly Encoding[], bytesMax: number): Promise<Unpacked | Error> {
  return new Promise((done) => unpack(wire, encodings, bytesMax, done));
}

async function unpackedOf(wire: Uint8Array, encodings: readonly Encoding[], bytesMax: number): Promise<Unpacked> {
  const outcome = await outcomeOf(wire, encodings, bytesMax);
  if (outcome instanceof Error) throw outcome;
  return outcome;
}
