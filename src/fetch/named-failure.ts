/**
 * An error with the name of a failure, and the failures that correspond to the errors of sockets, TLS, the parser and
 * the resolver.
 *
 * Every error gets a name. An unknown error is a bad answer, since all that is left by then is what the server sent.
 * This includes assertions of the HTTP library, which some malformed status lines trigger.
 */
import type { FailureName } from "./contract.ts";

export class NamedFailure extends Error {
  override readonly name = "NamedFailure";
  readonly failure: FailureName;

  constructor(failure: FailureName, message: string) {
    super(message);
    this.failure = failure;
  }
}

/** The failure for an error on an open connection. */
export function failureOf(error: Error): NamedFailure {
  if (error instanceof NamedFailure) return error;
  const code = codeOf(error);
  const name = byCode.get(code) ?? (code.startsWith("HPE_") ? "bad-answer" : undefined);
  if (name !== undefined) return new NamedFailure(name, messageOf(error));
  if (code === "UND_ERR_SOCKET") {
    const broken = error.message.startsWith("bad ");
    return new NamedFailure(broken ? "bad-answer" : "connection-lost", messageOf(error));
  }
  return new NamedFailure(isTls(code) ? "tls-failed" : "bad-answer", messageOf(error));
}

/** The failure for an error before a connection was established; `encrypting` once the handshake had begun. */
export function connectFailureOf(error: Error, { encrypting }: { readonly encrypting: boolean }): NamedFailure {
  if (error instanceof NamedFailure) return error;
  const code = codeOf(error);
  if (code === "ECONNREFUSED") return new NamedFailure("connect-refused", messageOf(error));
  if (code === "ETIMEDOUT") return new NamedFailure("connect-timeout", messageOf(error));
  const network = code.startsWith("E") && !code.startsWith("ERR_") && code !== "EPROTO";
  return new NamedFailure(encrypting && !network ? "tls-failed" : "connect-failed", messageOf(error));
}

/** What resolvers say of names without an address, and of texts that can be no name. */
export const NO_ADDRESS: ReadonlySet<string> = new Set(["ENOTFOUND", "ENODATA", "EBADNAME"]);

/** The failure for an error of the resolver. Some systems report ENOTFOUND also when they are offline. */
export function resolveFailureOf(error: Error): NamedFailure {
  return new NamedFailure(NO_ADDRESS.has(codeOf(error)) ? "host-not-found" : "resolve-failed", messageOf(error));
}

/** The failure for an error behind a proxy: before a response that of the proxy, except for certificates. */
export function proxyFailureOf(error: Error): NamedFailure {
  const code = codeOf(error);
  if (isTls(code)) return new NamedFailure("tls-failed", messageOf(error));
  const named = failureOf(error);
  const proxy = named.failure === "bad-answer" && !code.startsWith("HPE_");
  return proxy || code.startsWith("ECONN") || code.startsWith("EHOST")
    ? new NamedFailure("proxy-failed", messageOf(error))
    : named;
}

/** Errors of reaching the proxy itself: whatever the site does, it cannot cause these. */
const PROXY_CODES: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "EHOSTDOWN",
  "ENETUNREACH",
  "ENETDOWN",
  "ENOTFOUND",
  "EAI_AGAIN",
]);

/**
 * What an error before a response says about the proxy; undefined for one of the site's certificate, which says
 * nothing. Behind a tunnel a connection that is not made in time may be that to the site.
 */
export function proxyOutcomeOf(error: Error, url: URL): "fails" | "asks" | "doubtful" | undefined {
  const code = codeOf(error);
  if (/^Proxy .*\(407\)/.test(error.message)) return "asks";
  if (PROXY_CODES.has(code)) return "fails";
  if (code === "UND_ERR_CONNECT_TIMEOUT" && url.protocol === "http:") return "fails";
  return isTls(code) ? undefined : "doubtful";
}

export function codeOf(error: Error): string {
  return "code" in error && typeof error.code === "string" ? error.code : "";
}

const byCode: ReadonlyMap<string, FailureName> = new Map([
  ["UND_ERR_CONNECT_TIMEOUT", "connect-timeout"],
  ["UND_ERR_HEADERS_TIMEOUT", "headers-timeout"],
  ["UND_ERR_BODY_TIMEOUT", "body-timeout"],
  ["UND_ERR_HEADERS_OVERFLOW", "headers-too-large"],
  ["HPE_HEADER_OVERFLOW", "headers-too-large"],
  ["HPE_INVALID_EOF_STATE", "connection-lost"],
  ["UND_ERR_DESTROYED", "aborted"],
  ["UND_ERR_CLOSED", "aborted"],
  ["ECONNRESET", "connection-lost"],
  ["EPIPE", "connection-lost"],
  ["ETIMEDOUT", "connection-lost"],
  ["ECONNABORTED", "connection-lost"],
  ["EHOSTUNREACH", "connection-lost"],
  ["ENETUNREACH", "connection-lost"],
]);

const OTHER_TLS_CODE = /^INVALID_(CA|PURPOSE)|^PATH_LENGTH|^HOSTNAME_|^EPROTO$|^UND_ERR_PRX_TLS$/;

/** Errors of OpenSSL (ERR_SSL_..., ERR_TLS_...) and X.509 (CERT_HAS_EXPIRED, UNABLE_TO_VERIFY_LEAF_SIGNATURE). */
function isTls(code: string): boolean {
  return /^ERR_(SSL|TLS)_|CERT|UNABLE_TO_|SIGNATURE/.test(code) || OTHER_TLS_CODE.test(code);
}

function messageOf(error: Error): string {
  // If several addresses failed, the inner errors say more than the outer one.
  const inner =
    error instanceof AggregateError && error.message === "" ? error.errors.map(String).join("; ") : error.message;
  const code = codeOf(error);
  if (/wrong version number|packet length too long/i.test(inner)) {
    return `the server does not speak https here; try http:// (${code})`;
  }
  return code === "" || inner.includes(code) ? inner : `${inner} (${code})`;
}
