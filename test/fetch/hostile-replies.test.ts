/** Raw replies of outside suites, and servers that misbehave: always an answer or a failure with a name, in time. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { failureNames, type Reply } from "../../src/fetch/index.ts";
import { sharedPath } from "../support/shared.ts";
import { get, newFetcher, rawServer } from "./servers.ts";

interface CurlCase {
  readonly test: number;
  readonly name: string;
  readonly curlExit: number;
  readonly plainGet: boolean;
  readonly replies: readonly { readonly b64: string }[];
}

const curlPath = sharedPath("suites/http-replies.json");
const llhttpPath = sharedPath("suites/http-llhttp.json");

describe.runIf(curlPath !== undefined)("replies of curl's test suite", () => {
  it("all end as an answer or a named failure within the time limit", async () => {
    const { cases } = JSON.parse(readFileSync(curlPath ?? "", "utf8")) as { cases: readonly CurlCase[] };
    const bodies = cases.flatMap(({ test, replies }) =>
      replies.map(({ b64 }) => ({ what: `curl ${test}`, b64 })),
    );
    const replies = await serveAll(bodies.map(({ b64 }) => Buffer.from(b64, "base64")));
    expect(replies.filter((reply) => !isNamed(reply))).toEqual([]);
    expect(replies).toHaveLength(bodies.length);
    const answers = replies.filter(({ kind }) => kind === "answer").length;
    console.log("answers", answers, "of", bodies.length);
    const tally: Record<string, number> = {};
    for (const r of replies)
      if (r.kind === "failure")
        tally[r.failure + " " + r.message] = (tally[r.failure + " " + r.message] ?? 0) + 1;
    console.log(tally);
  });
});

describe.runIf(llhttpPath !== undefined)("replies of llhttp's test suite", () => {
  it("all end as an answer or a named failure within the time limit", async () => {
    const { cases } = JSON.parse(readFileSync(llhttpPath ?? "", "utf8")) as {
      cases: readonly { b64: string }[];
    };
    const replies = await serveAll(cases.map(({ b64 }) => Buffer.from(b64, "base64")));
    expect(replies.filter((reply) => !isNamed(reply))).toEqual([]);
    expect(replies).toHaveLength(cases.length);
  });
});

/** Case i is asked for as /i; every connection is closed after the reply, as the suite has it. */
async function serveAll(bodies: readonly Uint8Array[]): Promise<Reply[]> {
  const port = await rawServer((socket, head) => {
    const index = Number(/^GET \/(\d+) /.exec(head)?.[1]);
    socket.end(bodies[index]);
  });
  const fetcher = newFetcher({ connections: 16 });
  return Promise.all(bodies.map((_, i) => get(fetcher, `http://127.0.0.1:${port}/${i}`)));
}

function isNamed(reply: Reply): boolean {
  if (reply.kind === "failure") return failureNames.includes(reply.failure) && reply.milliseconds < 6_000;
  return reply.status >= 100 && reply.milliseconds < 6_000;
}
