#!/bin/sh
# The browser tests need Chromium. Installs Debian's where it is missing and we may; otherwise says so and fails, so
# that a run without a browser is never taken for a passed one.
set -eu

chromium="${CHROMIUM_PATH:-/usr/bin/chromium}"
if [ -x "$chromium" ]; then
  exit 0
fi
if [ -n "${CHROMIUM_PATH:-}" ]; then
  echo "ensure-chromium: CHROMIUM_PATH is $chromium, which is no executable; correct or unset it" >&2
  exit 1
fi
if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
  echo "ensure-chromium: $chromium is missing; install the package chromium, or set CHROMIUM_PATH to a Chromium" >&2
  exit 1
fi
export DEBIAN_FRONTEND=noninteractive
apt-get update -q >&2
apt-get install -q -y --no-install-recommends chromium >&2
test -x "$chromium"
