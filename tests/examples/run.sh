#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run.sh NVCC PROGRAM.cu FOLDER ARGUMENTS...: compiles the example there and runs it.
set -eu
nvcc=$1 source=$2 out=$3
shift 3
name=$(basename "$source" .cu)
"$nvcc" -O2 "$source" -o "$out/$name"
HEDDLE_CACHE_DIR="$out/cache" "$out/$name" "$@"
