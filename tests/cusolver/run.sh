#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run.sh NVCC PROGRAM.cu FOLDER: compiles the program there with nothing but -lcusolver (and -lcusparse for descriptors), and runs it; again without
# OpenBLAS. One program also where OpenBLAS does not know the processor.
set -eu
nvcc=$1 source=$2 out=$3
name=$(basename "$source" .cu)
"$nvcc" -O0 -std=c++17 "$source" -lcusolver -lcusparse -o "$out/$name"
export HEDDLE_CACHE_DIR="$out/cache"
"$out/$name"
HEDDLE_BLAS=own "$out/$name"
[ "$name" != factor ] || OPENBLAS_CORETYPE=Prescott "$out/$name"
