/** What replies mean to people, in words that go on after "it": the one writer of them. */
import type { FailureName } from "../fetch/index.ts";

/** Of a verdict's reason: the name of a failure, or "status-503". Undefined for anything else. */
export function failureInWords(reason: string): string | undefined {
  const status = /^status-(\d+)$/.exec(reason)?.[1];
  if (status !== undefined) return statusInWords(Number(status));
  return Object.hasOwn(WORDS, reason) ? WORDS[reason as FailureName] : undefined;
}

function statusInWords(status: number): string {
  const named = STATUSES[status];
  if (named !== undefined) return `answers ${named} (${status})`;
  return status >= 500 ? `answers with an error of the server (${status})` : `answers with status ${status}`;
}

const STATUSES: Readonly<Record<number, string>> = {
  401: "that a login is needed",
  403: "that this is forbidden",
  404: "not found",
  410: "that it is gone",
  429: "that too much is asked of it",
  503: "that it is overloaded",
};

const WORDS: Readonly<Record<FailureName, string>> = {
  "host-not-found": "has a host that does not exist",
  "resolve-failed": "has a host that the name server does not tell",
  "address-refused": "has a private address",
  "connect-refused": "refuses connections",
  "connect-failed": "cannot be connected to",
  "connect-timeout": "does not answer",
  "tls-failed":
    "offers no safe connection (its certificate does not hold, or it does not speak https: try http://)",
  "connection-lost": "cuts the connection",
  "headers-timeout": "does not answer in time",
  "body-timeout": "stops in the middle of its answer",
  "total-timeout": "takes too long",
  "headers-too-large": "sends too many headers",
  "bad-answer": "answers with something that is no HTTP",
  "bad-compression": "is compressed in another way than it says",
  "proxy-failed": "cannot be reached through the proxy",
  aborted: "was cut off",
};
