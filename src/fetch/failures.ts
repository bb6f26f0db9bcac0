/** Everything that can go wrong between a request and a whole answer, by name. What each means stands in verdicts.ts. */
export const failureNames = [
  /** The name has no address: there is no such host. */
  "host-not-found",
  /** The resolver did not answer or failed; the host may exist. */
  "resolve-failed",
  /** The host leads to a private or otherwise special address, which a public crawl never asks. */
  "address-refused",
  "connect-refused",
  "connect-failed",
  "connect-timeout",
  /** A certificate that does not hold, or no common protocol. */
  "tls-failed",
  /** The connection ended before the answer was begun. */
  "connection-lost",
  "headers-timeout",
  "body-timeout",
  /** Everything together took too long. */
  "total-timeout",
  /** Headers that go on and on. */
  "headers-too-large",
  /** No HTTP, or HTTP that breaks the protocol. */
  "bad-answer",
  /** A body that is not compressed the way its header says. */
  "bad-compression",
  "proxy-failed",
  /** The crawl is stopping. */
  "aborted",
] as const;

export type FailureName = (typeof failureNames)[number];
