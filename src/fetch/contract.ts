/**
 * Fetching one URL: the contract of the real network and of its simulated counterparts.
 *
 * A fetcher follows no redirects, keeps no queue and never throws: whatever a server does, `done` is called exactly
 * once, with an answer or a named failure. What a status or a failure means for the crawl is in verdicts.ts.
 */

/** A request for one URL. */
export interface FetchRequest {
  /** Absolute, canonical, http or https. */
  readonly url: string;
  /** What the response is for: it decides the Accept header and how many bytes are read. */
  readonly purpose: "page" | "robots" | "sitemap" | "requisite";
  /** Without headers, cookies and credentials of the session (default: false). */
  readonly isAnonymous?: boolean;
  /** To be sent in the place of our own of the same name; names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Validators of an earlier response, for a conditional request. */
  readonly etag?: string;
  readonly lastModified?: string;
  /** On whose behalf, and until when it may be sent; left out where there is no such limit. */
  readonly lease?: RequestLease;
}

/** The right of a process to request a host, which another may have later. */
interface RequestLease {
  readonly owner: number;
  /** By the clock of the fetcher. A request that would be sent later ends with the failure `aborted`. */
  readonly untilMs: number;
}

/** A response of a server, whatever its status. */
export interface Answer {
  readonly kind: "answer";
  readonly status: number;
  /** Names in lower case. Repeated headers are joined by ", "; of Location and the like only the first counts. */
  readonly headers: Readonly<Record<string, string>>;
  /** Decompressed; empty if the status has none. */
  readonly body: Uint8Array;
  /** Whether the body was longer than the limit for its purpose, or ended too early; `body` is what was received. */
  readonly truncated: boolean;
  /** Why less arrived than the server meant to send; left out if all of it did, and where nobody knows. */
  readonly truncatedBy?: Truncation | undefined;
  /** The head as it came, for archives; left out by a simulated network, which has no wire. */
  readonly head?: ResponseHead;
  /** What of this exchange nobody may learn; left out if there is nothing. */
  readonly withheld?: Withheld;
  /** Bytes of the body over the wire. */
  readonly wireBytes: number;
  /** The address of the server; null if there is none (a proxy, a simulated network). */
  readonly address: string | null;
  readonly milliseconds: number;
}

/** The words of WARC 1.1, 5.13: our limit, the end of the connection, or a compressed body that stops halfway. */
export type Truncation = "length" | "disconnect" | "unspecified";

/** What a server sent before the body, as it spelled and ordered it; corrected if it was against the rules. */
export interface ResponseHead {
  /** The words after the status, such as "Not Found"; empty if there are none, as over HTTP/2. */
  readonly reason: string;
  /** Names and values alternating, repeated ones too; one character per byte. */
  readonly headers: readonly string[];
}

/** Headers that belong to a session (sessions.ts), by their names in lower case. */
export interface Withheld {
  /** Sent, and not to be told. */
  readonly request: readonly string[];
  /** Received, and blank in this answer. */
  readonly response: readonly string[];
}

/** A request that got no usable response. */
export interface Failure {
  readonly kind: "failure";
  readonly failure: FailureName;
  /** For people: what exactly went wrong. */
  readonly message: string;
  readonly address: string | null;
  readonly milliseconds: number;
}

/** What came of a request. */
export type Reply = Answer | Failure;

/** Gets pages: over the network, or from a simulated web. */
export interface Fetcher {
  fetch(request: FetchRequest, done: (reply: Reply) => void): void;
  /**
   * Looks up the name of a URL, so that the next request there need not wait for it. Calls back, perhaps at once, with
   * how long the outcome may be used, be it addresses or a failure. Left out where names need no looking up.
   */
  lookUp?(url: string, done: (validForMs: number) => void): void;
  /**
   * Calls back once, with the reason, if nothing can be fetched any more: no proxy works. Requests then end with the
   * failure `aborted`, which says nothing about their URLs. Left out where this cannot happen.
   */
  onDown?(listener: (why: string) => void): void;
  /**
   * Calls back with what the user should mend though requests go on, each thing once: a proxy wants a password. Left
   * out where there is nothing of the kind.
   */
  onNote?(listener: (note: string) => void): void;
  /** Ends the requests in flight of an owner with the failure `aborted`. Left out where requests have none. */
  cancel?(owner: number): void;
  /** Ends all requests in flight with the failure `aborted`, and frees all resources. */
  close(): Promise<void>;
}

/** Everything that can go wrong between a request and a complete response. verdicts.ts says what each means. */
export const failureNames = [
  /** The name has no address: the host does not exist. */
  "host-not-found",
  /** The resolver did not respond or failed; the host may exist. */
  "resolve-failed",
  /** The host has a private or otherwise special address, to which a public crawl never connects. */
  "address-refused",
  "connect-refused",
  "connect-failed",
  "connect-timeout",
  /** An invalid certificate, or no common protocol. */
  "tls-failed",
  /** The connection ended before the response began. */
  "connection-lost",
  "headers-timeout",
  "body-timeout",
  /** The whole exchange took too long. */
  "total-timeout",
  /** The headers exceed the limit. */
  "headers-too-large",
  /** Not HTTP, or a violation of the protocol. */
  "bad-answer",
  /** The body is not compressed as its header says. */
  "bad-compression",
  "proxy-failed",
  /** The crawl is stopping. */
  "aborted",
] as const;

/** The name of a failure. */
export type FailureName = (typeof failureNames)[number];

/** What comes of a request that its closed fetcher never sent. */
export const aborted: Failure = {
  kind: "failure",
  failure: "aborted",
  message: "the crawl is stopping",
  address: null,
  milliseconds: 0,
};
