// SPDX-License-Identifier: Apache-2.0
// Control flow that no structured statement has: cycles with several entries, jumps into loops and into arms, switches with
// cases that cannot occur, values that reach a join from blocks that only convert them, and endless loops on paths that no thread
// takes. Each program runs on the host, too.
#include "check.h"

typedef unsigned u32;
typedef unsigned long long u64;

// Three entries; a block that branches to two of them.
__host__ __device__ inline u32 entries(u32 l, u32 a)
{
    u32 v = a, it = 0, c, s = 0;
#pragma unroll 1
    do {
        it++;
        v = v * 5 + l;
        c = 11;
        if (v == a)
            goto third;
    first:
        if (--c == 0)
            goto out;
    second:
        if (--c == 0)
            goto out;
        if ((v >> (l & 7)) & 16)
            goto first;
    third:
        if ((l & 31) < 18)
            goto first;
        if ((int)it > (int)v)
            goto second;
    out:
        s += c;
    } while (it != 6);
    return v + s;
}

// A cycle within a cycle, both with two entries, and a switch with equal targets into them.
__host__ __device__ inline u32 nested(u32 l, const u32 *in, u32 n)
{
    u32 fuel = 40, x = in[l % n], s = l;
    switch (x & 7) {
    case 1:
    case 5:
        goto inner;
    case 2:
        goto outer;
    case 3:
        goto inner2;
    default:
        break;
    }
top:
    s = s * 3 + x;
    if (--fuel == 0)
        return s;
    if (s & 4)
        goto inner2;
outer:
    x ^= s >> 3;
    if (--fuel == 0)
        return s + 1;
inner:
    s += in[(s + l) % n];
    if (--fuel == 0)
        return s + 2;
    if (s & 1)
        goto inner;
inner2:
    x = x * 5 + 1;
    if (--fuel == 0)
        return s + 3;
    switch (x >> 4 & 3) {
    case 0:
        goto inner;
    case 1:
        goto inner2;
    case 2:
        goto outer;
    default:
        goto top;
    }
}

// The join gets conversions from blocks that do nothing else, past two levels of undefined values.
__host__ __device__ inline u32 conversions(u32 l, const u32 *in, u32 n)
{
    u64 wide = ((u64)in[l % n] << 20) + l;
    u32 low = 0, c = 5, hash = l;
    if ((l & 31) == 23)
        goto second;
first:
    for (u32 i = 0, k = l % 5; i < k; i++)
        wide = (u64)(in[(l + i) % n] | 1) * 7 + i;
    low = 0xffffffffu / ((u32)wide | 1);
    hash = hash * 31 + low;
    if (--c == 0)
        goto end;
second:
    if (--c == 0)
        goto end;
    if (((l >> 2) & (u32)(in[(l + 3) % n] & 7)) == 0)
        goto first;
    if ((l & 31) < 16)
        goto second;
end:
    hash = hash * 31 + (u32)wide;
    return hash * 31 + (u32)(wide >> 32);
}

// Of these cases some cannot occur, and some fall through into arms of others.
__host__ __device__ inline u32 cases(u32 l, const u32 *in, u32 n)
{
    u32 v = in[l % n], w = l, i = 0;
    if (l % 32 >= 12)
        return v;
    switch (~(v >> (v & 7)) & 7) {
    case 0:
        switch (__builtin_popcount(l % 32) & 7) {
        case 5:
            v = 136 | w;
        case 3:
            w = n;
            break;
        case 7:
            w = w * 3 + 65535;
            v += w != v;
        case 4:
            w = l;
            v >>= w & 3;
            break;
        case 2:
            v = l;
            break;
        default:;
        }
    case 4:
    case 1:
        break;
    case 6:
        for (; i < (v & 3); i++) {
        case 2:
            w += in[(i + l) % n];
            if (w & 8)
                break;
        }
        v ^= w;
    default:
        v += 3;
    }
    return v * 31 + w;
}

template <int K> __host__ __device__ inline u32 run(u32 l, const u32 *in, u32 n, u32 a)
{
    return K == 0 ? entries(l, a) : K == 1 ? nested(l, in, n) : K == 2 ? conversions(l, in, n) : cases(l, in, n);
}

template <int K> __global__ void kernel(u32 *out, const u32 *in, u32 n, u32 a)
{
    u32 t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    u32 l = blockIdx.x * blockDim.x * blockDim.y * blockDim.z + t;
    out[l] = run<K>(l, in, n, a);
}

template <int K> static void compare(u32 *out, const u32 *in, u32 n, dim3 shape)
{
    const u32 blocks = 3;
    kernel<K><<<blocks, shape>>>(out, in, n, 39);
    OK(cudaGetLastError());
    OK(cudaDeviceSynchronize());
    u32 wrong = 0;
    for (u32 l = 0; l < blocks * shape.x * shape.y * shape.z; l++)
        wrong += out[l] != run<K>(l, in, n, 39);
    if (wrong)
        std::fprintf(stderr, "program %d, block %ux%ux%u: %u wrong\n", K, shape.x, shape.y, shape.z, wrong);
    EXPECT(wrong == 0);
}

// Endless loops: of nothing, in some threads, with a store, where only the block's shape tells, and around a barrier.
__global__ void endless(int *p, int n)
{
    volatile int *q = p;
    int x = p[threadIdx.x];
    if (n == 12345)
        for (;;)
            ;
    if (x == 12345)
        while (1) {
        }
    if (x == 12346)
        while (1)
            p[0]++;
    if (x == 12347) {
        bool again = true;
        do {
            if (blockDim.x > 1024)
                again = false;
        } while (again);
    }
    if (n == 12348)
        while (blockDim.x == 64)
            q[0];
    if (n == 12349)
        for (;;)
            __syncthreads();
    p[threadIdx.x] = x + 1;
}

// Nothing else.
__global__ void only_endless(int *p, int n)
{
    if (n == 3)
        return;
    for (;;)
        p[threadIdx.x]++;
}

int main()
{
    const u32 n = 97;
    const dim3 shapes[] = {dim3(65), dim3(7, 5, 3), dim3(8, 4, 2), dim3(1, 33), dim3(32)};
    u32 *in, *out;
    OK(cudaMallocManaged(&in, n * sizeof *in));
    OK(cudaMallocManaged(&out, 3 * 105 * sizeof *out));
    for (u32 i = 0; i < n; i++)
        in[i] = i * 2654435761u >> (i % 23);
    for (dim3 shape : shapes) {
        compare<0>(out, in, n, shape);
        compare<1>(out, in, n, shape);
        compare<2>(out, in, n, shape);
        compare<3>(out, in, n, shape);
    }
    int *p;
    OK(cudaMallocManaged(&p, 64 * sizeof *p));
    for (int i = 0; i < 64; i++)
        p[i] = i;
    endless<<<1, 64>>>(p, 3);
    OK(cudaGetLastError());
    only_endless<<<1, 64>>>(p, 3);
    OK(cudaGetLastError());
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < 64; i++)
        EXPECT(p[i] == i + 1);
    return DONE();
}
