# SPDX-License-Identifier: Apache-2.0
# What the scripts here share. SOURCE is their first argument.
cd "$1" || exit 1
files() { git ls-files --cached --others --exclude-standard -- "$@" | while read -r f; do [ -f "$f" ] && echo "$f"; done; }
git rev-parse --is-inside-work-tree >/dev/null 2>&1 || {
    echo "skipped: not a git checkout"
    exit 77
}
[ -n "$(files CMakeLists.txt)" ] || {
    echo "no files are found"
    exit 1
}
