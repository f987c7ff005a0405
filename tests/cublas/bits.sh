#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# bits.sh NVCC PROGRAM FOLDER: results have the same bits with 1, 2, 3 and 7 workers; by our own code also in pieces.
set -eu
nvcc=$1 source=$2 out=$3
"$nvcc" -O1 -std=c++17 "$source" -lcublas -o "$out/bits"
for blas in '' own; do
    for threads in 1 2 3 7; do
        HEDDLE_BLAS=$blas HEDDLE_THREADS=$threads "$out/bits" ${blas:+pieces} > "$out/bits.$threads.txt" || { cat "$out/bits.$threads.txt"; exit 1; }
        cmp "$out/bits.1.txt" "$out/bits.$threads.txt"
    done
done
cat "$out/bits.1.txt"
