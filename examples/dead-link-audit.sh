#!/bin/sh
# Dead-link audit: each URL of a site that leads to nothing, and the pages to mend, the most important first.
#
#     sh dead-link-audit.sh https://www.example.com/ [options of tidemark crawl]
#
# Each page is listed with the text of its link. audit-HOST.csv has the same as a table. The exit code is 1 if anything
# is dead, so that a CI job fails.
set -eu
url=${1:?the URL of a site is missing}
shift
host=${url#*://}
dir=audit-${host%%/*}

npx tidemark crawl "$url" --dir "$dir" --anchors "$@"
npx tidemark export "$dir" --format broken-links --out "$dir.csv"
npx tidemark export "$dir" --format broken-links --json | node -e '
  const pagesOf = new Map();
  for (const line of fs.readFileSync(0, "utf8").split("\n").filter(Boolean)) {
    const { target, reason, source, anchorText } = JSON.parse(line);
    const dead = `${target} (${reason})`;
    pagesOf.set(dead, [...(pagesOf.get(dead) ?? []), `${source} "${anchorText ?? ""}"`]);
  }
  console.log(`\nDead URLs: ${pagesOf.size}`);
  for (const [dead, pages] of pagesOf) console.log([dead, ...pages].join("\n  <- "));
  process.exitCode = pagesOf.size > 0 ? 1 : 0;'
