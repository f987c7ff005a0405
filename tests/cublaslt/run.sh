#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run.sh NVCC PROGRAM FOLDER: compiles the program there with nothing but -lcublasLt, and runs it; types.cu again without OpenBLAS, unless
# HEDDLE_TEST_BRIEF is set. handles.cpp needs cuBLAS too.
set -eu
nvcc=$1 source=$2 out=$3
name=$(basename "${source%.*}")
"$nvcc" -O1 -std=c++17 "$source" -lcublasLt $(test "$name" != handles || echo -lcublas) -o "$out/$name"
export HEDDLE_CACHE_DIR="$out/cache"
"$out/$name"
[ -z "${HEDDLE_TEST_BRIEF:-}" ] || exit 0
[ "$name" != types ] || HEDDLE_BLAS=own "$out/$name"
