#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run.sh NVCC PROGRAM.cu FOLDER: compiles the program there with the C++ libraries of the SDK, which need no option, and runs it. Status 77: it has
# none.
set -eu
nvcc=$1 source=$2 out=$3
name=$(basename "$source" .cu)
[ -r "$(dirname "$nvcc")/../include/cccl/cuda/std/version" ] || {
    echo "skipped: the SDK has no libcu++ (./dev setup brings it)"
    exit 77
}
options=$(sed -n 's|^// nvcc: ||p' "$source")
# shellcheck disable=SC2086
"$nvcc" -O2 -w -I "$(dirname "$0")/../cu" $options "$source" -o "$out/$name"
HEDDLE_CACHE_DIR="$out/cache" timeout 800 "$out/$name"
