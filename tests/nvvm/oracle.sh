#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The interface's test on NVIDIA's libnvvm: what it says must hold for both. Skipped where there is none.
source=$1
lib=
for dir in /usr/local/cuda/nvvm/lib64 /usr/local/cuda/lib64 /usr/local/cuda/lib; do
    [ -e $dir/libnvvm.so.4 ] && lib=$dir && break
done
[ -n "$lib" ] || exit 77
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cc -D HEDDLE_ORACLE -I "$source/tests/unit" -I "$source/include" "$source/tests/nvvm/interface.c" "$lib/libnvvm.so.4" \
    -Wl,-rpath,"$lib" -o "$work/interface" && "$work/interface"
