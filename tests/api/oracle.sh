#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# oracle.sh SOURCE LIB64 WORK-FOLDER FLAGS...: builds SOURCE with NVIDIA's nvcc and a shared cudart, runs it on our
# libraries in LIB64.
set -e
source=$1 lib=$2 work=$3
shift 3
mkdir -p "$work"
/usr/local/cuda/bin/nvcc -cudart shared "$@" "$source" -o "$work/oracle"
LD_LIBRARY_PATH=$lib HEDDLE_DEVICE=cpu "$work/oracle"
