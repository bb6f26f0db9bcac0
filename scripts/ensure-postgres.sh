#!/bin/sh
# Tests of many workers start a PostgreSQL server of their own. Installs the Debian package if it is missing and this
# user may install it; otherwise reports it and fails, so that a run without a server never passes.
set -eu

if [ -n "${TIDEMARK_POSTGRES_BIN:-}" ]; then
  if [ -x "$TIDEMARK_POSTGRES_BIN/postgres" ]; then exit 0; fi
  echo "ensure-postgres: TIDEMARK_POSTGRES_BIN is $TIDEMARK_POSTGRES_BIN, which has no postgres; correct or unset it" >&2
  exit 1
fi

# Debian installs the server where no PATH looks.
has_server() {
  command -v initdb >/dev/null && command -v postgres >/dev/null && return
  for folder in /usr/lib/postgresql/*/bin; do
    if [ -x "$folder/initdb" ]; then return; fi
  done
  return 1
}

if has_server; then
  exit 0
fi
if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
  echo "ensure-postgres: PostgreSQL is missing for the tests of many workers; install the package postgresql, or name" \
    "the folder of its programs with TIDEMARK_POSTGRES_BIN" >&2
  exit 1
fi
# Debian would start a server for everybody: only the programs are needed.
if [ ! -e /etc/postgresql-common ]; then
  mkdir -p /etc/postgresql-common
  echo "create_main_cluster = false" >/etc/postgresql-common/createcluster.conf
fi
export DEBIAN_FRONTEND=noninteractive
apt-get update -q >&2
apt-get install -q -y --no-install-recommends postgresql >&2
has_server
