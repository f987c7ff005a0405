#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# package.sh SDK FOLDER: find_package(CCCL), Thrust and CUB find the SDK's own copy, and a program that links CCCL::CCCL compiles with it. The
# licences are there. Status 77: the SDK has none.
set -eu
sdk=$1 out=$2
[ -r "$sdk/lib64/cmake/cccl/cccl-config.cmake" ] || {
    echo "skipped: the SDK has no package CCCL (./dev setup brings it)"
    exit 77
}
fail() {
    echo "$*"
    exit 1
}
rm -rf "$out"
mkdir -p "$out"
cat > "$out/CMakeLists.txt" << 'END'
cmake_minimum_required(VERSION 3.22)
project(package LANGUAGES CXX CUDA)
find_package(CCCL REQUIRED CONFIG)
find_package(Thrust REQUIRED CONFIG)
find_package(CUB REQUIRED CONFIG)
add_executable(program program.cu)
target_compile_features(program PRIVATE cuda_std_17)
target_link_libraries(program PRIVATE CCCL::CCCL)
END
cat > "$out/program.cu" << 'END'
#include <cuda/std/array>
#include <thrust/version.h>
__global__ void sum(cuda::std::array<int, 3> a, int *p) { *p = a[0] + a[1] + a[2]; }
int main()
{
    int *p, h = 0;
    static_assert(THRUST_MAJOR_VERSION >= 3, "the version that was brought");
    if (cudaMalloc(&p, 4))
        return 1;
    sum<<<1, 1>>>({1, 2, 4}, p);
    return cudaMemcpy(&h, p, 4, cudaMemcpyDeviceToHost) || h != 7;
}
END
unset CUDA_PATH CUDA_HOME CUDACXX CPATH LD_LIBRARY_PATH
cmake -G 'Unix Makefiles' -S "$out" -B "$out/b" -DCMAKE_CUDA_COMPILER="$sdk/bin/nvcc" -DCMAKE_PREFIX_PATH="$sdk" > "$out/log" 2>&1 || {
    cat "$out/log"
    exit 1
}
for name in CCCL Thrust CUB; do
    grep -q "^${name}_DIR:PATH=$sdk/" "$out/b/CMakeCache.txt" || fail "$name is not the SDK's"
done
cmake --build "$out/b" > "$out/log" 2>&1 || {
    cat "$out/log"
    exit 1
}
HEDDLE_CACHE_DIR="$out/cache" HEDDLE_DEVICE=cpu "$out/b/program" || fail "the program's answer is wrong"
grep -q 'LLVM Exceptions' "$sdk/share/doc/cccl/LICENSES" || fail "no licences"
