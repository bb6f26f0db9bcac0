/** `--verbose`: one line per fetch. */
import { systemTimers, timeStamp } from "../../base/index.ts";
import { aborted, type Fetcher, type FetchRequest, type Reply } from "../../fetch/index.ts";
import { shown } from "../../text/index.ts";

export type OnFetch = (request: FetchRequest, reply: Reply) => void;

/** A fetcher that calls back with every reply, before the crawl takes it in. */
export function observed(fetcher: Fetcher, onFetch: OnFetch | undefined): Fetcher {
  if (onFetch === undefined) return fetcher;
  return withFetch(fetcher, (request, done) =>
    fetcher.fetch(request, (reply) => {
      onFetch(request, reply);
      done(reply);
    }),
  );
}

/** Until when a crawl may request its hosts. */
export interface Permission {
  /** Aborted when it may not any more. */
  readonly stop: AbortSignal;
  /** Undefined where it may; otherwise fulfilled when that is known. */
  readonly doubt: () => Promise<void> | undefined;
}

/** A fetcher whose requests wait for as long as it is in doubt whether they may be sent. */
export function permitted(fetcher: Fetcher, permission: Permission | undefined): Fetcher {
  if (permission === undefined) return fetcher;
  return withFetch(fetcher, (request, done) => {
    const doubt = permission.doubt();
    if (doubt === undefined) return fetcher.fetch(request, done);
    void doubt.then(() => (permission.stop.aborted ? done(aborted) : fetcher.fetch(request, done)));
  });
}

function withFetch(fetcher: Fetcher, fetch: Fetcher["fetch"]): Fetcher {
  return {
    fetch,
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
