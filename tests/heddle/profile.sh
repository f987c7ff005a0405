#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# profile.sh SDK FOLDER: the account of a run (HEDDLE_PROFILE=1) has the right counts of calls, kernels, blocks, bytes and compilations;
# without the variable nothing is said.
set -u
sdk=$1 out=$2/profile passed=0 failed=0
rm -rf "$out" && mkdir -p "$out" && cd "$out" || exit 1
export HEDDLE_CACHE_DIR=$out/cache HEDDLE_DEVICE=cpu HEDDLE_QUICK=never
check() { # NAME CONDITION...
    what=$1
    shift
    if "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)) && echo "failed: $what"; fi
}
# What stands behind a row's name in the column, counted from 1, below the heading.
value() { # HEADING NAME COLUMN
    awk -v heading="$1" -v name="$2" -v column="$3" '
        { sub(/^heddle: profile: /, "") }
        /^[^ ]/ { below = index($0, heading) == 1; next }
        below && $1 == name { print $(1 + column) }' account
}

cat > program.cu <<'END'
#include <cstdlib>
extern "C" __global__ void first(int *p) { p[blockIdx.x * 64 + threadIdx.x] += 1; }
extern "C" __global__ void second(int *p) { p[threadIdx.x] *= 2; }
int main(void)
{
    static int host[1024];
    int *p;
    cudaMalloc(&p, sizeof host);
    cudaMemset(p, 0, sizeof host);
    for (int i = 0; i < 7; i++)
        first<<<3, 64>>>(p);
    for (int i = 0; i < 500; i++)
        second<<<1, 32>>>(p);
    cudaMemcpy(host, p, sizeof host, cudaMemcpyDeviceToHost);
    cudaMemcpy(host, p, 64, cudaMemcpyDeviceToHost);
    return cudaGetLastError() != cudaSuccess;
}
END
"$sdk/bin/nvcc" program.cu -o program || exit 1
HEDDLE_PROFILE=1 ./program 2> account || failed=$((failed + 1))
check "grids of first" test "$(value kernels first 1)" = 7
check "blocks of first" test "$(value kernels first 4)" = 21
check "grids of second" test "$(value kernels second 1)" = 500
check "blocks of both" test "$(value kernels '(all)' 4)" = 521
check "launches" test "$(value 'calls of the driver' cuLaunchKernel 1)" = 507
check "allocations" test "$(value 'calls of the driver' cuMemAlloc_v2 1)" = 1
check "copies" test "$(value copies copies 1)" = 2
check "bytes" test "$(value copies copies 3)" = 4160
check "bytes filled" test "$(value copies fills 3)" = 4096
check "compiled" test "$(value 'compiled and optimised' '(all)' 1)" = 2
check "launches that waited" test "$(value 'launches that waited for code' '(all)' 1)" = 2
check "nothing is in the cache yet" test -z "$(value 'code from the cache' '(all)' 1)"
HEDDLE_PROFILE=1 ./program 2> account || failed=$((failed + 1))
check "from the cache" test "$(value 'code from the cache' '(all)' 1)" = 2
check "nothing is compiled" test -z "$(value 'compiled and optimised' '(all)' 1)"
check "the same grids" test "$(value kernels '(all)' 1)" = 507
check "silent without" test -z "$(./program 2>&1)"
HEDDLE_CACHE_DIR=$out/other HEDDLE_QUICK=always HEDDLE_PROFILE=1 ./program 2> account || failed=$((failed + 1))
check "quick code" test "$(value 'compiled quickly' '(all)' 1)" = 2

# A program that launches and waits, step by step, with pauses in which workers go to sleep: it runs the grids itself, and does not wake one
# each time.
cat > steps.cu <<'END'
#include <unistd.h>
extern "C" __global__ void step(int *p) { p[threadIdx.x] += 1; }
int main(void)
{
    int *p, host = 0;
    cudaMalloc(&p, 4096);
    cudaMemset(p, 0, 4096);
    for (int i = 0; i < 500; i++) {
        step<<<1, 32>>>(p);
        cudaMemcpy(&host, p, 4, cudaMemcpyDeviceToHost);
        usleep(200);
    }
    return host != 500;
}
END
"$sdk/bin/nvcc" steps.cu -o steps || exit 1
# That takes as long as it takes on a processor of its own: on one that others have it is tried some times, in an emulator not at all.
for _ in 1 2 3 4 5; do
    HEDDLE_PROFILE=1 ./steps 2> account || failed=$((failed + 1))
    woken=$(value 'threads woken' workers 1)
    [ "${woken:-0}" -ge 250 ] || break
done
check "all steps" test "$(value kernels step 1)" = 500
[ -n "${HEDDLE_TEST_BRIEF:-}" ] || check "few workers are woken (${woken:-0})" test "${woken:-0}" -lt 250
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
