#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The interface's test on NVIDIA's NVRTC: what it says of both libraries must hold for both. Skipped where there is none.
source=$1
lib=
for dir in /usr/local/cuda/lib64 /usr/local/cuda/lib; do
    [ -e $dir/libnvrtc.so.13 ] && [ -e $dir/libnvrtc-builtins.so.13.0 ] && lib=$dir && break
done
[ -n "$lib" ] || exit 77
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cc -D HEDDLE_ORACLE -I "$source/tests/unit" -I "$source/include" "$source/tests/nvrtc/interface.c" -L "$lib" -lnvrtc \
    -Wl,-rpath,"$lib" -o "$work/interface" && "$work/interface"
