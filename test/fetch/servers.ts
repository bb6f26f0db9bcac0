/** Servers on loopback and a fetcher that may reach them; everything is closed after each test. */
import { readFileSync } from "node:fs";
import net, { type AddressInfo, type Server, type Socket } from "node:net";
import { fileURLToPath } from "node:url";
import { afterEach } from "vitest";
import {
  type Answer,
  createHttpFetcher,
  type Failure,
  type Fetcher,
  type FetchRequest,
  type HttpFetcherOptions,
  type Reply,
} from "../../src/fetch/index.ts";

const closers: (() => Promise<unknown> | unknown)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

export function later(close: () => Promise<unknown> | unknown): void {
  closers.push(close);
}

/** A fetcher that may reach loopback, with limits that no server of a test comes near, even on a busy machine. */
export function newFetcher(options: Partial<HttpFetcherOptions> = {}): Fetcher {
  const timeouts = { connectMs: 60_000, headersMs: 60_000, bodyMs: 60_000, totalMs: 90_000, ...options.timeouts };
  const fetcher = createHttpFetcher({ userAgent: "tidemark-test", allowPrivate: true, ...options, timeouts });
  later(() => fetcher.close());
  return fetcher;
}

export function get(fetcher: Fetcher, url: string, rest: Partial<FetchRequest> = {}): Promise<Reply> {
  return new Promise((done, fail) => {
    let replies = 0;
    fetcher.fetch({ url, purpose: "page", ...rest }, (reply) => {
      if (++replies > 1) fail(new Error("a second reply"));
      done(reply);
    });
  });
}

export async function getAnswer(fetcher: Fetcher, url: string, rest: Partial<FetchRequest> = {}): Promise<Answer> {
  const reply = await get(fetcher, url, rest);
  if (reply.kind !== "answer") throw new Error(`expected an answer, got ${reply.failure}: ${reply.message}`);
  return reply;
}

export async function getFailure(fetcher: Fetcher, url: string, rest: Partial<FetchRequest> = {}): Promise<Failure> {
  const reply = await get(fetcher, url, rest);
  if (reply.kind !== "failure") throw new Error(`expected a failure, got status ${reply.status}`);
  return reply;
}

export function textOf(answer: Answer): string {
  return new TextDecoder().decode(answer.body);
}

/** Listens on a free port of 127.0.0.1; connections still open at the end are cut. */
export async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  later(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => server.close(resolve));
  });
  return (server.address() as AddressInfo).port;
}

/** A TCP server that runs `talk` for each connection once the head of a request has come. */
export async function rawServer(talk: (socket: Socket, head: string) => void): Promise<number> {
  return listen(
    net.createServer((socket) => {
      let head = "";
      socket.on("data", (chunk) => {
        head += chunk.toString("latin1");
        if (!head.includes("\r\n\r\n")) return;
        const whole = head;
        head = "";
        talk(socket, whole);
      });
    }),
  );
}

/** Answers every request with these bytes and closes. */
export function bytesServer(bytes: string | Uint8Array): Promise<number> {
  return rawServer((socket) => socket.end(bytes));
}

/** PEM texts: "ca", "server" (secure.example, *.secure.example, 127.0.0.1), "expired", "self-signed", "server-key". */
export function pem(name: string): string {
  return readFileSync(fileURLToPath(new URL(`certificates/${name}.pem`, import.meta.url)), "utf8");
}
