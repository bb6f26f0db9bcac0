/**
 * `--auth-file FILE` and the variable TIDEMARK_AUTH: user names and passwords, one per line, as host, user, password.
 * A host is `www.example.com` (https), `www.example.com:8443`, or an origin such as `http://localhost:8080`. The
 * password is the rest of the line. Errors repeat nothing of a line: its words may be in the wrong order.
 */
import { UsageError } from "../../base/index.ts";
import type { Credential } from "../../fetch/index.ts";
import { wrongLine } from "./files.ts";

/** `name` is what errors call the text. */
export function parseCredentials(text: string, name: string): Credential[] {
  const lines = new Map<string, number>();
  const credentials: Credential[] = [];
  for (const [k, line] of text.split(/\r\n|\n|\r/).entries()) {
    const trimmed = line.trim();
    if (trimmed === "" || trimmed.startsWith("#")) continue;
    const credential = parseCredential(trimmed, (problem) => wrongLine(name, k + 1, problem));
    const before = lines.get(credential.origin);
    if (before !== undefined) throw wrongLine(name, k + 1, `${credential.origin} is in line ${before} already`);
    lines.set(credential.origin, k + 1);
    credentials.push(credential);
  }
  if (credentials.length === 0) throw new UsageError(`${name}: is empty; expected ${EXPECTED}, one host per line`);
  return credentials;
}

const EXPECTED = "a host, a user name and a password, separated by blanks";

function parseCredential(line: string, wrong: (problem: string) => UsageError): Credential {
  const [, host, user, secret] = /^(\S+)\s+(\S+)\s+(.+)$/s.exec(line) ?? [];
  if (secret === undefined) throw wrong(`expected ${EXPECTED}`);
  const origin = originOf(host);
  if (origin === undefined) {
    throw wrong(
      "the first word is no host; expected one such as www.example.com, www.example.com:8443 or http://localhost:8080",
    );
  }
  if (user.includes(":")) throw wrong("the user name has a colon, which HTTP Basic does not allow");
  return { origin, user, secret };
}

function originOf(host: string): string | undefined {
  const written = host.includes("://") ? host : `https://${host}`;
  if (!/^https?:\/\/[^/?#@*]+\/?$/i.test(written) || !URL.canParse(written)) return undefined;
  return new URL(written.replace(/\.(?=(?::\d+)?\/?$)/, "")).origin;
}
