#!/bin/sh
# Archive to WARC: a copy of a site that replays in a browser, and proof of how much of the site it holds.
#
#     sh archive-to-warc.sh https://www.example.com/ [options of tidemark crawl]
#
# archive-HOST/warc/ has gzipped WARC files with an index; ReplayWeb.page and pywb show them.
set -eu
url=${1:?the URL of a site is missing}
shift
host=${url#*://}
dir=archive-${host%%/*}

npx tidemark crawl "$url" --dir "$dir" --warc --requisites --coverage 0.95 "$@"
npx tidemark coverage "$dir"
ls -l "$dir/warc"
