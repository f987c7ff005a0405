#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# cuda-gdb: the system's gdb with an extension that knows of kernels (share/heddle/cuda-gdb). CUDA_GDB_BACKEND names another gdb.
here=$(dirname -- "$(readlink -f -- "$0")")
extension=$here/../share/heddle/cuda-gdb
gdb=${CUDA_GDB_BACKEND:-gdb}
if ! command -v -- "$gdb" > /dev/null 2>&1; then
    echo "cuda-gdb: there is no '$gdb'; install the package gdb, or name one by CUDA_GDB_BACKEND" >&2
    exit 127
fi
if ! "$gdb" -nx -batch -ex 'python import struct' > /dev/null 2>&1; then
    echo "cuda-gdb: '$gdb' has no Python, which the extension is written in" >&2
    exit 1
fi
HEDDLE_CUDA_GDB=$extension
export HEDDLE_CUDA_GDB
exec "$gdb" -iex 'python import os, sys; sys.dont_write_bytecode = True; sys.path.insert(0, os.environ.pop("HEDDLE_CUDA_GDB")); import cuda_gdb' "$@"
