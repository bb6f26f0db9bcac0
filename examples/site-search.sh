#!/bin/sh
# Site search: crawls a site by importance, then searches the text of its pages.
#
#     sh site-search.sh https://www.example.com/ 'opening hours' [options of tidemark crawl]
#
# The first search crawls until 90% of all importance is covered. Later ones find the crawl as it is.
set -eu
url=${1:?the URL of a site is missing}
words=${2:?words to search for are missing}
shift 2
host=${url#*://}
dir=search-${host%%/*}

npx tidemark crawl "$url" --dir "$dir" --store text --coverage 0.9 "$@"
npx tidemark search "$dir" --top 5 -- "$words"
