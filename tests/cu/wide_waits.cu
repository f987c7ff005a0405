// SPDX-License-Identifier: Apache-2.0
// Integers of 128 bits that live across waits of every kind: barriers, collectives that all lanes make together and in arms of
// a branch, locks, and loops that carry them round; some computed once for the block or the row, others by each thread.
// nvcc: -arch=sm_90
#include "check.h"

typedef unsigned u32;
typedef unsigned long long u64;
typedef unsigned __int128 u128;

enum { THREADS = 96, OUT = 6 };

__device__ __host__ u128 spread(u64 x, u32 k)
{
    u128 r = (u128)x * 0x9e3779b97f4a7c15ull + k;
    return r << (k % 61) ^ r * 3 ^ r >> 7;
}

__device__ __host__ u64 fold(u128 x)
{
    return (u64)x * 31 + (u64)(x >> 64);
}

__device__ __host__ u32 words(u32 h, u64 v)
{
    h = (h ^ (u32)v) * 0x9e3779b1u;
    h = ((h ^ h >> 15) + (u32)(v >> 32)) * 0x85ebca77u;
    return h ^ h >> 13;
}

// Values of the block's, of the row's and of the thread's, across a barrier.
__global__ void barriers(const u64 *in, u64 *out)
{
    __shared__ u64 cell[THREADS];
    u32 t = threadIdx.y * blockDim.x + threadIdx.x, n = blockDim.x * blockDim.y;
    u128 block = spread(in[0], 5), row = spread(in[threadIdx.y], 9), own = spread(in[t], t);
    cell[t] = fold(own);
    __syncthreads();
    own = own / 7 + cell[(t + 1) % n];
    __syncthreads();
    cell[t] = fold(own ^ row);
    __syncthreads();
    out[t * OUT] = fold(own + block) + cell[(t + 5) % n] + fold(row);
}

// Values that every thread of the block has alike, by its arguments and not by memory, across barriers on two paths.
__global__ void of_block(u64 seed, u32 one, u64 *out)
{
    __shared__ u64 cell[THREADS];
    __shared__ u32 count[4];
    u32 t = threadIdx.y * blockDim.x + threadIdx.x, n = blockDim.x * blockDim.y;
    u128 product = (u128)(seed + blockIdx.x) * (seed ^ 0x5555), sum = spread(seed + gridDim.x, 17);
    // What is asked for after the barriers are words of it alone, so that the compiler keeps the wide product.
    u32 number = blockIdx.x + gridDim.x * blockIdx.y + one;
    u128 place = (u128)1 + ((u128)number - (u128)1);
    __int128 wide = (__int128)(place * place) - (__int128)(place + place);
    cell[t] = t;
    atomicAdd(&count[(u32)wide & 3], 1u);
    __syncthreads();
    u64 near = cell[(t + 1) % n];
    if (seed & 1) {
        product += sum;
        __syncthreads();
        cell[t] = near;
    }
    __syncthreads();
    out[t * OUT + 4] = fold(product) * 5 + fold(sum) + cell[t] + near;
    out[t * OUT + 5] = words(words(t, (u64)wide), (u64)(wide >> 64));
}

// A loop with a barrier carries them.
__global__ void carried(const u64 *in, u64 *out)
{
    __shared__ u64 cell[THREADS];
    u32 t = threadIdx.y * blockDim.x + threadIdx.x, n = blockDim.x * blockDim.y;
    u128 a = in[t], b = (u128)in[0] << 64 | 1;
    for (u32 i = 0; i < 5; i++) {
        cell[t] = fold(a);
        __syncthreads();
        u128 next = a * 3 + cell[(t + i + 1) % n];
        a = b ^ next;
        b = next + i;
        __syncthreads();
    }
    out[t * OUT + 1] = fold(a) + 3 * fold(b);
}

// Collectives: of whole warps, in both arms of a branch, and in a loop that lanes leave one by one. x: from memory.
__global__ void collectives(const u64 *in, u64 *out)
{
    u32 t = threadIdx.y * blockDim.x + threadIdx.x, l = t & 31;
    u64 x = in[t];
    u128 w = spread(x, l), k = w;
    u32 odd = __ballot_sync(~0u, x & 1);
    w += (u128)odd << 50;
    if (x & 1) {
        u32 s = __shfl_sync(odd, (u32)(w >> 64), __ffs(odd) - 1);
        w = w * 5 + s;
    } else {
        u32 s = __reduce_add_sync(~odd, (u32)w);
        w = w / 3 - s;
    }
    __syncwarp();
    u32 members = ~0u;
    for (u32 i = 0; i <= (u32)(x % 3); i++) {
        w ^= k << i;
        w += __ballot_sync(members, (u32)(w >> 70) & 1);
        members = __ballot_sync(members, i + 1 <= (u32)(x % 3));
    }
    out[t * OUT + 2] = fold(w + k);
}

// A lock for each of four cells; what the thread has is added to the cell, and what was there is kept.
__global__ void locks(const u64 *in, u64 *out, u32 *lock, u64 *sum)
{
    u32 t = threadIdx.y * blockDim.x + threadIdx.x, c = t % 4;
    u128 own = spread(in[t], 3), before = own * 7;
    for (bool done = false; !done;)
        if (atomicCAS(&lock[c], 0u, 1u) == 0) {
            __threadfence();
            u128 s = (u128) * (volatile u64 *)&sum[2 * c + 1] << 64 | *(volatile u64 *)&sum[2 * c];
            s += own;
            *(volatile u64 *)&sum[2 * c] = (u64)s;
            *(volatile u64 *)&sum[2 * c + 1] = (u64)(s >> 64);
            __threadfence();
            atomicExch(&lock[c], 0u);
            done = true;
        }
    __syncthreads();
    out[t * OUT + 3] = fold(own ^ before);
}

static u64 fold_carried(const u64 *in, u32 n, u32 t)
{
    std::vector<u128> a(n), b(n, (u128)in[0] << 64 | 1);
    for (u32 i = 0; i < n; i++)
        a[i] = in[i];
    for (u32 i = 0; i < 5; i++) {
        std::vector<u64> cell(n);
        for (u32 k = 0; k < n; k++)
            cell[k] = fold(a[k]);
        for (u32 k = 0; k < n; k++) {
            u128 next = a[k] * 3 + cell[(k + i + 1) % n];
            a[k] = b[k] ^ next;
            b[k] = next + i;
        }
    }
    return fold(a[t]) + 3 * fold(b[t]);
}

static void expect_collectives(const u64 *in, const u64 *out, u32 first)
{
    u128 w[32], k[32];
    u32 odd = 0, sum = 0;
    for (u32 l = 0; l < 32; l++)
        odd |= (u32)(in[first + l] & 1) << l;
    for (u32 l = 0; l < 32; l++) {
        k[l] = spread(in[first + l], l);
        w[l] = k[l] + ((u128)odd << 50);
        sum += odd >> l & 1 ? 0 : (u32)w[l];
    }
    u32 s = odd ? (u32)(w[__builtin_ctz(odd)] >> 64) : 0, members = ~0u;
    for (u32 l = 0; l < 32; l++)
        w[l] = odd >> l & 1 ? w[l] * 5 + s : w[l] / 3 - sum;
    for (u32 i = 0; i < 3; i++) {
        u32 high = 0, stay = 0;
        for (u32 l = 0; l < 32; l++)
            if (members >> l & 1) {
                w[l] ^= k[l] << i;
                high |= ((u32)(w[l] >> 70) & 1) << l;
                stay |= (u32)(i + 1 <= in[first + l] % 3) << l;
            }
        for (u32 l = 0; l < 32; l++)
            if (members >> l & 1)
                w[l] += high;
        members = stay;
    }
    for (u32 l = 0; l < 32; l++)
        EXPECT(out[(first + l) * OUT + 2] == fold(w[l] + k[l]));
}

static void try_shape(dim3 block, u64 seed)
{
    u32 n = block.x * block.y;
    u64 in[THREADS], out[THREADS * OUT], sum[8], *din, *dout, *dsum;
    u32 *lock;
    for (u32 i = 0; i < THREADS; i++)
        in[i] = i * 0x123456789abcdefull ^ i << 3;
    OK(cudaMalloc(&din, sizeof in));
    OK(cudaMalloc(&dout, sizeof out));
    OK(cudaMalloc(&dsum, sizeof sum));
    OK(cudaMalloc(&lock, 16));
    OK(cudaMemset(dsum, 0, sizeof sum));
    OK(cudaMemset(lock, 0, 16));
    OK(cudaMemcpy(din, in, sizeof in, cudaMemcpyHostToDevice));
    barriers<<<1, block>>>(din, dout);
    LAUNCHED();
    carried<<<1, block>>>(din, dout);
    LAUNCHED();
    of_block<<<1, block>>>(seed, 1, dout);
    LAUNCHED();
    collectives<<<1, block>>>(din, dout);
    LAUNCHED();
    locks<<<1, block>>>(din, dout, lock, dsum);
    LAUNCHED();
    OK(cudaMemcpy(out, dout, sizeof out, cudaMemcpyDeviceToHost));
    OK(cudaMemcpy(sum, dsum, sizeof sum, cudaMemcpyDeviceToHost));
    u128 cells[4] = {0, 0, 0, 0}, own[THREADS];
    for (u32 t = 0; t < n; t++) {
        u128 x = spread(in[t], t);
        own[t] = x / 7 + fold(spread(in[(t + 1) % n], (t + 1) % n));
        cells[t % 4] += spread(in[t], 3);
    }
    for (u32 t = 0; t < n; t++) {
        u32 o = (t + 5) % n;
        u128 row = spread(in[t / block.x], 9), other = spread(in[o / block.x], 9), x = spread(in[t], 3);
        EXPECT(out[t * OUT] == fold(own[t] + spread(in[0], 5)) + fold(own[o] ^ other) + fold(row));
        EXPECT(out[t * OUT + 1] == fold_carried(in, n, t));
        EXPECT(out[t * OUT + 3] == fold(x ^ x * 7));
        u128 sum = spread(seed + 1, 17), product = (u128)seed * (seed ^ 0x5555) + (seed & 1 ? sum : 0);
        u64 near = (t + 1) % n;
        EXPECT(out[t * OUT + 4] == fold(product) * 5 + fold(sum) + (seed & 1 ? near : t) + near);
        EXPECT(out[t * OUT + 5] == words(words(t, ~0ull), ~0ull)); // 1 * 1 - 2
    }
    for (u32 w = 0; w < n / 32; w++)
        expect_collectives(in, out, w * 32);
    for (u32 c = 0; c < 4; c++)
        EXPECT(sum[2 * c] == (u64)cells[c] && sum[2 * c + 1] == (u64)(cells[c] >> 64));
    OK(cudaFree(din));
    OK(cudaFree(dout));
    OK(cudaFree(dsum));
    OK(cudaFree(lock));
}

int main()
{
    try_shape(dim3(THREADS), 0xfedcba9876543210ull);
    try_shape(dim3(8, 12), 0x8123456789abcdefull);
    return DONE();
}
