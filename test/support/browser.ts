/**
 * Debian's Chromium for tests of what a reader sees. A missing browser fails the tests that need it: a page that nobody
 * opened is not tested. `scripts/ensure-chromium.sh` installs it.
 */
import { fileURLToPath } from "node:url";
import { type Browser, chromium } from "playwright-core";

/**
 * "dejavu" sees no other fonts, so that tests find the same letters on every machine; "system" sees all that are
 * installed.
 */
export type Fonts = "dejavu" | "system";

const ONLY_DEJAVU = fileURLToPath(new URL("only-dejavu.conf", import.meta.url));

/** A browser with a fresh profile, which goes when it is closed. */
export function startBrowser(fonts: Fonts = "dejavu"): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium",
    headless: true,
    env: { ...process.env, ...(fonts === "dejavu" && { FONTCONFIG_FILE: ONLY_DEJAVU }) },
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}
