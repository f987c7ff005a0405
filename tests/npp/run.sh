#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run.sh NVCC PROGRAM FOLDER: compiles the program there with NPP's libraries and runs it.
set -eu
nvcc=$1 source=$2 out=$3
name=$(basename "${source%.*}")
"$nvcc" -O0 -std=c++17 "$source" -lnppial -lnppicc -lnppidei -lnppif -lnppig -lnppim -lnppist -lnppisu -lnppitc -lnpps -lnppc -o "$out/$name"
export HEDDLE_CACHE_DIR="$out/cache"
"$out/$name"
