#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Compares values, sizes, offsets and the versions that names stand for between our cuda.h and the toolkit's, where there is
# one (else: skipped). Usage: header.sh OUR_INCLUDE_FOLDER CLANG
ours=$1
clang=${2:-clang}
theirs=${CUDA_HOME:-/usr/local/cuda}/include
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

failed=0
for language in "gcc -std=c99 -x c" "g++ -std=c++11 -x c++" "$clang -std=c99 -x c" "$clang -std=c++17 -x c++"; do
    command -v "${language%% *}" >/dev/null || continue
    for macro in HEDDLE_NONE CUDA_API_PER_THREAD_DEFAULT_STREAM __CUDA_API_VERSION_INTERNAL; do
        echo '#include <cuda.h>' | $language -D$macro -Wall -Wextra -Werror -I"$ours" -fsyntax-only - ||
            { failed=$((failed + 1)); echo "$language with $macro: does not compile"; }
    done
done
if [ ! -f "$theirs/cuda.h" ]; then
    echo "the toolkit's cuda.h is not here"
    [ $failed = 0 ] && exit 77
    exit 1
fi

# The whole header: cuda.h and its parts.
sed 's/^#include "\(heddle.*\)"/\1/p; d' "$ours/cuda.h" | (cd "$ours" && xargs cat cuda.h) >"$dir/whole.h"

# A program that prints every enumerator and number macro of ours, every structure's size, and where its members are.
{
    echo '#include <cuda.h>'
    echo '#include <stddef.h>'
    echo '#include <stdio.h>'
    echo 'int main(void) {'
    sed -n 's/^    \(CU[A-Za-z0-9_]*\|NVCL[A-Z_]*\)\( = [^,]*\)\{0,1\},\{0,1\}$/\1/p; s/^#define \(CU[A-Z0-9_]*\) \{1,\}\((-\{0,1\}[0-9]*)\|[0-9][0-9xA-Fa-f]*\)$/\1/p' \
        "$dir/whole.h" | grep -v '_MAX$' | sort -u | sed 's/.*/printf("& %lld\\n", (long long)&);/'
    sed -n 's/^} \(CU[A-Za-z0-9_]*\);$/\1/p' "$dir/whole.h" | sort -u | sed 's/.*/printf("sizeof & %zu\\n", sizeof(&));/'
    awk '/^typedef struct .* \{$/ { n = 0; deep = 0 }
         /\{$/ { deep++ }
         deep == 1 && /^    .*;$/ { line = $0; sub(/;$/, "", line); gsub(/\[[^]]*\]/, "", line)
             k = split(line, part, ","); for (i = 1; i <= k; i++) { gsub(/\*/, " ", part[i]); m = split(part[i], w, " "); field[n++] = w[m] } }
         /^    \} [a-zA-Z_0-9]*;$/ { deep--; w2 = $2; sub(/;$/, "", w2); if (deep == 1) field[n++] = w2 }
         /^\} CU[A-Za-z0-9_]*;$/ { deep = 0; name = $2; sub(/;$/, "", name)
             for (i = 0; i < n; i++) printf "printf(\"%s.%s %%zu\\n\", offsetof(%s, %s));\n", name, field[i], name, field[i]; n = 0 }' "$dir/whole.h"
    echo 'return 0; }'
} >"$dir/probe.c"
for side in ours theirs; do
    eval include=\$$side
    gcc -std=gnu11 -w -D__CUDA_API_VERSION_INTERNAL -I"$include" "$dir/probe.c" -o "$dir/$side" || { echo "the probe does not compile with $side"; exit 1; }
    "$dir/$side" >"$dir/$side.txt"
    for macro in HEDDLE_NONE CUDA_API_PER_THREAD_DEFAULT_STREAM; do
        echo '#include <cuda.h>' | gcc -D$macro -E -dM -I"$include" - | grep '#define cu[A-Z]' | sort >"$dir/$side.$macro"
    done
done
diff "$dir/ours.txt" "$dir/theirs.txt" || failed=$((failed + 1))
[ "$(wc -l <"$dir/ours.txt")" -gt 1000 ] || { echo "the parts of the header were not found"; failed=$((failed + 1)); }
# Every type of a function that we have by version, the toolkit has.
for header in cudaTypedefs.h cudaProfilerTypedefs.h cudaGLTypedefs.h; do
    for side in ours theirs; do
        eval include=\$$side
        grep -o 'PFN_cu[A-Za-z0-9_]*)' "$include/$header" | sort -u >"$dir/$side.types"
    done
    comm -23 "$dir/ours.types" "$dir/theirs.types" >"$dir/extra"
    if [ -s "$dir/extra" ] || [ ! -s "$dir/ours.types" ]; then
        cat "$dir/extra"
        echo "$header: types of functions"
        failed=$((failed + 1))
    fi
done
for macro in HEDDLE_NONE CUDA_API_PER_THREAD_DEFAULT_STREAM; do
    # Every rename of ours is the toolkit's (complete.sh asks the other way round).
    comm -23 "$dir/ours.$macro" "$dir/theirs.$macro" >"$dir/extra"
    [ -s "$dir/extra" ] && { cat "$dir/extra"; failed=$((failed + 1)); }
done
echo "$(wc -l <"$dir/ours.txt") passed, $failed failed"
[ $failed = 0 ]
