#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# bits.sh NVCC PROGRAM FOLDER: results have the same bits with 1, 2, 3 and 7 workers; by our own code also in pieces.
set -eu
nvcc=$1 source=$2 out=$3
"$nvcc" -O1 -std=c++17 "$source" -lcublas -o "$out/bits"
configurations='default own' counts='1 2 3 7'
[ -z "${HEDDLE_TEST_BRIEF:-}" ] || { configurations=own counts='1 3'; }
for blas in $configurations; do
    for threads in $counts; do
        HEDDLE_BLAS=$(test $blas = default || echo own) HEDDLE_THREADS=$threads "$out/bits" $(test $blas = default || echo pieces) > "$out/bits.$threads.txt" || { cat "$out/bits.$threads.txt"; exit 1; }
        cmp "$out/bits.1.txt" "$out/bits.$threads.txt"
    done
done
cat "$out/bits.1.txt"
