#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run.sh NVCC MAKE: the program on an object with relocatable device code.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
echo 'extern "C" __device__ int twice(int a) { return a << 1; }' >"$work/callee.cu"
"$1" -arch=sm_75 -dc "$work/callee.cu" -o "$work/callee.o" && "$2" "$work/callee.o"
