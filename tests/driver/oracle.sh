#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Fat binaries made by NVIDIA's nvcc, in each of its compressions, load and run. Usage: oracle.sh driver_fatbin
nvcc=${CUDA_HOME:-/usr/local/cuda}/bin/nvcc
[ -x "$nvcc" ] || { echo "NVIDIA's nvcc is not here"; exit 77; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cat >"$dir/put.cu" <<'CU'
extern "C" __global__ void put(unsigned *p, unsigned v) { p[blockIdx.x * blockDim.x + threadIdx.x] = v; }
CU
for mode in none speed balance size; do
    "$nvcc" -fatbin -compress-mode=$mode "$dir/put.cu" -o "$dir/$mode.fatbin" || exit 1
done
"$nvcc" -ptx "$dir/put.cu" -o "$dir/put.ptx" || exit 1
"$1" "$dir"/*.fatbin "$dir/put.ptx"
