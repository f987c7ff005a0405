#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# names.sh SOURCE SDK CUDA: libcurand exports the functions of its table and no others, and NVIDIA's library, where it is installed, the same; every
# function for kernels that the page lists is called by tests/cu/curand_every.cu.
set -eu
source=$1 sdk=$2 cuda=$3 failed=0
names() { nm -D --defined-only "$1" | awk '$2 == "T" { print $3 }' | sed 's/@.*//' | grep '^curand' | sort -u; }
same() {
    [ "$1" = "$2" ] || {
        echo "$3: $1"
        echo "ours: $2"
        failed=1
    }
}
table=$(sed -n 's/^FULL([^,]*, \([A-Za-z0-9_]*\),.*/\1/p' "$source/src/curand/api.def" | sort)
[ "$(echo "$table" | wc -l)" -gt 20 ] || failed=1
ours=$(names "$sdk/lib64/libcurand.so")
same "$table" "$ours" "the table"
[ ! -e "$cuda/lib64/libcurand.so.10" ] || same "$(names "$cuda/lib64/libcurand.so.10")" "$ours" "NVIDIA's"
for name in $(sed -n 's/^DEVICE(\(.*\))/\1/p' "$source/src/curand/device.def"); do
    grep -q "[^A-Za-z0-9_]$name(" "$source/tests/cu/curand_every.cu" || {
        echo "not called: $name"
        failed=1
    }
done
exit $failed
