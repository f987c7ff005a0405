#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run.sh NVCC PROGRAM.cu FOLDER: compiles the program there with nothing but -lcusparse, and runs it.
set -eu
nvcc=$1 source=$2 out=$3
name=$(basename "$source" .cu)
"$nvcc" -O1 -std=c++17 "$source" -lcusparse -o "$out/$name"
HEDDLE_CACHE_DIR="$out/cache" "$out/$name"
