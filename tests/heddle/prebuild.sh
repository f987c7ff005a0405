#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# prebuild.sh SDK FOLDER: kernels that `heddle cache prebuild` has compiled are not compiled again by the program, those for other
# shapes of blocks are; wrong arguments are refused.
set -u
sdk=$1 out=$2/prebuild passed=0 failed=0
rm -rf "$out" && mkdir -p "$out" && cd "$out" || exit 1
export HEDDLE_CACHE_DIR=$out/cache HEDDLE_DEVICE=cpu
check() { # NAME CONDITION...
    name=$1
    shift
    if "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)) && echo "failed: $name"; fi
}
compiled() { HEDDLE_LOG=info ./program "$1" 2>&1 | grep -c ': compiled '; }
refused() { ! "$sdk/bin/heddle" cache prebuild "$@" > message 2>&1 && grep -q . message; }

cat > program.cu <<'END'
#include <cstdio>
#include <cstdlib>
__global__ void first(int *p) { p[threadIdx.x] += 1; }
__global__ void __launch_bounds__(64) second(int *p) { p[threadIdx.x] *= 2; }
int main(int, char **argv)
{
    int *p, threads = atoi(argv[1]), one;
    cudaMalloc(&p, 4096);
    cudaMemset(p, 0, 4096);
    first<<<1, threads>>>(p);
    second<<<1, threads>>>(p);
    cudaMemcpy(&one, p, 4, cudaMemcpyDeviceToHost);
    return cudaGetLastError() != cudaSuccess || one != 2;
}
END
"$sdk/bin/nvcc" program.cu -o program || exit 1
check "two kernels" test "$("$sdk/bin/heddle" cache prebuild --block 32 --block 16 program)" = "4 kernels are in the cache, 0 failed"
check "found" test "$(compiled 32)" = 0
check "found, second shape" test "$(compiled 16)" = 0
check "another shape" test "$(compiled 64)" = 2
"$sdk/bin/nvcc" -ptx program.cu -o program.ptx
check "PTX, the kernels' own shapes" test "$("$sdk/bin/heddle" cache prebuild program.ptx)" = "2 kernels are in the cache, 0 failed"
check "shown" grep -q ' [1-9][0-9]* kernels' <("$sdk/bin/heddle" cache show)
printf '__global__ void third(int *p) { *p = 3; }\n' > other.cu
"$sdk/bin/nvcc" program.cu other.cu -o both
check "kernels of two sources" test "$("$sdk/bin/heddle" cache prebuild both)" = "3 kernels are in the cache, 0 failed"
check "no file" refused
check "no such file" refused nothing
check "no device code" refused program.cu
check "a shape too large" refused --block 1024,2 program
check "no shape" refused --block x program
echo "$passed passed, $failed failed"
exit $((failed > 0))
