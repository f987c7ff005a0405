#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ahead.sh SDK FOLDER: while a launch waits for its kernel, other kernels of the module are compiled for the same blocks; a launch of one
# of these finds its code, nothing is compiled twice, and few are compiled that nobody launches.
set -u
sdk=$1 out=$2/ahead passed=0 failed=0
rm -rf "$out" && mkdir -p "$out" && cd "$out" || exit 1
export HEDDLE_CACHE_DIR=$out/cache HEDDLE_DEVICE=cpu HEDDLE_AHEAD=always HEDDLE_FINISH=0
check() { # NAME CONDITION...
    what=$1
    shift
    if "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)) && echo "failed: $what"; fi
}
kernels() { find cache -path 'cache/??/*' 2> /dev/null | wc -l; }

# program COUNT: launches the first kernels. What is compiled ahead when it ends has a moment to be over.
cat > program.cu <<'END' # a small module: of a large one there is a note in the cache as well
#include <cstdlib>
#include <unistd.h>
template <int N> __global__ void kernel(float *p)
{
    float x = p[threadIdx.x];
    for (int i = 0; i < 40; i++)
        x = x * N + sqrtf(x) / (x + N + .5f);
    p[threadIdx.x] = x;
}
__global__ void __launch_bounds__(16) small(int *p) { *p = 1; } // not for blocks of 64
int main(int, char **argv)
{
    void (*const all[])(float *) = {kernel<0>, kernel<1>, kernel<2>, kernel<3>, kernel<4>, kernel<5>};
    float *p;
    if (cudaMalloc(&p, 4096) || cudaMemset(p, 0, 4096))
        return 1;
    for (int i = 0; i < atoi(argv[1]); i++)
        all[i]<<<1, 64>>>(p);
    cudaError_t e = cudaDeviceSynchronize();
    usleep(50000);
    return e || cudaGetLastError();
}
END
"$sdk/bin/nvcc" program.cu -o program || exit 1
# Fresh runs with one launch until another kernel than that is there.
guessed() {
    for _ in $(seq 40); do
        rm -rf cache
        ./program 1 || return 1
        [ "$(kernels)" -lt 2 ] || return 0
    done
    return 1
}
HEDDLE_AHEAD=0 ./program 1 || failed=$((failed + 1))
check "not asked for" test "$(kernels)" = 1
check "another is compiled ahead" guessed
check "two at most" test "$(kernels)" -le 3
for _ in 1 2 3 4; do
    rm -rf cache
    HEDDLE_LOG=info ./program 6 2>&1 > /dev/null | sed -n 's/.*: compiled \([^ ]*\).*/\1/p' > log
    check "each once" test "$(sort -u log | wc -l)" = 6 -a "$(wc -l < log)" = 6
    check "all are kept" test "$(kernels)" = 6
    check "none for other blocks" test "$(grep -c small log)" = 0
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
