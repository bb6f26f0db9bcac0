/**
 * Debian's Chromium for tests of what a reader sees. A missing browser fails the tests that need it: a page that nobody
 * opened is not tested. `scripts/ensure-chromium.sh` installs it.
 */
import { type Browser, chromium } from "playwright-core";

/** A browser with a fresh profile, which goes when it is closed. */
export function startBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium",
    headless: true,
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
