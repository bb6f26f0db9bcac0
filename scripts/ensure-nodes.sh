#!/bin/sh
# Tests run on other Nodes too, whatever runs the test command: the newest 20, the oldest 22 with SQLite of its own, and
# 24. Installs them from the npm registry in out/nodes if they are missing. test/support/nodes.ts knows where they are.
set -eu

for version in 20.20.2 22.13.0 24.21.0; do
  folder="$(dirname "$0")/../out/nodes/${version%%.*}"
  node="$folder/node_modules/node/bin/node"
  if [ -x "$node" ] && [ "$("$node" --version)" = "v$version" ]; then
    continue
  fi
  mkdir -p "$folder"
  echo '{ "private": true }' >"$folder/package.json"
  # Its install script puts the binary for this machine in place.
  npm install --prefix "$folder" --no-audit --no-fund --ignore-scripts=false "node@$version" >&2
  "$node" --version
done
