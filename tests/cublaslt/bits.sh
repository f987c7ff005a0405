#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# bits.sh NVCC PROGRAM FOLDER: results have the same bits with 1, 2 and 5 workers.
set -eu
nvcc=$1 source=$2 out=$3
"$nvcc" -O1 -std=c++17 "$source" -lcublasLt -o "$out/bits"
for threads in 1 2 5; do
    HEDDLE_THREADS=$threads "$out/bits" > "$out/bits.$threads.txt" || { cat "$out/bits.$threads.txt"; exit 1; }
    cmp "$out/bits.1.txt" "$out/bits.$threads.txt"
done
cat "$out/bits.1.txt"
