/** What an answer keeps of the response as it came: reason, spelling, order and repetition of headers, why it is cut. */
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { bytesServer, getAnswer, newFetcher } from "./servers.ts";

describe("the head of an answer", () => {
  it("is written again as the very bytes that the server sent", async () => {
    const head = [
      "HTTP/1.1 404 Nothing here, sorry",
      "X-ODD-Case: 1",
      "Set-Cookie: a=1; Path=/",
      "Content-Length: 2",
      "SET-cookie: b=2",
      "Content-Type: text/html",
      "content-type: text/plain",
      "X-Latin: caf\xe9",
      "X-Empty: ",
      "Set-Cookie: a=1; Path=/",
      "connection: close",
      "",
      "",
    ].join("\r\n");
    const port = await bytesServer(Buffer.from(`${head}no`, "latin1"));
    const answer = await getAnswer(newFetcher(), `http://127.0.0.1:${port}/`);
    const { reason, headers } = answer.head ?? { reason: "none", headers: [] };
    let written = `HTTP/1.1 ${answer.status} ${reason}\r\n`;
    for (let i = 0; i < headers.length; i += 2) written += `${headers[i]}: ${headers[i + 1]}\r\n`;
    expect(`${written}\r\n`).toBe(head);
    expect(answer.truncatedBy).toBeUndefined();
  });

  it("has no reason where the server gave none, and none of an earlier 1xx", async () => {
    const port = await bytesServer(
      "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 \r\nContent-Length: 0\r\n\r\n",
    );
    const { head } = await getAnswer(newFetcher(), `http://127.0.0.1:${port}/`);
    expect(head).toEqual({ reason: "", headers: ["Content-Length", "0"] });
  });
});

describe("why a body is cut", () => {
  const gzipped = gzipSync("abc".repeat(1000));
  const half = gzipped.subarray(0, gzipped.length / 2);
  const cases: [string, string, Uint8Array | string, string | undefined][] = [
    ["the server hung up", "Content-Length: 9", "short", "disconnect"],
    ["the server hung up amid chunks", "Transfer-Encoding: chunked", "5\r\nshort\r\n", "disconnect"],
    ["it is longer than our limit", "Content-Length: 1001", "x".repeat(1001), "length"],
    ["it is longer than our limit once unpacked", "Content-Encoding: gzip", gzipped, "length"],
    [
      "it stops halfway though all bytes came",
      `Content-Length: ${half.length}\r\nContent-Encoding: gzip`,
      half,
      "unspecified",
    ],
    ["the server hung up amid compressed bytes", "Content-Length: 999\r\nContent-Encoding: gzip", half, "disconnect"],
    ["it is not", "Content-Length: 1000", "x".repeat(1000), undefined],
    ["it is not, once unpacked", "Content-Encoding: gzip", gzipSync("x".repeat(1000)), undefined],
  ];
  it.each(cases)("%s", async (_what, headers, body, expected) => {
    const port = await bytesServer(
      Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\n${headers}\r\n\r\n`), Buffer.from(body)]),
    );
    const answer = await getAnswer(newFetcher({ bytesMax: { page: 1000 } }), `http://127.0.0.1:${port}/`);
    expect(answer.truncatedBy).toBe(expected);
    expect(answer.truncated).toBe(expected !== undefined);
  });

  it("is nothing for a part that came whole, though it is no whole page", async () => {
    const port = await bytesServer("HTTP/1.1 206 Partial Content\r\nContent-Length: 4\r\n\r\npart");
    const { truncated, truncatedBy } = await getAnswer(newFetcher(), `http://127.0.0.1:${port}/`);
    expect([truncated, truncatedBy]).toEqual([true, undefined]);
  });
});
