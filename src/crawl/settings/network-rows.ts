/** The settings of the network: identity, session, addresses, proxies, time-outs and threads. */
import { resolve as absolute } from "node:path";
import { duration, file, list, listOrNone, NONE, nameServer, orNull, text, toggle, wholeNumber } from "./kinds.ts";
import type { Row } from "./setting.ts";

/** Part of a header of HTTP. */
const headerText = {
  accepts: (given: string) => /^[\x20-\x7e]+$/.test(given),
  expected: "printable ASCII characters, as HTTP headers have them",
};

export const networkRows = {
  userAgent: {
    kind: text({ placeholder: "text", ...headerText }),
    help: "how to identify to servers; the name to look for in robots.txt is part of it",
    defaultInWords: "tidemark/VERSION",
    stored: "network.userAgent",
  },
  contact: {
    kind: text({ placeholder: "where", ...headerText }),
    help: "URL or mail address for the user agent, so that site owners can reach you",
  },
  // Its kind takes any text, because an error about a kind repeats what was given.
  header: {
    kind: list({ placeholder: "header" }),
    help: "'Name: value' to send to the hosts of the seeds; may be repeated; not stored",
    givenBy: "command",
  },
  cookieFile: {
    kind: file,
    help: "cookies to send, as browsers and curl export them: Netscape or JSON; not stored",
    givenBy: "command",
  },
  cookies: {
    kind: toggle,
    help: "take the cookies that hosts set, and send them back; they are forgotten at the end of the run",
    default: false,
    stored: "network.cookies",
  },
  authFile: {
    kind: file,
    help: "user names and passwords for HTTP Basic, one per line: host, user, password; not stored",
    defaultInWords: "the variable TIDEMARK_AUTH",
    givenBy: "command",
  },
  allowPrivate: {
    kind: toggle,
    help: "also fetch from private and local addresses, for hosts of your own",
    default: false,
    stored: "network.allowPrivate",
  },
  allowPrivateHost: {
    kind: list({ placeholder: "name" }),
    help: "the same for this host alone, or *.NAME for all below it; may be repeated",
    stored: "network.allowPrivate",
  },
  resolve: {
    kind: listOrNone({ placeholder: "host:address" }),
    help: "address to use for a host; may be repeated; none removes earlier rules",
    default: [],
    stored: "network.resolve",
  },
  dns: {
    kind: nameServer,
    help:
      "how names are looked up: direct (by the name servers of this machine, many at once), system (as other " +
      "programs do it, few at once), or by the name server at this address",
    default: "direct",
    stored: "network.dns",
  },
  ca: {
    kind: orNull(text({ placeholder: "file", kept: (path) => absolute(path) })),
    help: "PEM file of certificates to trust as well as those of the system",
    default: null,
    stored: "network.ca",
  },
  proxy: {
    kind: orNull(text({ placeholder: "url" })),
    help: "proxy to use; none for no proxy at all",
    default: null,
    defaultInWords: "that of the environment",
    stored: "network.proxy",
  },
  proxyFile: {
    kind: orNull(text({ placeholder: "file", kept: (path) => (path === NONE ? NONE : absolute(path)) })),
    help:
      "proxies to choose from, one per line: each host keeps to one, and those that fail rest; none for no " +
      "such file",
    default: null,
    stored: "network.proxyFile",
  },
  timeout: {
    kind: duration,
    help: "abort a request that takes longer than this, from connecting to the last byte",
    default: 60_000,
    stored: "network.timeoutMs",
  },
  browserSandbox: {
    kind: toggle,
    help: "keep Chromium in its sandbox while it runs the scripts of --render",
    default: true,
    stored: "network.browserSandbox",
  },
  readers: {
    kind: wholeNumber(0, 64),
    help: "threads that parse pages; 0 parses them in the main thread",
    defaultInWords: "one less than processors",
    givenBy: "command",
  },
  workers: {
    kind: wholeNumber(1, 256),
    help:
      "processes that crawl together, each its own hosts; for webs of many hosts that one processor cannot " +
      "keep up with",
    default: 1,
    givenBy: "command",
  },
} as const satisfies Readonly<Record<string, Row>>;
