#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run.sh NVCC PROGRAM FOLDER: compiles the program there with nothing but -lcublas, and runs it; again without OpenBLAS where a program
# multiplies matrices, unless HEDDLE_TEST_BRIEF is set.
set -eu
nvcc=$1 source=$2 out=$3
name=$(basename "${source%.*}")
case $name in
level2 | level3 | batched) brief=${HEDDLE_TEST_BRIEF:+-DBRIEF} ;; # many sums
*) brief= ;;
esac
"$nvcc" -O1 $brief -Xcompiler -fcx-limited-range -std=c++17 "$source" -lcublas -o "$out/$name"
export HEDDLE_CACHE_DIR="$out/cache"
"$out/$name"
[ -z "${HEDDLE_TEST_BRIEF:-}" ] || exit 0
case $name in
level3 | batched | streams) HEDDLE_BLAS=own "$out/$name" ;;
esac
