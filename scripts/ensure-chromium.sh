#!/bin/sh
# The browser tests need Chromium, and the DejaVu fonts, which they see alone. Installs Debian's where they are missing
# and we may; otherwise says so and fails, so that a run without a browser is never taken for a passed one.
set -eu

chromium="${CHROMIUM_PATH:-/usr/bin/chromium}"
if [ -n "${CHROMIUM_PATH:-}" ] && [ ! -x "$chromium" ]; then
  echo "ensure-chromium: CHROMIUM_PATH is $chromium, which is no executable; correct or unset it" >&2
  exit 1
fi

# Chromium reads fonts through fontconfig on Linux alone.
has_dejavu() {
  [ "$(uname)" != Linux ] ||
    [ -n "$(find /usr/share/fonts /usr/local/share/fonts "$HOME/.local/share/fonts" "$HOME/.fonts" -name DejaVuSans.ttf 2>/dev/null)" ]
}

missing=""
[ -x "$chromium" ] || missing="chromium"
has_dejavu || missing="$missing fonts-dejavu-core"
if [ -z "$missing" ]; then
  exit 0
fi
if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
  echo "ensure-chromium: missing for the browser tests: $missing; install these Debian packages, or what they are called" \
    "here (CHROMIUM_PATH names a Chromium that is not $chromium)" >&2
  exit 1
fi
export DEBIAN_FRONTEND=noninteractive
apt-get update -q >&2
# shellcheck disable=SC2086 # several packages
apt-get install -q -y --no-install-recommends $missing >&2
[ -x "$chromium" ] && has_dejavu
