/** What is sent with a request; the archive writes the same. */
import type { FetchRequest } from "./contract.ts";

const accept: Readonly<Record<FetchRequest["purpose"], string>> = {
  page: "text/html,application/xhtml+xml,*/*;q=0.5",
  robots: "text/plain,*/*;q=0.5",
  sitemap: "application/xml,text/xml,text/plain;q=0.8,*/*;q=0.5",
};

/** All headers in the order in which they go out over HTTP/1.1, Host first. */
export function requestHeaders(
  request: FetchRequest,
  userAgent: string,
): readonly (readonly [name: string, value: string])[] {
  const list = ownHeaders(request, userAgent);
  const pairs = list.flatMap((name, i) => (i % 2 === 0 ? [[name, list[i + 1]] as const] : []));
  return [["host", new URL(request.url).host], ["connection", "keep-alive"], ...pairs];
}

/** Those that are ours to give, name and value in turn: Host and Connection belong to the connection. */
export function ownHeaders(request: FetchRequest, userAgent: string): string[] {
  const headers = [
    "user-agent",
    userAgent,
    "accept",
    accept[request.purpose],
    "accept-encoding",
    "gzip, deflate, br",
  ];
  if (sendable(request.etag)) headers.push("if-none-match", request.etag);
  if (sendable(request.lastModified)) headers.push("if-modified-since", request.lastModified);
  return headers;
}

/** Servers send validators that no header may hold; they are not sent back. */
function sendable(validator: string | undefined): validator is string {
  return (
    validator !== undefined &&
    /^[\x21-\x7e\x80-\xff]([\x20-\x7e\x80-\xff]*[\x21-\x7e\x80-\xff])?$/.test(validator)
  );
}
