#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run.sh NVCC PROGRAM.cu FOLDER: compiles the program there with nothing but -lnccl, and runs it.
set -eu
nvcc=$1 source=$2 out=$3
name=$(basename "$source" .cu)
unset NCCL_ALGO NCCL_SHM_DISABLE NCCL_P2P_DISABLE NCCL_COMM_ID NCCL_HOSTID NCCL_SOCKET_IFNAME NCCL_SOCKET_FAMILY NCCL_DEBUG
"$nvcc" -O1 -std=c++17 "$source" -lnccl -o "$out/$name"
HEDDLE_CACHE_DIR="$out/cache" "$out/$name"
