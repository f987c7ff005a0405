// SPDX-License-Identifier: Apache-2.0
// Atomic functions on more than 64 bits: sums of float2 and float4, with and without a use of the old value; exchange,
// and compare and exchange, of 16 bytes; the generic atomic functions on structures.
// nvcc: -arch=sm_90
#include "check.h"
typedef unsigned long long u64;
enum { BLOCKS = 5, THREADS = 37, ALL = BLOCKS * THREADS };

struct alignas(16) pair {
    u64 low, high;
};
struct alignas(8) half_pair {
    unsigned low, high;
};

__global__ void sums(float2 *two, float4 *four, float *olds)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(two, make_float2(1, 2));
    atomicAdd_block(two + 1 + blockIdx.x, make_float2(3, 1));
    atomicAdd_system(four, make_float4(1, 2, 3, 4));
    olds[t] = atomicAdd(four + 1, make_float4(1, 0, 0, 1)).w;
}
__device__ bool same(pair a, pair b)
{
    return a.low == b.low && a.high == b.high;
}
template <class Swap> __device__ void count(pair *p, Swap swap)
{
    pair seen = *p, expected;
    do {
        expected = seen;
        pair next = {expected.low + 1, expected.high + (expected.low & 1)};
        seen = swap(p, expected, next);
    } while (!same(seen, expected));
}
__global__ void counts(pair *p, pair *olds)
{
    u64 t = blockIdx.x * blockDim.x + threadIdx.x;
    count(p, [](pair *q, pair e, pair d) { return atomicCAS(q, e, d); });
    count(p + 1, [](pair *q, pair e, pair d) { return atomicCAS_system(q, e, d); });
    count(p + 2 + blockIdx.x, [](pair *q, pair e, pair d) { return atomicCAS_block(q, e, d); });
    olds[t] = atomicExch(p + 2 + BLOCKS, pair{t + 1, ~(t + 1)});
    __shared__ pair shared;
    if (threadIdx.x == 0)
        shared = {0, 0};
    __syncthreads();
    count(&shared, [](pair *q, pair e, pair d) { return atomicCAS(q, e, d); });
    __syncthreads();
    if (threadIdx.x == 0 && !same(shared, {THREADS, THREADS / 2}))
        atomicAdd(&p[0].low, 1000);
}
__global__ void generic(half_pair *p, half_pair *out)
{
    half_pair a, b = {7, 8}, c;
    __nv_atomic_load(p, &a, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE);
    __nv_atomic_exchange(p, &b, &c, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    out[0] = a;
    out[1] = c;
    c = b;
    out[2].low = __nv_atomic_compare_exchange(p, &c, &a, false, __NV_ATOMIC_RELAXED, __NV_ATOMIC_RELAXED);
    __nv_atomic_store(p + 1, &b, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_SYSTEM);
}

int main()
{
    Buffer<float2> two(1 + BLOCKS);
    Buffer<float4> four(2);
    Buffer<float> olds(ALL);
    sums<<<BLOCKS, THREADS>>>(two, four, olds);
    LAUNCHED();
    auto f2 = two.get();
    auto f4 = four.get();
    EXPECT(f2[0].x == ALL && f2[0].y == 2 * ALL);
    for (int b = 0; b < BLOCKS; b++)
        EXPECT(f2[1 + b].x == 3 * THREADS && f2[1 + b].y == THREADS);
    EXPECT(f4[0].x == ALL && f4[0].y == 2 * ALL && f4[0].z == 3 * ALL && f4[0].w == 4 * ALL);
    EXPECT(f4[1].x == ALL && f4[1].y == 0 && f4[1].z == 0 && f4[1].w == ALL);
    double sum = 0;
    for (float x : olds.get())
        sum += x;
    EXPECT(sum == ALL * (ALL - 1) / 2.0);

    Buffer<pair> cells(3 + BLOCKS), before(ALL);
    counts<<<BLOCKS, THREADS>>>(cells, before);
    LAUNCHED();
    auto p = cells.get();
    EXPECT(p[0].low == ALL && p[0].high == ALL / 2);
    EXPECT(p[1].low == ALL && p[1].high == ALL / 2);
    for (int b = 0; b < BLOCKS; b++)
        EXPECT(p[2 + b].low == THREADS && p[2 + b].high == THREADS / 2);
    u64 seen = p[2 + BLOCKS].low;
    EXPECT(p[2 + BLOCKS].high == ~seen);
    for (pair x : before.get()) { // every value is replaced once, but for the last
        EXPECT(x.low == 0 ? x.high == 0 : x.high == ~x.low);
        seen += x.low;
    }
    EXPECT(seen == (u64)ALL * (ALL + 1) / 2);

    Buffer<half_pair> words(2), out(3);
    half_pair first = {5, 6};
    OK(cudaMemcpy(words, &first, sizeof first, cudaMemcpyHostToDevice));
    generic<<<1, 1>>>(words, out);
    LAUNCHED();
    auto w = words.get();
    auto o = out.get();
    EXPECT(o[0].low == 5 && o[0].high == 6 && o[1].low == 5 && o[1].high == 6 && o[2].low == 1);
    EXPECT(w[0].low == 5 && w[0].high == 6 && w[1].low == 7 && w[1].high == 8);
    return DONE();
}
