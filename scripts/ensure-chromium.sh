#!/bin/sh
# The browser tests need Chromium and the DejaVu fonts, the only fonts that they use. Installs the Debian packages if
# they are missing and this user may install them; otherwise reports it and fails, so that a run without a browser never
# passes.
set -eu

chromium="${CHROMIUM_PATH:-/usr/bin/chromium}"
if [ -n "${CHROMIUM_PATH:-}" ] && [ ! -x "$chromium" ]; then
  echo "ensure-chromium: CHROMIUM_PATH is $chromium, which is not executable; correct or unset it" >&2
  exit 1
fi

# Chromium uses fontconfig only on Linux.
has_dejavu() {
  folders="/usr/share/fonts /usr/local/share/fonts $HOME/.local/share/fonts $HOME/.fonts"
  # shellcheck disable=SC2086 # several folders
  [ "$(uname)" != Linux ] || [ -n "$(find $folders -name DejaVuSans.ttf 2>/dev/null)" ]
}

missing=""
[ -x "$chromium" ] || missing="chromium"
has_dejavu || missing="$missing fonts-dejavu-core"
if [ -z "$missing" ]; then
  exit 0
fi
if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
  echo "ensure-chromium: missing for the browser tests: $missing; install these Debian packages, or the packages" \
    "of your system for them (CHROMIUM_PATH names a Chromium other than $chromium)" >&2
  exit 1
fi
export DEBIAN_FRONTEND=noninteractive
apt-get update -q >&2
# shellcheck disable=SC2086 # several packages
apt-get install -q -y --no-install-recommends $missing >&2
[ -x "$chromium" ] && has_dejavu
