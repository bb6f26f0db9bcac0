/** Which certificates are trusted: Node's own, those of the system, and those that the user names. */
import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import tls, { type SecureContext } from "node:tls";
import { UsageError } from "../base/index.ts";

/** Where systems keep their store in one file: Debian and Arch, Fedora, SUSE, macOS and BSD. */
const stores = [
  "/etc/ssl/certs/ca-certificates.crt",
  "/etc/pki/tls/certs/ca-bundle.crt",
  "/etc/ssl/ca-bundle.pem",
  "/etc/ssl/cert.pem",
];

/**
 * The system's own settings as PEM texts: SSL_CERT_FILE, else the store of the system; NODE_EXTRA_CA_CERTS beside it.
 * Files that are not there are no error, as with curl and Node.
 */
export function systemCertificates(environment: Readonly<Record<string, string | undefined>>): string[] {
  const named = environment["SSL_CERT_FILE"];
  const store = (named === undefined ? stores : [named]).map(readable).find((text) => text !== "") ?? "";
  const extra = readable(environment["NODE_EXTRA_CA_CERTS"] ?? "");
  return [store, extra].filter((text) => text !== "");
}

/** One context for all connections: making one takes milliseconds. */
export function secureContextOf(certificates: readonly string[]): SecureContext {
  if (certificates.length === 0) return tls.createSecureContext();
  for (const text of certificates) checkPem(text);
  return tls.createSecureContext({ ca: [...tls.rootCertificates, ...certificates] });
}

/** OpenSSL itself passes over what it cannot read; every connection would then fail for no visible reason. */
function checkPem(text: string): void {
  try {
    void new X509Certificate(text);
  } catch (error) {
    const got = JSON.stringify(text.slice(0, 40));
    throw new UsageError(
      `got ${got}; expected certificates in PEM form, -----BEGIN CERTIFICATE----- (${String(error)})`,
    );
  }
}

function readable(path: string): string {
  try {
    return path === "" ? "" : readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
