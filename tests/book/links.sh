#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# links.sh SOURCE: each link of a page leads to a file that is there, and to a heading of it where it names one. Pages of docs/ lead to what the book has:
# docs/ itself, and what tools/book puts beside it.
cd "$1" || exit 1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# headings FILE: its anchors, as mkdocs makes them of headings outside of blocks of code
headings() {
    awk '/^```/ { code = !code } !code && /^#+ / { sub(/^#+ /, ""); gsub(/`/, ""); gsub(/[^A-Za-z0-9_ -]/, ""); gsub(/ +/, "-"); print tolower($0) }' "$1"
}
# links FILE: FILE:LINE TARGET of each link, outside of code
links() {
    awk -v f="$1" '/^```/ { code = !code } !code {
        line = $0
        gsub(/`[^`]*`/, "", line)
        while (match(line, /\]\([^)]*\)/)) { print f ":" FNR " " substr(line, RSTART + 2, RLENGTH - 3); line = substr(line, RSTART + RLENGTH) }
    }' "$1"
}
# in_book PAGE FILE: whether the book has the file, where it has the page
in_book() {
    case $(realpath -m --relative-to=. "$1") in docs/*) ;; *) return 0 ;; esac
    case $(realpath -m --relative-to=. "$2") in docs/* | CONTRIBUTING.md | CHANGELOG.md | SECURITY.md | examples/README.md) return 0 ;; esac
    return 1
}
# check FILE...: prints what leads nowhere
check() {
    for page in "$@"; do
        links "$page" | while read -r where target; do
            case $target in http://* | https://* | mailto:*) continue ;; esac
            path=${target%%#*} anchor=
            case $target in *'#'*) anchor=${target#*#} ;; esac
            file=$page
            [ -z "$path" ] || file=$(dirname "$page")/$path
            if [ ! -e "$file" ]; then
                echo "$where: there is no $target"
            elif [ -n "$anchor" ] && ! headings "$file" | grep -qx -e "$anchor"; then
                echo "$where: $file has no heading #$anchor"
            elif ! in_book "$page" "$file"; then
                echo "$where: $target is not in the book"
            fi
        done
    done
}
# It finds what it is for.
printf '# A heading (of 2)\n[a](#a-heading-of-2) [b](other.md) [c](#none)\n`[d](nowhere)`\n```\n[e](nowhere)\n```\n' >"$dir/page.md"
[ "$(check "$dir/page.md" | wc -l)" = 2 ] && in_book docs/start.md docs/../SECURITY.md && ! in_book docs/start.md docs/../src/base/env.h || {
    echo "links.sh does not find what leads nowhere:"
    check "$dir/page.md"
    exit 1
}
pages=$(find docs examples -name '*.md')
[ "$(echo "$pages" | wc -l)" -gt 40 ] || exit 1
# shellcheck disable=SC2086
found=$(check README.md CONTRIBUTING.md SECURITY.md CHANGELOG.md $pages)
[ -z "$found" ] || {
    echo "$found"
    exit 1
}
