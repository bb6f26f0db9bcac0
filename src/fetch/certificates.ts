/** Which certificates are trusted: those of Node, of the system, and of the user. */
import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import tls, { type SecureContext } from "node:tls";
import { UsageError } from "../base/index.ts";

/** Where systems store their certificates in one file: Debian and Arch, Fedora, SUSE, macOS and BSD. */
const stores = [
  "/etc/ssl/certs/ca-certificates.crt",
  "/etc/pki/tls/certs/ca-bundle.crt",
  "/etc/ssl/ca-bundle.pem",
  "/etc/ssl/cert.pem",
];

/**
 * The certificates of the system as PEM texts: SSL_CERT_FILE, or else the store of the system; and NODE_EXTRA_CA_CERTS.
 * Missing files are no error, as with curl and Node.
 */
export function systemCertificates(environment: Readonly<Record<string, string | undefined>>): string[] {
  const named = environment["SSL_CERT_FILE"];
  const store = (named === undefined ? stores : [named]).map(readable).find((text) => text !== "") ?? "";
  const extra = readable(environment["NODE_EXTRA_CA_CERTS"] ?? "");
  return [store, extra].filter((text) => text !== "");
}

/** One context for all connections, since making one takes milliseconds. */
export function secureContextOf(certificates: readonly string[]): SecureContext {
  if (certificates.length === 0) return tls.createSecureContext();
  for (const text of certificates) checkPem(text);
  return tls.createSecureContext({ ca: [...tls.rootCertificates, ...certificates] });
}

/** OpenSSL ignores what it cannot read; every connection would then fail for no visible reason. */
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
