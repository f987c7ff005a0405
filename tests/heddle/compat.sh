#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# compat.sh SDK FOLDER: which kernels get the schedule of a GPU (docs/races.md). At each width but 1 those that seem to count on it,
# none when HEDDLE_COMPAT=0; the disk cache keeps both forms apart.
set -u
sdk=$1 out=$2/compat passed=0 failed=0
rm -rf "$out" && mkdir -p "$out" && cd "$out" || exit 1
export HEDDLE_CACHE_DIR=$out/cache HEDDLE_DEVICE=cpu
check() { # NAME CONDITION...
    name=$1
    shift
    if "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)) && echo "failed: $name"; fi
}

cat > program.cu <<'END'
#include <cstdio>
// A race: s[t] is stored to while the thread behind may still load it.
__global__ void hands_on(int *p)
{
    __shared__ int s[96];
    int t = threadIdx.x;
    s[t] = t;
    __syncthreads();
    for (int i = 0; i < 3; i++) {
        int x = t ? s[t - 1] : i;
        s[t] = x;
        __syncthreads();
    }
    p[t] = s[t];
}
// The same race where only some threads are.
__global__ void some_hand_on(int *p)
{
    __shared__ int s[96];
    int t = threadIdx.x;
    s[t] = t;
    __syncthreads();
    if (t % 32 > 4)
        s[t] = s[(t + 32) % 96];
    __syncthreads();
    p[t] = s[t];
}
// None.
__global__ void waits(int *p)
{
    __shared__ int s[96];
    int t = threadIdx.x;
    s[t] = t;
    __syncthreads();
    int x = s[95 - t];
    __syncthreads();
    s[t] = x;
    __syncthreads();
    p[t] = s[t];
}
int main()
{
    int *p, h[96], bad = 0;
    cudaMalloc(&p, sizeof h);
    hands_on<<<1, 96>>>(p);
    cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost);
    for (int t = 0; t < 96; t++)
        bad += h[t] != (t < 3 ? 2 - t : t - 3);
    some_hand_on<<<1, 96>>>(p);
    cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost);
    for (int t = 0; t < 96; t++)
        bad += h[t] != (t % 32 > 4 ? (t + 32) % 96 : t);
    waits<<<1, 96>>>(p);
    cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost);
    for (int t = 0; t < 96; t++)
        bad += h[t] != 95 - t;
    printf("%s %d wrong\n", cudaGetErrorString(cudaGetLastError()), bad);
}
END
"$sdk/bin/nvcc" -O2 program.cu -o program || exit 1

# The names of the kernels that yield.
yielding() { HEDDLE_CACHE=0 HEDDLE_LOG=debug ./program 2>&1 | sed -n 's/.* _Z[0-9]*\([a-z_]*\)Pi: gangs yield.*/\1/p' | uniq | tr '\n' ' '; }
compiled() { HEDDLE_LOG=info ./program 2>&1 | grep -c ': compiled '; }
same() { [ "$1" = "$2" ] || { echo "'$1' is not '$2'"; false; }; }

for w in 8 16 32 ''; do
    check "width $w: who yields" same "$(HEDDLE_WIDTH=$w yielding)" "hands_on some_hand_on "
    check "width $w: results" same "$(HEDDLE_WIDTH=$w ./program)" "no error 0 wrong"
    check "width $w: off" same "$(HEDDLE_COMPAT=0 HEDDLE_WIDTH=$w yielding)" ""
done
check "width 1 never yields" same "$(HEDDLE_WIDTH=1 yielding)" ""
check "width 1 shows the race" same "$(HEDDLE_WIDTH=1 ./program | grep -c ' 0 wrong')" 0
check "off shows the race" same "$(HEDDLE_COMPAT=0 HEDDLE_WIDTH=8 ./program | grep -c ' 0 wrong')" 0
rm -rf cache
check "first" same "$(compiled)" 3
check "other code without" same "$(HEDDLE_COMPAT=0 compiled)" 3
check "kept" same "$(compiled)" 0
check "kept without" same "$(HEDDLE_COMPAT=0 compiled)" 0
echo "$passed passed, $failed failed"
[ $failed = 0 ]
