import http from "node:http";
import http2 from "node:http2";
import https from "node:https";
import net from "node:net";
import tls from "node:tls";
import { describe, expect, it } from "vitest";
import type { HttpFetcherOptions } from "../../src/fetch/index.ts";
import {
  bytesServer,
  get,
  getAnswer,
  getFailure,
  later,
  listen,
  newFetcher,
  pem,
  rawServer,
  textOf,
} from "./servers.ts";

const key = pem("server-key");
const trusting: Partial<HttpFetcherOptions> = {
  certificates: [pem("ca")],
  lookup: (_host, done) => done(null, [{ address: "127.0.0.1", family: 4 }]),
};

describe("TLS", () => {
  it("is spoken under the name of the URL, with the certificates that are given", async () => {
    const names: unknown[] = [];
    const server = https.createServer({ key, cert: pem("server") }, (request, response) => {
      names.push((request.socket as tls.TLSSocket & { servername?: unknown }).servername, request.headers.host);
      response.end("safe");
    });
    const port = await listen(server);
    const fetcher = newFetcher(trusting);
    const answer = await getAnswer(fetcher, `https://secure.example:${port}/`);
    expect([textOf(answer), answer.address]).toEqual(["safe", "127.0.0.1"]);
    expect(names).toEqual(["secure.example", `secure.example:${port}`]);
  });

  it("compares an address in a URL with the certificate and sends no name", async () => {
    const server = https.createServer({ key, cert: pem("server") }, (request, response) => {
      response.end(String((request.socket as tls.TLSSocket & { servername?: unknown }).servername));
    });
    const port = await listen(server);
    expect(textOf(await getAnswer(newFetcher(trusting), `https://127.0.0.1:${port}/`))).toBe("false");
  });

  it("resumes a session with a host on a new connection", async () => {
    const reused: boolean[] = [];
    const server = https.createServer({ key, cert: pem("server") }, (request, response) => {
      reused.push((request.socket as tls.TLSSocket).isSessionReused());
      response.setHeader("connection", "close");
      response.end("x");
    });
    const port = await listen(server);
    const fetcher = newFetcher(trusting);
    for (let i = 0; i < 2; i++) await getAnswer(fetcher, `https://secure.example:${port}/`);
    expect(reused).toEqual([false, true]);
  });

  it.each<[what: string, certificate: string, host: string, trusted: boolean, message: RegExp]>([
    ["signed by itself", "self-signed", "secure.example", true, /self.signed/],
    ["that has expired", "expired", "secure.example", true, /expired/],
    ["for another host", "server", "other.example", true, /ERR_TLS_CERT_ALTNAME_INVALID/],
    ["by an unknown authority", "server", "secure.example", false, /unable to verify/],
  ])("fails by name with a certificate %s", async (_what, certificate, host, trusted, message) => {
    const port = await listen(
      https.createServer({ key, cert: pem(certificate) }, (_request, response) => response.end("x")),
    );
    const fetcher = newFetcher(trusted ? trusting : { ...trusting, certificates: [] });
    const failures = await Promise.all([1, 2].map((i) => getFailure(fetcher, `https://${host}:${port}/${i}`)));
    expect(failures.map(({ failure }) => failure)).toEqual(["tls-failed", "tls-failed"]);
    expect(failures[0]?.message).toMatch(message);
  });

  it("fails by name where the server speaks none", async () => {
    const port = await bytesServer("HTTP/1.1 400 Bad Request\r\n\r\n");
    const plain = await listen(net.createServer((socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n")));
    expect(await getFailure(newFetcher(trusting), `https://secure.example:${plain}/`)).toMatchObject({
      failure: "tls-failed",
      message: expect.stringContaining("does not speak https here; try http://"),
    });
    // This one waits for a request that never comes in clear.
    const hasty = newFetcher({ ...trusting, timeouts: { connectMs: 500 } });
    expect((await getFailure(hasty, `https://secure.example:${port}/`)).failure).toBe("connect-timeout");
  });

  it("that the server ends in the middle of the handshake is a failed connection", async () => {
    const port = await listen(net.createServer((socket) => socket.once("data", () => socket.destroy())));
    expect((await getFailure(newFetcher(trusting), `https://secure.example:${port}/`)).failure).toBe("connect-failed");
  });

  it("in place of clear text is a bad answer", async () => {
    const port = await listen(https.createServer({ key, cert: pem("server") }));
    const reply = await get(newFetcher(trusting), `http://secure.example:${port}/`);
    expect(reply.kind === "failure" && reply.failure).toMatch(/bad-answer|connection-lost/);
  });
});

describe("HTTP/2", () => {
  it("is spoken to a host that offers nothing else, from then on at once", async () => {
    let connections = 0;
    const server = http2.createSecureServer({ key, cert: pem("server") }, (_request, response) => {
      response.setHeader("X-Twice", ["a", "b"]);
      response.setHeader("Location", Buffer.from("/caf\u00e9").toString("latin1"));
      response.end("over two");
    });
    server.on("connection", () => connections++);
    const port = await listen(server);
    const fetcher = newFetcher(trusting);
    for (let i = 0; i < 3; i++) {
      const answer = await getAnswer(fetcher, `https://secure.example:${port}/${i}`);
      expect([answer.status, textOf(answer), answer.headers["x-twice"]]).toEqual([200, "over two", "a, b"]);
      expect([answer.headers["location"], answer.head?.headers.includes("/caf\u00c3\u00a9")]).toEqual([
        "/caf\u00e9",
        true,
      ]);
    }
    // One that was refused, one for the rest.
    expect(connections).toBe(2);
  });

  it("is not spoken where HTTP/1.1 is offered too", async () => {
    const server = http2.createSecureServer({ key, cert: pem("server"), allowHTTP1: true }, (request, response) => {
      response.end(request.httpVersion);
    });
    const port = await listen(server);
    expect(textOf(await getAnswer(newFetcher(trusting), `https://secure.example:${port}/`))).toBe("1.1");
  });

  it("is tried where the answer is 505, and that answer holds where it is refused too", async () => {
    let asked = 0;
    const server = https.createServer({ key, cert: pem("server") }, (_request, response) => {
      asked++;
      response.statusCode = 505;
      response.end("never");
    });
    const port = await listen(server);
    expect((await getAnswer(newFetcher(trusting), `https://secure.example:${port}/`)).status).toBe(505);
    expect(asked).toBe(2);
  });

  it.each<[what: string, misbehave: (stream: http2.ServerHttp2Stream) => void]>([
    ["a stream that is reset", (stream) => stream.close(http2.constants.NGHTTP2_INTERNAL_ERROR)],
    ["a stream that is refused", (stream) => stream.close(http2.constants.NGHTTP2_REFUSED_STREAM)],
    ["GOAWAY", (stream) => stream.session?.goaway(http2.constants.NGHTTP2_NO_ERROR)],
    [
      "data, then a reset",
      (stream) => {
        stream.respond({ ":status": 200, "content-length": 100 });
        stream.write("some", () => stream.close(http2.constants.NGHTTP2_INTERNAL_ERROR));
      },
    ],
    ["silence", () => {}],
    ["a broken connection", (stream) => stream.session?.destroy()],
  ])("with %s ends as an answer or a named failure, in time", async (_what, misbehave) => {
    const server = http2.createSecureServer({ key, cert: pem("server") });
    server.on("stream", (stream) => {
      stream.on("error", () => {});
      misbehave(stream);
    });
    server.on("session", (session) => later(() => session.destroy()));
    const port = await listen(server);
    const fetcher = newFetcher({ ...trusting, timeouts: { headersMs: 800, bodyMs: 800, totalMs: 1_500 } });
    const reply = await get(fetcher, `https://secure.example:${port}/`);
    if (reply.kind === "answer") expect(reply.truncated).toBe(true);
    else
      expect(["connection-lost", "bad-answer", "headers-timeout", "body-timeout", "total-timeout"]).toContain(
        reply.failure,
      );
    expect(reply.milliseconds).toBeLessThan(10_000);
  });
});

describe("a proxy", () => {
  const throughProxy = (port: number, except = ""): Partial<HttpFetcherOptions> => ({
    ...trusting,
    proxy: { http: `http://127.0.0.1:${port}/`, https: `http://127.0.0.1:${port}/`, except },
  });

  it("gets http URLs in full, with no lookup of ours", async () => {
    let line = "";
    const port = await rawServer((socket, head) => {
      line = head.slice(0, head.indexOf("\r\n"));
      socket.end("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nvia");
    });
    const lookup = (): never => {
      throw new Error("asked");
    };
    const answer = await getAnswer(newFetcher({ ...throughProxy(port), lookup }), "http://far.example/a?b");
    expect([textOf(answer), answer.address, line]).toEqual(["via", null, "GET http://far.example/a?b HTTP/1.1"]);
  });

  it("tunnels https, with the certificate of the target checked", async () => {
    const target = await listen(
      https.createServer({ key, cert: pem("server") }, (_request, response) => response.end("deep")),
    );
    const tunnels: string[] = [];
    const proxy = http.createServer();
    proxy.on("connect", (request, socket) => {
      tunnels.push(request.url ?? "");
      const onward = net.connect(target, "127.0.0.1", () => {
        socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
        onward.pipe(socket).pipe(onward);
      });
      onward.on("error", () => socket.destroy());
      socket.on("error", () => onward.destroy());
      later(() => onward.destroy());
    });
    const fetcher = newFetcher(throughProxy(await listen(proxy)));
    expect(textOf(await getAnswer(fetcher, "https://secure.example/"))).toBe("deep");
    expect((await getFailure(fetcher, "https://other.example/")).failure).toBe("tls-failed");
    expect(tunnels.slice(0, 2)).toEqual(["secure.example:443", "other.example:443"]);
  });

  it("that fails is named, and nothing is asked where it is the only one", async () => {
    const refusing = await rawServer((socket) => socket.end("HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n"));
    expect((await getFailure(newFetcher(throughProxy(refusing)), "https://secure.example/")).failure).toBe(
      "proxy-failed",
    );
    const asking = await rawServer((socket) => socket.end("HTTP/1.1 407 Who are you\r\nContent-Length: 0\r\n\r\n"));
    expect((await getFailure(newFetcher(throughProxy(asking)), "http://secure.example/")).failure).toBe("aborted");
    const gone = http.createServer();
    const port = await listen(gone);
    await new Promise((resolve) => gone.close(resolve));
    for (const url of ["http://secure.example/", "https://secure.example/"]) {
      expect((await getFailure(newFetcher(throughProxy(port)), url)).failure).toBe("aborted");
    }
  });

  it("is not used for excepted hosts, nor for private addresses", async () => {
    const proxy = await rawServer((socket) => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nvia"));
    const direct = await bytesServer("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\ndirect");
    const fetcher = newFetcher(throughProxy(proxy, "near.example, .inner.example"));
    expect(textOf(await getAnswer(fetcher, `http://a.near.example:${direct}/`))).toBe("direct");
    expect(textOf(await getAnswer(fetcher, "http://far.example/"))).toBe("via");
    const guarded = newFetcher({ ...throughProxy(proxy), allowPrivate: false });
    for (const url of ["http://10.0.0.1/", "http://localhost/", "https://[::1]/"]) {
      expect((await getFailure(guarded, url)).failure).toBe("address-refused");
    }
  });
});
