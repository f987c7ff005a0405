#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run.sh NVCC PROGRAM.cu OUT: the program's hashes are the same at every width of gang and with every number of threads.
set -eu
nvcc=$1 source=$2 out=$3 failed=0
"$nvcc" -O2 -arch=sm_80 "$source" -o "$out/bits"
export HEDDLE_CACHE_DIR="$out/cache"
for width in 1 8 16 32 ''; do
    for threads in 1 2 4; do
        HEDDLE_WIDTH=$width HEDDLE_THREADS=$threads timeout "${HEDDLE_TEST_BRIEF:+6}600" "$out/bits" > "$out/now.txt"
        [ -e "$out/first.txt" ] && [ "$width$threads" != 11 ] || cp "$out/now.txt" "$out/first.txt"
        cmp -s "$out/first.txt" "$out/now.txt" || {
            echo "width ${width:-by policy}, $threads threads:"
            diff "$out/first.txt" "$out/now.txt" || true
            failed=1
        }
    done
done
grep -c cudaSuccess "$out/first.txt" | grep -qx 8 || failed=1
cat "$out/first.txt"
exit $failed
