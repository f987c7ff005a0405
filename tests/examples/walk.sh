#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# walk.sh NVCC SOURCE WORK: what docs/architecture.md shows of the example saxpy after each stage is there. The page has the code of one
# processor and one LLVM; this asks for what every one of them gives.
nvcc=$1 source=$2 work=$3 failed=0
mkdir -p "$work" && cd "$work" || exit 1
"$nvcc" "$source/examples/saxpy.cu" -o walk || exit 1

# stage NAME PATTERN: the dump after the pass has a line like this, and the page has the stage
stage() {
    HEDDLE_DEVICE=cpu HEDDLE_CACHE=0 HEDDLE_QUICK=never HEDDLE_WIDTH=8 HEDDLE_DUMP=$1 ./walk >"$1.txt" 2>&1 || failed=1
    grep -qE -e "$2" "$1.txt" || {
        echo "after $1: no $2"
        failed=1
    }
    grep -q "HEDDLE_DUMP=$1\b" "$source/docs/architecture.md" || {
        echo "docs/architecture.md: nothing after $1"
        failed=1
    }
}
stage translate '= call i32 @heddle\.tid\.x\(\)'
stage scalar '= call i32 @heddle\.tid\.x\(\), !range'
stage split '^define i32 @saxpy\.region\.0\(\)'
stage structure '^define i32 @saxpy\.region\.0\(\)'
stage vectorise '= call <8 x float> @llvm\.fma\.v8f32'
stage block '= call i32 @saxpy\.full\.0\('
stage optimise '^define (noundef )?i32 @saxpy\.entry\('
stage asm '^saxpy\.entry:'
exit $failed
