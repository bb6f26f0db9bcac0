#!/bin/sh
# The benchmark of crawlers needs nginx, and openssl for its certificate. Installs the Debian packages if they are
# missing and this user may install them; otherwise reports it and fails.
set -eu

# Debian installs nginx where only root looks.
PATH="$PATH:/usr/sbin"
if command -v nginx >/dev/null && command -v openssl >/dev/null; then
  exit 0
fi
if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
  echo "ensure-nginx: nginx or openssl is missing; install the packages nginx-light and openssl" >&2
  exit 1
fi
export DEBIAN_FRONTEND=noninteractive
apt-get update -q >&2
apt-get install -q -y --no-install-recommends nginx-light openssl >&2
nginx -v
