import net, { type Server, type Socket } from "node:net";
import tls from "node:tls";
import zlib from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ChunkFraming } from "../../src/fetch/chunk-framing.ts";
import { Edits } from "../../src/fetch/edits.ts";
import type { HttpFetcherOptions } from "../../src/fetch/index.ts";
import { ResponseCorrector } from "../../src/fetch/lenient-http.ts";
import { HEADERS_BYTES_MAX } from "../../src/fetch/options.ts";
import { cases } from "../support/cases.ts";
import { lenientReplies } from "./lenient-replies.ts";
import { bytesServer, get, getAnswer, getFailure, listen, newFetcher, pem, rawServer, textOf } from "./servers.ts";

const sloppy = "HTTP/1.1 200 OK\nContent-Length: 5\n\nhello";
const ordinary = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";

describe("a reply with", () => {
  it.each(lenientReplies)("%s", async (_what, reply, expected) => {
    const port = await bytesServer(Buffer.from(reply, "latin1"));
    const got = await get(newFetcher(), `http://127.0.0.1:${port}/`);
    if (got.kind === "failure") expect(got.failure).toBe(expected);
    else expect(`${got.status} ${Buffer.from(got.body)}${got.truncated ? " truncated" : ""}`).toBe(expected);
  });

  it.each(lenientReplies)("%s, byte by byte", (_what, reply) => {
    const whole = corrected([Buffer.from(reply, "latin1")]);
    const bytes = corrected(Array.from(reply, (byte) => Buffer.from(byte, "latin1")));
    // At once, what is behind the end of a reply is left out.
    expect(bytes.slice(0, whole.length)).toBe(whole);
  });

  it("a folded header has its whole value, and bytes stay what they are", async () => {
    const port = await bytesServer(
      Buffer.from("HTTP/1.1 301 x\nLocation: /\xc3\xbc\n /b\nX: \xff\nX: 2\n\n", "latin1"),
    );
    const { headers } = await getAnswer(newFetcher(), `http://127.0.0.1:${port}/`);
    expect({ ...headers }).toEqual({ location: "/ü /b", x: "\xff, 2" });
  });

  it("a body that was compressed for the transfer is unpacked", async () => {
    const head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n";
    const body = zlib.gzipSync("hello");
    const chunk = Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from("\r\n0\r\n\r\n")]);
    const port = await bytesServer(Buffer.concat([Buffer.from(head), chunk]));
    expect(textOf(await getAnswer(newFetcher(), `http://127.0.0.1:${port}/`))).toBe("hello");
  });

  it("less than its length is cut off", async () => {
    const port = await bytesServer(sloppy.replace("5", "6"));
    const answer = await getAnswer(newFetcher(), `http://127.0.0.1:${port}/`);
    expect([textOf(answer), answer.truncated]).toEqual(["hello", true]);
  });

  it("more than may be read is cut off", async () => {
    const port = await bytesServer(sloppy);
    const answer = await getAnswer(newFetcher({ bytesMax: { page: 4 } }), `http://127.0.0.1:${port}/`);
    expect([textOf(answer), answer.truncated]).toEqual(["hell", true]);
  });
});

describe("a connection", () => {
  const extra = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil";

  it.each([
    ["after a reply by the rules is used again", ordinary, 1],
    ["after an unsolicited 100 is used again", `HTTP/1.1 100 Continue\r\n\r\n${ordinary}`, 1],
    ["after a 304 that states a length is used again", "HTTP/1.1 304 Same\r\nContent-Length: 5\r\n\r\n", 1],
    ["after trailers is used again", chunked("5\r\nhello\r\n0\r\nX: y\r\n\r\n"), 1],
    ["after a reply against the rules is not used again", sloppy, 3],
    ["after chunks against the rules is not used again", chunked("5 \r\nhello\r\n0\r\n\r\n"), 3],
    ["after a reply with something behind it is not used again", `${ordinary}${extra}`, 3],
    ["after a reply against the rules with a reply behind it is not used again", `${sloppy}${extra}`, 3],
  ])("%s", async (_what, reply, connections) => {
    const sockets = new Set<Socket>();
    const port = await rawServer((socket) => {
      sockets.add(socket);
      socket.write(reply);
    });
    const fetcher = newFetcher();
    for (let i = 0; i < 3; i++) {
      const answer = await getAnswer(fetcher, `http://127.0.0.1:${port}/`);
      expect([textOf(answer), answer.truncated]).toEqual([answer.status === 304 ? "" : "hello", false]);
    }
    expect(sockets.size).toBe(connections);
  });

  it.each([
    ["in a head of bare line feeds", "HTTP/1.1 200 OK\nX: y", "headers-timeout"],
    ["after any number of 100s", "HTTP/1.1 100 Continue\r\n\r\n".repeat(1000), "headers-timeout"],
    ["in a chunk extension", chunked(`5\r\nhello\r\n5;${"x".repeat(100_000)}`), "body-timeout"],
    ["in a trailer", chunked("5\r\nhello\r\n0\nX: y"), "body-timeout"],
  ])("that falls silent %s ends in time", async (_what, reply, expected) => {
    const port = await rawServer((socket) => void socket.write(reply));
    const timeouts = { headersMs: 300, bodyMs: 300, totalMs: 10_000 };
    expect((await getFailure(newFetcher({ timeouts }), `http://127.0.0.1:${port}/`)).failure).toBe(expected);
  });

  it("that ends within a head is lost, so that the page is tried again", async () => {
    const port = await bytesServer("HTTP/1.1 200 OK\nX: y\n");
    expect((await getFailure(newFetcher(), `http://127.0.0.1:${port}/`)).failure).toBe("connection-lost");
  });

  it("over TLS, direct or through a proxy, is read alike", async () => {
    const options = { key: pem("server-key"), cert: pem("server") };
    const target = await listen(tls.createServer(options, (socket) => socket.once("data", () => socket.end(sloppy))));
    const trusting: Partial<HttpFetcherOptions> = {
      certificates: [pem("ca")],
      lookup: (_host, done) => done(null, [{ address: "127.0.0.1", family: 4 }]),
    };
    expect(textOf(await getAnswer(newFetcher(trusting), `https://secure.example:${target}/`))).toBe("hello");
    const proxy = await listen(tunnelTo(target));
    const settings = { http: `http://127.0.0.1:${proxy}/`, https: `http://127.0.0.1:${proxy}/`, except: "" };
    const fetcher = newFetcher({ ...trusting, proxy: settings });
    expect(textOf(await getAnswer(fetcher, "https://secure.example/"))).toBe("hello");
    expect(textOf(await getAnswer(fetcher, "http://far.example/"))).toBe("hello");
  });
});

describe("bytes of a reply by the rules", () => {
  it("are passed on as they are, in the pieces in which they came", () => {
    const pieces = [ordinary, chunked("5\r\nhel"), "lo\r", "\n0\r\n", "\r\n", ordinary].map((piece) =>
      Buffer.from(piece),
    );
    const passedOn: unknown[] = [];
    const corrector = new ResponseCorrector((piece) => passedOn.push(piece) > 0);
    for (const piece of pieces) corrector.push(piece);
    expect(passedOn).toHaveLength(pieces.length);
    expect(passedOn).toEqual(pieces);
  });

  it("are put together again if the head came in pieces", () => {
    const pieces = ["HT", "TP/1.1 200 O", "K\r", "\nContent-Length: 5\r\n\r", "\nhe", "llo"];
    expect(corrected(pieces.map((piece) => Buffer.from(piece)))).toBe(ordinary);
  });

  it("are all that is passed on, whatever comes behind them at once", () => {
    expect(corrected([Buffer.from(`${ordinary}${ordinary}`), Buffer.from(ordinary)])).toBe(ordinary);
  });

  it("are passed on without trailers, in whatever pieces those come", () => {
    const pieces = [chunked("5\r\nhello\r\n0\r\nX: y"), "\r\nZ: w\r\n\r", "\n", ordinary];
    const expected = `${chunked("5\r\nhello\r\n0\r\n\r\n")}${ordinary}`;
    expect(corrected(pieces.map((piece) => Buffer.from(piece)))).toBe(expected);
  });
});

describe("any bytes", () => {
  const fragment = fc.oneof(
    fc.constantFrom(
      "HTTP/1.1 200 OK",
      "HTTP/1.0 304",
      "HTTP/1.1 100",
      "HTTP/1.1 101",
      "\r\n",
      "\n",
      "\r",
      " ",
      "\0",
      ":",
    ),
    fc.constantFrom(
      "Content-Length: 5",
      "Content-Length: 0",
      "Transfer-Encoding: chunked",
      "5",
      "0",
      ";x",
      "hello",
      "X: y",
    ),
    fc.string({ maxLength: 5 }),
  );

  it("are passed on or left out without an error, and nothing follows the end", () => {
    fc.assert(
      fc.property(fc.array(fc.array(fragment, { maxLength: 12 }), { maxLength: 6 }), (pieces) => {
        let ends = 0;
        const corrector = new ResponseCorrector((piece) => {
          expect(ends).toBe(0);
          if (piece === null) ends++;
          return true;
        });
        for (const piece of pieces) corrector.push(Buffer.from(piece.join(""), "latin1"));
        corrector.end();
        corrector.end();
        expect(ends).toBe(1);
      }),
      { numRuns: cases(2000) },
    );
  });
});

describe("limits", () => {
  it("a head may be as long as all headers may be, and no byte longer", () => {
    const headOf = (length: number): string =>
      `HTTP/1.1 200 OK\n${"X: y\n".repeat(10)}Z:`.padEnd(length - 2, "z") + "\n\n";
    expect(corrected([Buffer.from(headOf(HEADERS_BYTES_MAX))])).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(corrected([Buffer.from(headOf(HEADERS_BYTES_MAX + 1))])).toMatch(/^HTTP\/1\.1 200 OK\n/);
  });

  it("trailers may be as long as all headers may be, and no byte longer", () => {
    const framingAfter = (trailerBytes: number): ChunkFraming => {
      const framing = new ChunkFraming();
      framing.read(new Edits(Buffer.from(`0\r\n${"\n".padStart(trailerBytes, "x")}\r\n`), () => {}), 0);
      return framing;
    };
    expect(framingAfter(HEADERS_BYTES_MAX)).toMatchObject({ done: true, broken: false });
    expect(framingAfter(HEADERS_BYTES_MAX + 1)).toMatchObject({ done: false, broken: true });
  });

  it("a size may have 16 digits and be countable", () => {
    const brokenBy = (size: string): boolean => {
      const framing = new ChunkFraming();
      framing.read(new Edits(Buffer.from(`${size}\r\n`), () => {}), 0);
      return framing.broken;
    };
    expect(["0000000000000005", "001fffffffffffff"].map(brokenBy)).toEqual([false, false]);
    expect(["00000000000000005", "0020000000000000"].map(brokenBy)).toEqual([true, true]);
  });
});

function chunked(body: string): string {
  return `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${body}`;
}

/** What the strict parser is given, as latin1. */
function corrected(pieces: readonly Buffer[]): string {
  const passedOn: Buffer[] = [];
  const corrector = new ResponseCorrector((piece) => passedOn.push(piece ?? Buffer.alloc(0)) > 0);
  for (const piece of pieces) corrector.push(piece);
  return Buffer.concat(passedOn).toString("latin1");
}

/** A proxy: answers CONNECT by a tunnel to a port, and every other request itself, against the rules. */
function tunnelTo(port: number): Server {
  return net.createServer((socket) => {
    socket.once("data", (request) => {
      if (!request.toString("latin1").startsWith("CONNECT ")) return void socket.end(sloppy);
      const onward = net.connect(port, "127.0.0.1", () => {
        socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
        onward.pipe(socket).pipe(onward);
      });
      onward.on("error", () => socket.destroy());
      socket.on("error", () => onward.destroy());
    });
  });
}
