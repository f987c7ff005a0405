#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# declared.sh SOURCE SDK CLANG: the program compiles as C99, as C++ and as CUDA, for both default streams, and runs as C and as CUDA.
source=$1 sdk=$2 clang=${3:-clang}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
passed=0 failed=0
try() {
    if "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "failed: $*" >&2; fi
}
for macro in HEDDLE_NONE CUDA_API_PER_THREAD_DEFAULT_STREAM; do
    try gcc -std=c99 -D$macro -Wall -Wextra -Werror -I"$sdk/include" "$source" -o "$dir/$macro" "$sdk/lib64/libcuda.so.1"
    LD_LIBRARY_PATH="$sdk/lib64" try "$dir/$macro"
    try g++ -std=c++11 -D$macro -x c++ -Wall -Wextra -Werror -I"$sdk/include" -fsyntax-only "$source"
    try "$clang" -std=c++17 -D$macro -x c++ -Wall -Wextra -Werror -I"$sdk/include" -fsyntax-only "$source"
done
try "$sdk/bin/nvcc" -x cu "$source" -o "$dir/declared" -lcuda
LD_LIBRARY_PATH="$sdk/lib64" HEDDLE_DEVICE=cpu try "$dir/declared"
echo "$passed passed, $failed failed"
[ $failed = 0 ]
