// SPDX-License-Identifier: Apache-2.0
// Blocks that look back at what earlier ones left in memory: a reduction over the block whose result decides the way,
// warps that then go on at different times, values handed over together with their flag, and the end of a thread in the
// middle of the kernel.
#include "check.h"

__global__ void short_circuit(volatile int *look, int *out, int n)
{
    __shared__ int s[256];
    int t = threadIdx.x, b = blockIdx.x, bin = t == 3 ? n : 0;
    look[b * 256 + t] = bin | 0x40000000;
    if (__syncthreads_or(bin == n)) {
        s[t] = t > 3 ? -n : 0;
        int sum = bin;
        unsigned want = ~0u;
        for (int j = b - 1; j >= 0; --j) {
            int v;
            do {
                __threadfence_block();
                v = look[j * 256 + t];
            } while (v == 0);
            sum += v & 0x3fffffff;
            want = __ballot_sync(want, v >= 0);
            if (v < 0)
                break;
        }
        look[b * 256 + t] = sum | 0x80000000;
        s[t] += sum - bin;
        __syncthreads();
        out[b * 256 + t] = s[3];
        asm volatile("exit;");
    }
    out[b * 256 + t] = -1;
}

// A running sum over blocks; state and sum are one access of 8 or 16 bytes.
__global__ void chain64(unsigned *look, unsigned *out)
{
    unsigned b = blockIdx.x, sum = 0, state = 1;
    if (threadIdx.x)
        return;
    unsigned *before = look + 2 * (b - 1);
    if (b)
        do {
            asm volatile("ld.relaxed.gpu.v2.u32 {%0, %1}, [%2];" : "=r"(state), "=r"(sum) : "l"(before) : "memory");
        } while (!state);
    out[b] = sum += 3 * b;
    asm volatile("st.relaxed.gpu.v2.u32 [%0], {%1, %2};" ::"l"(look + 2 * b), "r"(1), "r"(sum) : "memory");
}
__global__ void chain128(unsigned long long *look, unsigned long long *out)
{
    unsigned long long b = blockIdx.x, sum = 0, state = 1;
    if (threadIdx.x)
        return;
    unsigned long long *before = look + 2 * (b - 1);
    if (b)
        do {
            asm volatile("ld.relaxed.gpu.v2.u64 {%0, %1}, [%2];" : "=l"(state), "=l"(sum) : "l"(before) : "memory");
        } while (!state);
    out[b] = sum += 3 * b << 20;
    asm volatile("st.relaxed.gpu.v2.u64 [%0], {%1, %2};" ::"l"(look + 2 * b), "l"(1ull), "l"(sum) : "memory");
}

int main()
{
    enum { BLOCKS = 16, CHAIN = 3000 };
    Buffer<int> look(BLOCKS * 256), out(BLOCKS * 256);
    short_circuit<<<BLOCKS, 256>>>(look, out, 100);
    LAUNCHED();
    std::vector<int> o = out.get();
    bool right = true;
    for (int i = 0; i < BLOCKS * 256; i++)
        right &= o[i] == i / 256 * 100;
    EXPECT(right);

    Buffer<unsigned> look64(2 * CHAIN), out64(CHAIN);
    Buffer<unsigned long long> look128(2 * CHAIN), out128(CHAIN);
    chain64<<<CHAIN, 64>>>(look64, out64);
    chain128<<<CHAIN, 64>>>(look128, out128);
    LAUNCHED();
    std::vector<unsigned> s64 = out64.get();
    std::vector<unsigned long long> s128 = out128.get();
    unsigned long long sum = 0;
    right = true;
    for (int b = 0; b < CHAIN; b++) {
        sum += 3 * b;
        right &= s64[b] == sum && s128[b] == sum << 20;
    }
    EXPECT(right);
    return DONE();
}
