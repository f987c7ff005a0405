#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# check.sh NVCC SOURCES FOLDER: compiles record.cu there and compares what our sampler reads with h200.txt. That list was
# made by the same program, compiled by NVIDIA's nvcc 13.0: ./record - 16384 > h200.txt
set -eu
nvcc=$1 source=$2 out=$3
"$nvcc" -O2 -std=c++17 "$source/record.cu" -o "$out/record"
export HEDDLE_CACHE_DIR="$out/cache" HEDDLE_DEVICE=cpu
for w in ${HEDDLE_TEST_WIDTHS-8} ''; do # as in tests/cu/run.sh
    HEDDLE_WIDTH=$w "$out/record" check "$source/h200.txt" 16384
done
