#!/bin/sh
# The store has two SQLite drivers, and a Node has only one of them. Its tests run on a second Node too: the oldest one
# with SQLite of its own, from the npm registry. Installs it in out/ if it is missing.
set -eu

version=22.13.0
folder="$(dirname "$0")/../out/second-node"
node="$folder/node_modules/node/bin/node"
if [ -x "$node" ] && [ "$("$node" --version)" = "v$version" ]; then
  exit 0
fi
mkdir -p "$folder"
echo '{ "private": true }' >"$folder/package.json"
# Its install script fetches the binary for this machine.
npm install --prefix "$folder" --no-audit --no-fund --ignore-scripts=false "node@$version" >&2
"$node" --version
