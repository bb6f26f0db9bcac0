import http from "node:http";
import { Socket } from "node:net";
import zlib from "node:zlib";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createHttpFetcher, type Reply, requestHeaders } from "../../src/fetch/index.ts";
import { sentHeaders } from "../../src/fetch/headers.ts";
import { timeoutsOf } from "../../src/fetch/options.ts";
import { bytesServer, get, getAnswer, getFailure, listen, newFetcher, rawServer, textOf } from "./servers.ts";

describe("a page", () => {
  it("comes with status, lower-case headers, body, bytes and address", async () => {
    const port = await bytesServer(
      "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nX-Two: a\r\nx-two: b\r\nContent-Length: 5\r\n\r\nhello",
    );
    const answer = await getAnswer(newFetcher(), `http://127.0.0.1:${port}/`);
    expect(answer.status).toBe(200);
    expect({ ...answer.headers }).toEqual({
      "content-type": "text/html",
      "x-two": "a, b",
      "content-length": "5",
    });
    expect(textOf(answer)).toBe("hello");
    expect([answer.truncated, answer.wireBytes, answer.address]).toEqual([false, 5, "127.0.0.1"]);
    expect(answer.milliseconds).toBeGreaterThan(0);
  });

  it("has the last of several types, and the first of several lengths", async () => {
    const port = await bytesServer(
      "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nETag: 1\r\nContent-Type: text/html; charset=koi8-r\r\nETag: 2\r\n\r\n",
    );
    const { headers } = await getAnswer(newFetcher(), `http://127.0.0.1:${port}/`);
    expect([headers["content-type"], headers["etag"]]).toEqual(["text/html; charset=koi8-r", "1"]);
  });

  it("is requested with exactly the headers of requestHeaders", async () => {
    let head = "";
    const port = await rawServer((socket, text) => {
      head = text;
      socket.end("HTTP/1.1 304 Not Modified\r\n\r\n");
    });
    const request = {
      url: `http://127.0.0.1:${port}/a?b=c&d`,
      purpose: "page",
      etag: '"x"',
      lastModified: "Sun, 06 Nov 1994 08:49:37 GMT",
    } as const;
    const answer = await getAnswer(newFetcher(), request.url, request);
    expect(answer.status).toBe(304);
    const lines = requestHeaders(request, "tidemark-test").map(([name, value]) => `${name}: ${value}\r\n`);
    expect(head).toBe(`GET /a?b=c&d HTTP/1.1\r\n${lines.join("")}\r\n`);
    expect(head).toContain('if-none-match: "x"\r\nif-modified-since: Sun, 06 Nov 1994 08:49:37 GMT\r\n');
  });

  it("is requested without validators that no header can hold", () => {
    const request = {
      url: "http://a.example/",
      purpose: "page",
      etag: "a\r\nx: y",
      lastModified: "",
    } as const;
    const names = requestHeaders(request, "t").map(([name]) => name);
    expect(names).toEqual(["host", "connection", "user-agent", "accept", "accept-encoding"]);
  });

  it("is requested with given headers in the place of ours, but a session's before them", () => {
    const request = { url: "http://a.example/", purpose: "requisite", headers: { accept: "a/b", "x-a": "1" } } as const;
    const pairs = requestHeaders(request, "t").slice(2);
    expect(pairs).toEqual([
      ["user-agent", "t"],
      ["accept-encoding", "gzip, deflate, br"],
      ["accept", "a/b"],
      ["x-a", "1"],
    ]);
    const sent = sentHeaders(request, "t", ["x-a", "secret"]);
    expect(sent).toEqual(["user-agent", "t", "accept-encoding", "gzip, deflate, br", "accept", "a/b", "x-a", "secret"]);
  });

  it("is requested with given cookies besides the session's, which go before those with the same name", () => {
    const request = { url: "http://a.example/", purpose: "requisite", headers: { cookie: "a=1; sid=2" } } as const;
    expect(sentHeaders(request, "t", []).slice(-2)).toEqual(["cookie", "a=1; sid=2"]);
    expect(sentHeaders(request, "t", ["cookie", "sid=s; b=3"]).slice(-2)).toEqual(["cookie", "sid=s; b=3; a=1"]);
    expect(sentHeaders(request, "t", ["x-cookie", "cookie"]).slice(-4)).toEqual([
      "cookie",
      "a=1; sid=2",
      "x-cookie",
      "cookie",
    ]);
  });

  it("of status 206 is a part", async () => {
    const port = await bytesServer("HTTP/1.1 206 Partial Content\r\nContent-Length: 2\r\n\r\nab");
    expect(await getAnswer(newFetcher(), `http://127.0.0.1:${port}/`)).toMatchObject({
      status: 206,
      truncated: true,
    });
  });

  it("that redirects is not followed, and the first Location holds", async () => {
    const port = await bytesServer("HTTP/1.1 302 Found\r\nLocation: /a\r\nLocation: /b\r\nContent-Length: 0\r\n\r\n");
    const answer = await getAnswer(newFetcher(), `http://127.0.0.1:${port}/`);
    expect([answer.status, answer.headers["location"]]).toEqual([302, "/a"]);
  });

  it.each([
    ["in UTF-8", Buffer.from("/caf\u00e9/\u65e5"), "/caf\u00e9/\u65e5"],
    ["in another encoding", Buffer.from("/caf\u00e9", "latin1"), "/caf%E9"],
    ["encoded already", Buffer.from("/caf%C3%A9"), "/caf%C3%A9"],
  ])("that redirects to an address %s leads there", async (_how, target, location) => {
    const head = Buffer.from('HTTP/1.1 302 Found\r\nETag: "\u00e9"\r\nLocation: ', "latin1");
    const port = await bytesServer(Buffer.concat([head, target, Buffer.from("\r\nContent-Length: 0\r\n\r\n")]));
    const { headers } = await getAnswer(newFetcher(), `http://127.0.0.1:${port}/`);
    expect([headers["location"], headers["etag"]]).toEqual([location, '"\u00e9"']);
  });

  it("keeps its redirect though the body is broken", async () => {
    const port = await bytesServer("HTTP/1.1 302 Found\r\nLocation: /a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n");
    const answer = await getAnswer(newFetcher(), `http://127.0.0.1:${port}/`);
    expect([answer.status, answer.headers["location"], answer.truncated]).toEqual([302, "/a", true]);
  });
});

describe("byte limits", () => {
  const limits = { bytesMax: { page: 1000, robots: 100, sitemap: 2000 } };
  const server = (bytes: number, close = false) =>
    listen(
      http.createServer((_request, response) => {
        const body = Buffer.alloc(bytes, "x");
        if (!close) response.setHeader("content-length", bytes);
        response.end(body);
      }),
    );

  it.each(["page", "robots", "sitemap"] as const)(
    "let a %s of that length pass whole, and cut one byte more",
    async (purpose) => {
      const bytes = limits.bytesMax[purpose];
      const fetcher = newFetcher(limits);
      const whole = await getAnswer(fetcher, `http://127.0.0.1:${await server(bytes)}/`, { purpose });
      expect([whole.body.length, whole.truncated]).toEqual([bytes, false]);
      const longer = await getAnswer(fetcher, `http://127.0.0.1:${await server(bytes + 1)}/`, { purpose });
      expect([longer.body.length, longer.truncated]).toEqual([bytes, true]);
    },
  );

  it("end a chunked body that never ends", async () => {
    const port = await rawServer((socket) => {
      socket.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
      const more = (): void => {
        if (!socket.destroyed) socket.write(`400\r\n${"x".repeat(1024)}\r\n`, () => setImmediate(more));
      };
      more();
    });
    const answer = await getAnswer(newFetcher(limits), `http://127.0.0.1:${port}/`);
    expect([answer.body.length, answer.truncated]).toEqual([1000, true]);
  });

  it("read 500 KiB of a robots.txt, and four bytes that show that there is more, by default", async () => {
    const answer = await getAnswer(newFetcher(), `http://127.0.0.1:${await server(600_000)}/robots.txt`, {
      purpose: "robots",
    });
    expect([answer.body.length, answer.truncated]).toEqual([512_004, true]);
  });

  it("hold for headers: 256 KiB and one byte is too much", async () => {
    const head = (bytes: number) => `HTTP/1.1 200 OK\r\nx: ${"y".repeat(bytes)}\r\nContent-Length: 0\r\n\r\n`;
    const fetcher = newFetcher();
    expect((await getAnswer(fetcher, `http://127.0.0.1:${await bytesServer(head(250_000))}/`)).status).toBe(200);
    const failure = await getFailure(fetcher, `http://127.0.0.1:${await bytesServer(head(262_144))}/`);
    expect(failure.failure).toBe("headers-too-large");
  });

  it("end headers that go on and on", async () => {
    const port = await rawServer((socket) => {
      socket.write("HTTP/1.1 200 OK\r\n");
      const more = (): void => {
        if (!socket.destroyed) socket.write(`x: ${"y".repeat(1000)}\r\n`, () => setImmediate(more));
      };
      more();
    });
    expect((await getFailure(newFetcher(), `http://127.0.0.1:${port}/`)).failure).toBe("headers-too-large");
  });
});

describe("a body that ends too soon", () => {
  it.each([
    ["shorter than its Content-Length", "Content-Length: 100\r\n\r\nshort"],
    ["in the middle of its chunks", "Transfer-Encoding: chunked\r\n\r\n5\r\nshort\r\n5\r\n"],
    ["with chunks that are none", "Transfer-Encoding: chunked\r\n\r\n5\r\nshort\r\nXX\r\n"],
  ])("%s is what came, truncated", async (_what, rest) => {
    const port = await bytesServer(`HTTP/1.1 200 OK\r\n${rest}`);
    const answer = await getAnswer(newFetcher(), `http://127.0.0.1:${port}/`);
    expect([textOf(answer), answer.truncated]).toEqual(["short", true]);
  });

  it("without any length, at the end of the connection, is whole", async () => {
    const port = await bytesServer("HTTP/1.1 200 OK\r\n\r\nall of it");
    const answer = await getAnswer(newFetcher(), `http://127.0.0.1:${port}/`);
    expect([textOf(answer), answer.truncated]).toEqual(["all of it", false]);
  });
});

describe("compressed bodies", () => {
  const page = "the quick brown fox jumps over the lazy dog. ".repeat(1000);
  const serve = (encoding: string, body: Uint8Array) =>
    bytesServer(
      Buffer.concat([
        Buffer.from(`HTTP/1.1 200 OK\r\nContent-Encoding: ${encoding}\r\nContent-Length: ${body.length}\r\n\r\n`),
        body,
      ]),
    );

  it.each<[encoding: string, body: Uint8Array]>([
    ["gzip", zlib.gzipSync(page)],
    ["x-gzip", zlib.gzipSync(page)],
    ["deflate", zlib.deflateSync(page)],
    ["deflate", zlib.deflateRawSync(page)],
    ["br", zlib.brotliCompressSync(page)],
    ["gzip, deflate, gzip", zlib.gzipSync(zlib.deflateSync(zlib.gzipSync(page)))],
    ["identity", Buffer.from(page)],
    ["utf-8", Buffer.from(page)],
  ])("by %s come as they were", async (encoding, body) => {
    const answer = await getAnswer(newFetcher(), `http://127.0.0.1:${await serve(encoding, body)}/`);
    expect([textOf(answer) === page, answer.truncated, answer.wireBytes]).toEqual([true, false, body.length]);
  });

  it.each<[what: string, encoding: string, body: Uint8Array]>([
    ["say gzip and are plain", "gzip", Buffer.from(page)],
    ["say br and are plain", "br", Buffer.from(page)],
    ["are compressed four times", "gzip, gzip, gzip, gzip", zlib.gzipSync(page)],
    ["come in zstd, which was not requested", "zstd", Buffer.from(page)],
  ])("that %s are bad", async (_what, encoding, body) => {
    const failure = await getFailure(newFetcher(), `http://127.0.0.1:${await serve(encoding, body)}/`);
    expect(failure.failure).toBe("bad-compression");
  });

  it("that are cut off on the wire, too long for one go, are what came, truncated", async () => {
    const numbers = Array.from({ length: 200_000 }, (_, i) => `${Math.imul(i, 0x9e3779b1) >>> 0} `).join("");
    const port = await serve("gzip", zlib.gzipSync(numbers));
    const answer = await getAnswer(newFetcher({ bytesMax: { page: 300_000 } }), `http://127.0.0.1:${port}/`);
    expect([textOf(answer), answer.truncated]).toEqual([numbers.slice(0, 300_000), true]);
  });

  it("that end too soon are what came, truncated", async () => {
    const body = zlib.gzipSync(page);
    const port = await serve("gzip", body.subarray(0, body.length - 20));
    const answer = await getAnswer(newFetcher(), `http://127.0.0.1:${port}/`);
    expect(answer.truncated).toBe(true);
    expect(answer.body.length).toBeGreaterThan(100);
    expect(page.startsWith(textOf(answer))).toBe(true);
  });
});

describe("connections", () => {
  it("are kept alive between requests", async () => {
    const sockets = new Set<Socket>();
    const server = http.createServer((request, response) => {
      sockets.add(request.socket);
      response.end("x");
    });
    const port = await listen(server);
    const fetcher = newFetcher();
    for (let i = 0; i < 5; i++) await getAnswer(fetcher, `http://127.0.0.1:${port}/${i}`);
    expect(sockets.size).toBe(1);
  });

  it("to one origin are as many as allowed", async () => {
    let open: http.ServerResponse[] = [];
    let most = 0;
    const server = http.createServer((_request, response) => {
      most = Math.max(most, open.push(response));
      if (open.length < 3) return;
      // A fourth would have come by then.
      setTimeout(() => {
        for (const waiting of open) waiting.end("x");
        open = [];
      }, 20);
    });
    const port = await listen(server);
    const fetcher = newFetcher({ connections: 3 });
    await Promise.all(Array.from({ length: 9 }, (_, i) => getAnswer(fetcher, `http://127.0.0.1:${port}/${i}`)));
    expect(most).toBe(3);
  });

  it("that the server closed while idle are opened anew, and the page comes", async () => {
    let served = 0;
    const port = await rawServer((socket) => {
      // The second request on a connection gets no answer but its end, as when a server's idle time runs out just then.
      if (served++ === 1) return void socket.destroy();
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx");
    });
    const fetcher = newFetcher();
    await getAnswer(fetcher, `http://127.0.0.1:${port}/1`);
    expect((await getAnswer(fetcher, `http://127.0.0.1:${port}/2`)).status).toBe(200);
    expect(served).toBe(3);
  });

  it("that end before any answer are lost, with no second try on a fresh one", async () => {
    let asked = 0;
    const port = await rawServer((socket) => {
      asked++;
      socket.destroy();
    });
    expect((await getFailure(newFetcher(), `http://127.0.0.1:${port}/`)).failure).toBe("connection-lost");
    expect(asked).toBe(1);
  });

  it("that are refused say so", async () => {
    const server = http.createServer();
    const port = await listen(server);
    await new Promise((resolve) => server.close(resolve));
    expect((await getFailure(newFetcher(), `http://127.0.0.1:${port}/`)).failure).toBe("connect-refused");
  });
});

describe("time limits", () => {
  const short = { connectMs: 300, headersMs: 300, bodyMs: 300, totalMs: 4_000 };

  it("end a wait for headers", async () => {
    const port = await rawServer(() => {});
    const failure = await getFailure(newFetcher({ timeouts: short }), `http://127.0.0.1:${port}/`);
    expect(failure.failure).toBe("headers-timeout");
  });

  it("end a wait for more of a body", async () => {
    const port = await rawServer((socket) => void socket.write("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"));
    const failure = await getFailure(newFetcher({ timeouts: short }), `http://127.0.0.1:${port}/`);
    expect(failure.failure).toBe("body-timeout");
  });

  it.each([
    ["a body that drips", "HTTP/1.1 200 OK\r\nContent-Length: 99999\r\n\r\n", "x"],
    ["headers that drip", "HTTP/1.1 200 OK\r\n", "x: y\r\n"],
    ["one 1xx after the other", "", "HTTP/1.1 103 Early Hints\r\n\r\n"],
  ])("end %s", async (_what, begin, drip) => {
    const port = await rawServer((socket) => {
      socket.write(begin);
      const timer = setInterval(() => socket.write(drip), 20);
      socket.on("close", () => clearInterval(timer));
    });
    const fetcher = newFetcher({
      timeouts: { connectMs: 1_000, headersMs: 9_000, bodyMs: 9_000, totalMs: 400 },
    });
    const failure = await getFailure(fetcher, `http://127.0.0.1:${port}/`);
    expect(failure.failure).toBe("total-timeout");
    expect(failure.milliseconds).toBeLessThan(8_000);
  });

  it("end a connection that does not come about", async () => {
    // A resolver that knows a public address; the socket to it is never opened.
    const fetcher = newFetcher({
      timeouts: short,
      openSocket: () => new Socket(),
      lookup: (_host, done) => done(null, [{ address: "93.184.216.34", family: 4 }]),
    });
    const failure = await getFailure(fetcher, "http://slow.example/");
    expect([failure.failure, failure.address]).toEqual(["connect-timeout", "93.184.216.34"]);
  });

  it("of the parts grow as much as a total above its default", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const fetcher = createHttpFetcher({
      userAgent: "tidemark-test",
      timeouts: { totalMs: 110_000 },
      openSocket: () => new Socket(),
      lookup: (_host, done) => done(null, [{ address: "93.184.216.34", family: 4 }]),
    });
    const replies: Reply[] = [];
    fetcher.fetch({ url: "http://slow.example/", purpose: "page" }, (reply) => replies.push(reply));
    await vi.advanceTimersByTimeAsync(59_000);
    expect(replies).toEqual([]);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(replies).toMatchObject([{ failure: "connect-timeout" }]);
  });

  it.each([
    [{}, [10_000, 20_000, 15_000, 60_000]],
    [{ totalMs: 5_000 }, [10_000, 20_000, 15_000, 5_000]],
    [{ totalMs: 120_000 }, [70_000, 80_000, 75_000, 120_000]],
    [{ totalMs: 120_000, connectMs: 1_000 }, [1_000, 80_000, 75_000, 120_000]],
  ])("given as %j", (given, [connectMs, headersMs, bodyMs, totalMs]) => {
    expect(timeoutsOf(given)).toEqual({ connectMs, headersMs, bodyMs, totalMs });
  });

  it("end a resolver that does not answer", async () => {
    const fetcher = newFetcher({ timeouts: { totalMs: 200 }, lookup: () => {} });
    expect((await getFailure(fetcher, "http://slow.example/")).failure).toBe("resolve-failed");
  });
});

describe("closing", () => {
  it("ends everything under way without waiting for it, each with the failure aborted", async () => {
    const reached: string[] = [];
    const silent = await rawServer((_socket, head) => reached.push(head));
    const fetcher = createHttpFetcher({
      userAgent: "t",
      allowPrivate: true,
      lookup: (host, done) => {
        if (host === "unknown.example") reached.push(host);
        if (host === "known.example") done(null, [{ address: "127.0.0.1", family: 4 }]);
      },
    });
    const under: Promise<Reply>[] = [
      get(fetcher, `http://127.0.0.1:${silent}/1`),
      get(fetcher, `http://127.0.0.1:${silent}/waits-for-the-connection`),
      get(fetcher, `http://known.example:${silent}/`),
      get(fetcher, "http://unknown.example/"),
    ];
    // One of the two to the same origin waits for the other.
    await expect.poll(() => reached.length).toBe(3);
    const before = performance.now();
    await fetcher.close();
    expect(performance.now() - before).toBeLessThan(8_000);
    const replies = await Promise.all(under);
    expect(replies.map((reply) => reply.kind === "failure" && reply.failure)).toEqual(Array(4).fill("aborted"));
    expect((await getFailure(fetcher, `http://127.0.0.1:${silent}/late`)).failure).toBe("aborted");
  });
});

describe("replies", () => {
  it("never come from inside fetch", async () => {
    const fetcher = newFetcher({ allowPrivate: false });
    let inside = true;
    const reply = new Promise<boolean>((resolve) =>
      fetcher.fetch({ url: "http://127.0.0.1/", purpose: "page" }, () => resolve(inside)),
    );
    inside = false;
    expect(await reply).toBe(false);
  });
});
