# SPDX-License-Identifier: Apache-2.0
# mentions.sh SOURCE: a file that a comment of src/ and include/ or a page names is there: `run.c`, `gang/memory/memory.c`, a header by
# its folder too. Names with capitals (NAME.c) stand for any.
. "$(dirname "$0")/files.sh"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
# names FILE...: those that have no file of the list in $dir/files, as "FILE:LINE: NAME"
names() {
    awk '
    FILENAME == ARGV[1] { # every end of a path that begins at a folder
        for (path = $0;; path = substr(path, at + 1)) {
            there[path] = 1
            if (!(at = index(path, "/")))
                break
        }
        next
    }
    /^[ \t]*#[ \t]*include/ { next }
    {
        text = $0
        if (FILENAME !~ /\.md$/) # the comment
            text = (at = index(text, "//")) ? substr(text, at + 2) : ""
        while (match(text, /[A-Za-z0-9_.\/*<>{}-]*\.(c|def|h)([^A-Za-z0-9_(]|$)/)) {
            name = substr(text, RSTART, RLENGTH)
            text = substr(text, RSTART + RLENGTH)
            sub(/[^A-Za-z0-9_]$/, "", name)
            if (name ~ /[A-Z*<>{}]|^[.\/]|\.\./ || (name ~ /\.h$/ && name !~ /\//) || name in there)
                continue
            print FILENAME ":" FNR ": there is no " name
        }
    }' "$dir/files" "$@"
}
files . > "$dir/files"
printf '// run.c and jit/run.c, NAME.c, <stdint.h>, but nowhere.c,\n// jit/nowhere.h; s.d\n' > "$dir/seen.c"
[ "$(names "$dir/seen.c" | wc -l)" = 2 ] || {
    echo "names that are not there go unnoticed"
    exit 1
}
found=$(names $(files 'src/*.[ch]' 'src/*.def' 'include/heddle/*.h' 'docs/*.md' README.md CONTRIBUTING.md SECURITY.md))
[ -z "$found" ] || {
    echo "$found"
    exit 1
}
