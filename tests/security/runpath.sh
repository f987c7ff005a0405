#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# runpath.sh FOLDER...: no program or library in these folders has a run path with an entry that is empty or relative: the loader
# would take libraries from the current directory.
set -eu
count=0
for f in $(find "$@" -type f \( -perm -u+x -o -name '*.so*' \)); do
    dynamic=$(readelf -d "$f" 2> /dev/null) || continue
    count=$((count + 1))
    paths=$(echo "$dynamic" | sed -n 's/.*(R\(UN\)\?PATH).*\[\(.*\)\]/\2/p')
    [ -n "$paths" ] || continue
    case ":$paths:" in
    *::*) echo "$f: an empty entry in $paths"; exit 1 ;;
    esac
    old=$IFS
    IFS=:
    for entry in $paths; do
        case $entry in
        /* | \$ORIGIN*) ;;
        *) echo "$f: a relative entry in $paths"; exit 1 ;;
        esac
    done
    IFS=$old
done
[ "$count" -gt 0 ] || { echo "nothing was looked at"; exit 1; }
echo "$count files"
