/**
 * Raw replies of outside suites, and servers that misbehave: always an answer or a failure with a name, soon. What
 * curl reads is read here too: lenient-http.test.ts has our own replies of that kind, curl.process.test.ts asks curl.
 */
import { readFileSync } from "node:fs";
import type { Socket } from "node:net";
import zlib from "node:zlib";
import { describe, expect, it } from "vitest";
import { failureNames, type Reply } from "../../src/fetch/index.ts";
import { sharedPath } from "../support/shared.ts";
import { repliesOfCurl } from "./replies-of-curl.ts";
import { bytesServer, get, newFetcher, rawServer } from "./servers.ts";

const curlPath = sharedPath("suites/http-replies.json");
const llhttpPath = sharedPath("suites/http-llhttp.json");

/** How a reply is served: at once and closed, cut in two, or at once with the connection left open. */
const ways: readonly [what: string, serve: (socket: Socket, reply: Uint8Array) => void][] = [
  ["and then the end", (socket, reply) => void socket.end(reply)],
  [
    "in two pieces",
    (socket, reply) => {
      const middle = reply.length >> 1;
      socket.write(reply.subarray(0, middle), () => setImmediate(() => socket.end(reply.subarray(middle))));
    },
  ],
  ["and then silence", (socket, reply) => void socket.write(reply)],
  ["and then a reset", (socket, reply) => void socket.write(reply, () => socket.resetAndDestroy())],
];

describe.runIf(curlPath !== undefined).each(ways)("replies of curl's tests, %s", (_what, serve) => {
  it("all end, as an answer or a named failure", async () => {
    const bodies = repliesOfCurl(curlPath);
    expect((await serveAll(bodies, serve)).filter((reply) => !isNamed(reply))).toEqual([]);
  });
});

describe.runIf(llhttpPath !== undefined).each(ways)("replies of llhttp's tests, %s", (_what, serve) => {
  it("all end, as an answer or a named failure", async () => {
    const { cases } = JSON.parse(readFileSync(llhttpPath ?? "", "utf8")) as {
      cases: readonly { b64: string }[];
    };
    expect(cases).toHaveLength(42);
    const bodies = cases.map(({ b64 }) => Buffer.from(b64, "base64"));
    expect((await serveAll(bodies, serve)).filter((reply) => !isNamed(reply))).toEqual([]);
  });
});

describe("a server that sends", () => {
  const big = `x: ${"y".repeat(10_000)}\r\n`.repeat(80);
  const gzipped = zlib.gzipSync("hello".repeat(100));
  const broken = Buffer.from(gzipped);
  broken.fill(0, broken.length - 8);
  const head = (rest: string): string => `HTTP/1.1 200 OK\r\n${rest}`;

  it.each<[what: string, reply: string | Uint8Array, expected: string]>([
    ["a length that is no number", head("Content-Length: abc\r\n\r\nhello"), "bad-answer"],
    ["a negative length", head("Content-Length: -1\r\n\r\nhello"), "bad-answer"],
    ["a huge length and a short body", head("Content-Length: 9999999999\r\n\r\nhello"), "200 hello truncated"],
    ["a misleading header", head("Client-Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\nhello"), "200 hello"],
    ["no status line at all", "<html>hello</html>", "bad-answer"],
    ["HTTP/0.9", "hello", "bad-answer"],
    ["nothing", "", "connection-lost"],
    ["half a status line", "HTTP/1.1 2", "connection-lost"],
    ["a status without a reason", "HTTP/1.1 200\r\nContent-Length: 5\r\n\r\nhello", "200 hello"],
    ["80 headers of 10,000 characters", head(`${big}Content-Length: 0\r\n\r\n`), "headers-too-large"],
    ["an empty Content-Type", head("Content-Type:\r\nContent-Length: 5\r\n\r\nhello"), "200 hello"],
    ["bytes that no header should hold", head("X: \xff\xfe\r\nContent-Length: 5\r\n\r\nhello"), "200 hello"],
    ["a zero byte in a header", head("X: a\0b\r\nContent-Length: 5\r\n\r\nhello"), "bad-answer"],
    ["a protocol of another version", "HTTP/3.7 200 OK\r\nContent-Length: 5\r\n\r\nhello", "bad-answer"],
    ["a status of no hundred", "HTTP/1.1 999 Denied\r\nContent-Length: 5\r\n\r\nhello", "999 hello"],
    ["more than its length", head("Content-Length: 5\r\n\r\nhello and more"), "200 hello"],
    [
      "hints before the answer",
      `HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n${head("Content-Length: 5\r\n\r\nhello")}`,
      "200 hello",
    ],
    ["401 without a challenge", "HTTP/1.1 401 No\r\nContent-Length: 0\r\n\r\n", "401 "],
    ["304 with the length of its page", "HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n", "304 "],
    ["204 with a body", "HTTP/1.1 204 None\r\nContent-Length: 5\r\n\r\nhello", "204 "],
    ["trailers", head("Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nX: y\r\n\r\n"), "200 hello"],
    [
      "trailers that go on and on",
      head(`Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n${big}\r\n`),
      "200 hello truncated",
    ],
    [
      "a chunk of negative length",
      head("Transfer-Encoding: chunked\r\n\r\n-5\r\nhello\r\n0\r\n\r\n"),
      "200  truncated",
    ],
    [
      "a chunk of endless length",
      head("Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\nhello"),
      "200  truncated",
    ],
    [
      "gzip with a wrong checksum",
      Buffer.concat([Buffer.from(head(`Content-Encoding: gzip\r\nContent-Length: ${broken.length}\r\n\r\n`)), broken]),
      "bad-compression",
    ],
  ])("%s", async (_what, reply, expected) => {
    const bytes = typeof reply === "string" ? Buffer.from(reply, "latin1") : reply;
    const port = await bytesServer(bytes);
    const got = await get(newFetcher(), `http://127.0.0.1:${port}/`);
    if (got.kind === "failure") expect(got.failure).toBe(expected);
    else expect(`${got.status} ${Buffer.from(got.body)}${got.truncated ? " truncated" : ""}`).toBe(expected);
  });

  it("chunks of one byte, many thousand", async () => {
    const chunks = "1\r\nx\r\n".repeat(50_000);
    const port = await bytesServer(head(`Transfer-Encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`));
    const got = await get(newFetcher(), `http://127.0.0.1:${port}/`);
    expect(got).toMatchObject({ kind: "answer", truncated: false, wireBytes: 50_000 });
  });
});

/** Case i is requested as /i. */
async function serveAll(
  bodies: readonly Uint8Array[],
  serve: (socket: Socket, reply: Uint8Array) => void,
): Promise<Reply[]> {
  const port = await rawServer((socket, head) => {
    serve(socket, bodies[Number(/^GET \/(\d+) /.exec(head)?.[1])] ?? Buffer.alloc(0));
  });
  const timeouts = { headersMs: 500, bodyMs: 500, totalMs: 3_000 };
  // Of its own each, lest a connection serves two of them.
  const fetchers = Array.from({ length: 8 }, () => newFetcher({ connections: 100, timeouts }));
  return Promise.all(bodies.map((_, i) => get(fetchers[i % 8] ?? newFetcher(), `http://127.0.0.1:${port}/${i}`)));
}

function isNamed(reply: Reply): boolean {
  return reply.kind === "failure" ? failureNames.includes(reply.failure) : reply.status > 100;
}
