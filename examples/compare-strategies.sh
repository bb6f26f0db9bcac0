#!/bin/sh
# Compare strategies: after how many pages would each crawl order have had 90% of a site, and proven it?
#
#     sh compare-strategies.sh https://www.example.com/ [options of tidemark crawl]
#
# It crawls a sample of the site, then runs the orders on the links of that sample, without another request.
set -eu
url=${1:?the URL of a site is missing}
shift
host=${url#*://}
dir=sample-${host%%/*}

npx tidemark crawl "$url" --dir "$dir" --max-pages 1000 "$@"
npx tidemark simulate "$dir" --order rankmass,fpr,opic,lneighbor,random --coverage 0.9 --report "$dir.html"
