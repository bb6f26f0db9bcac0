/** `--verbose`: one line per fetch. */
import { systemTimers, timeStamp } from "../../base/index.ts";
import type { Fetcher, FetchRequest, Reply } from "../../fetch/index.ts";
import { shown } from "../../text/index.ts";

export type OnFetch = (request: FetchRequest, reply: Reply) => void;

/** A fetcher that calls back with every reply, before the crawl takes it in. */
export function observed(fetcher: Fetcher, onFetch: OnFetch | undefined): Fetcher {
  if (onFetch === undefined) return fetcher;
  return {
    fetch: (request, done) =>
      fetcher.fetch(request, (reply) => {
        onFetch(request, reply);
        done(reply);
      }),
    ...(fetcher.lookUp === undefined ? {} : { lookUp: (url, done) => fetcher.lookUp?.(url, done) }),
    ...(fetcher.onDown === undefined ? {} : { onDown: (listener) => fetcher.onDown?.(listener) }),
    ...(fetcher.onNote === undefined ? {} : { onNote: (listener) => fetcher.onNote?.(listener) }),
    close: () => fetcher.close(),
  };
}

/** Time, status or name of the failure, bytes of the body over the wire, milliseconds, URL; separated by blanks. */
function fetchLine({ url }: FetchRequest, reply: Reply, wallMs: number): string {
  const [outcome, bytes] = reply.kind === "answer" ? [reply.status, reply.wireBytes] : [reply.failure, 0];
  return `${timeStamp(wallMs)} ${outcome} ${bytes} ${Math.round(reply.milliseconds)} ${shown(url)}`;
}

/** Prints them, to standard error; undefined if the user does not want them. */
export function fetchPrinter(isVerbose: boolean | undefined): OnFetch | undefined {
  if (isVerbose !== true) return undefined;
  return (request, reply) => process.stderr.write(`${fetchLine(request, reply, systemTimers.wallMs())}\n`);
}
