#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run.sh NVCC CCCL PROGRAM.cu FOLDER: compiles the program there with the libraries in CCCL, and runs it. Status 77: no such
# libraries.
set -eu
nvcc=$1 cccl=$2 source=$3 out=$4
name=$(basename "$source" .cu)
[ -r "$cccl/cub/cub.cuh" ] || exit 77
options=$(sed -n 's|^// nvcc: ||p' "$source")
# shellcheck disable=SC2086
"$nvcc" -O2 -w -I "$cccl" -I "$(dirname "$source")/../cu" $options "$source" -o "$out/$name"
HEDDLE_CACHE_DIR="$out/cache" timeout 800 "$out/$name"
