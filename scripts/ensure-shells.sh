#!/bin/sh
# Completion is tried in real shells, and the manual page is formatted. Installs the Debian packages if they are missing
# and this user may install them; otherwise reports it and fails.
set -eu

missing=""
for pair in bash:bash zsh:zsh fish:fish groff:groff-base; do
  command -v "${pair%%:*}" >/dev/null || missing="$missing ${pair#*:}"
done
if [ -z "$missing" ]; then
  exit 0
fi
if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
  echo "ensure-shells: missing for the tests of completion: $missing; install these packages" >&2
  exit 1
fi
export DEBIAN_FRONTEND=noninteractive
apt-get update -q >&2
# shellcheck disable=SC2086 # several packages
apt-get install -q -y --no-install-recommends $missing >&2
