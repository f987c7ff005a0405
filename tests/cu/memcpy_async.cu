// SPDX-License-Identifier: Apache-2.0
// Asynchronous copies to shared memory: cuda::memcpy_async with barriers, cooperative_groups::memcpy_async, the pipeline
// primitives, and copies that cannot be asynchronous.
// nvcc: -std=c++17 -arch=sm_90
#include "check.h"
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda_awbarrier_primitives.h>
#include <cuda_pipeline.h>
#include <utility>
namespace cg = cooperative_groups;
using Barrier = cuda::barrier<cuda::thread_scope_block>;

// guide: cuda::memcpy_async
template <class T> __global__ void by_group(const T *in, T *out, int n)
{
    __shared__ alignas(16) T cells[512];
    __shared__ Barrier b;
    cg::thread_block g = cg::this_thread_block();
    if (g.thread_rank() == 0)
        init(&b, g.size());
    g.sync();
    for (int at = 0; at < n; at += 512) {
        int count = n - at < 512 ? n - at : 512;
        cuda::memcpy_async(g, cells, in + at, sizeof(T) * count, b);
        b.arrive_and_wait();
        for (int i = g.thread_rank(); i < count; i += g.size())
            out[at + i] = cells[count - 1 - i];
        g.sync();
    }
}
__global__ void by_thread(const int4 *in, int4 *out)
{
    __shared__ int4 cells[128];
    __shared__ Barrier b;
    int t = threadIdx.x;
    if (t == 0)
        init(&b, blockDim.x);
    __syncthreads();
    cuda::memcpy_async(&cells[t], &in[t], cuda::aligned_size_t<16>(16), b);
    Barrier::arrival_token token = b.arrive();
    b.wait(std::move(token));
    out[t] = cells[127 - t];
    __syncthreads();
    cuda::memcpy_async(&cells[t], &in[128 + t], sizeof(int4), b);
    b.arrive_and_wait();
    out[128 + t] = cells[t ^ 1];
}
// To global memory, or from shared memory, the copy is made at once.
__global__ void other_ways(const int *in, int *out)
{
    __shared__ int a[64], c[64];
    __shared__ Barrier b;
    cg::thread_block g = cg::this_thread_block();
    int t = threadIdx.x;
    if (t == 0)
        init(&b, blockDim.x);
    a[t] = in[t];
    g.sync();
    cuda::memcpy_async(g, c, a, sizeof a, b);
    b.arrive_and_wait();
    cuda::memcpy_async(g, out, c, sizeof c, b);
    b.arrive_and_wait();
    out[64 + t] = out[63 - t];
}

template <class Group> __device__ void copy_in_stages(const Group &g, int *cells, const int *in, int *out, int per)
{
    cg::memcpy_async(g, cells, per, in, 2 * per);
    cg::memcpy_async(g, cells + per, in + per, cuda::aligned_size_t<4>(per * sizeof(int)));
    cg::wait_prior<1>(g);
    for (int i = g.thread_rank(); i < per; i += g.size())
        out[i] = cells[per - 1 - i];
    cg::wait(g);
    for (int i = g.thread_rank(); i < per; i += g.size())
        out[per + i] = cells[2 * per - 1 - i];
}
// guide: cooperative_groups::memcpy_async
__global__ void by_cooperative_group(const int *in, int *out)
{
    __shared__ int block[256], warp[4][128];
    cg::thread_block g = cg::this_thread_block();
    copy_in_stages(g, block, in, out, 128);
    auto w = cg::tiled_partition<32>(g);
    int r = w.meta_group_rank();
    copy_in_stages(w, warp[r], in + 128 * r, out + 256 + 128 * r, 64);
}

__global__ void primitives(const int *in, int *out)
{
    __shared__ alignas(16) int cells[3][256];
    __shared__ __mbarrier_t bar;
    int t = threadIdx.x;
    if (t == 0)
        __mbarrier_init(&bar, blockDim.x);
    __pipeline_memcpy_async(&cells[0][4 * t], &in[4 * t], 16);
    __pipeline_commit();
    __pipeline_memcpy_async(&cells[1][2 * t], &in[2 * t], 8);
    __pipeline_memcpy_async(&cells[1][128 + t], &in[128 + t], 4);
    __pipeline_commit();
    __pipeline_memcpy_async(&cells[2][4 * t], &in[4 * t], 16, 8);
    __pipeline_commit();
    __pipeline_wait_prior(2);
    __syncthreads();
    int sum = cells[0][255 - t];
    __pipeline_wait_prior(1);
    __syncthreads();
    sum += cells[1][191 - t];
    __pipeline_arrive_on(&bar);
    __mbarrier_token_t token = __mbarrier_arrive(&bar);
    while (!__mbarrier_test_wait(&bar, token))
        ;
    out[t] = sum;
    out[64 + t] = cells[2][4 * (63 - t)] + cells[2][4 * (63 - t) + 1];
    out[128 + t] = cells[2][4 * (63 - t) + 2] + cells[2][4 * (63 - t) + 3];
    __syncthreads();
    if (t == 0) {
        out[192] = __mbarrier_token_pending_count(token) > 0;
        __mbarrier_inval(&bar);
    }
}

template <class T> static void group_copies()
{
    enum { N = 1000 };
    std::vector<T> in(N);
    for (int i = 0; i < N; i++)
        in[i] = (T)(i * 7);
    Buffer<T> a(in), b(N);
    by_group<T><<<1, 96>>>(a, b, N);
    LAUNCHED();
    std::vector<T> o = b.get();
    bool right = true;
    for (int i = 0; i < N; i++)
        right &= o[i] == in[i < 512 ? 511 - i : N - 1 - (i - 512)];
    EXPECT(right);
}

int main()
{
    group_copies<char>();
    group_copies<short>();
    group_copies<int>();
    group_copies<double>();

    std::vector<int> in(1024);
    for (int i = 0; i < 1024; i++)
        in[i] = i * 3 + 1;
    Buffer<int> a(in), b(1024);
    by_thread<<<1, 128>>>((const int4 *)a.p, (int4 *)b.p);
    LAUNCHED();
    std::vector<int> o = b.get();
    bool right = true;
    for (int t = 0; t < 128; t++)
        for (int k = 0; k < 4; k++)
            right &= o[4 * t + k] == in[4 * (127 - t) + k] && o[512 + 4 * t + k] == in[512 + 4 * (t ^ 1) + k];
    EXPECT(right);

    other_ways<<<1, 64>>>(a, b);
    LAUNCHED();
    o = b.get();
    right = true;
    for (int t = 0; t < 64; t++)
        right &= o[t] == in[t] && o[64 + t] == in[63 - t];
    EXPECT(right);

    Buffer<int> c(768);
    by_cooperative_group<<<1, 128>>>(a, c);
    LAUNCHED();
    o = c.get();
    right = true;
    for (int i = 0; i < 128; i++)
        right &= o[i] == in[127 - i] && o[128 + i] == in[255 - i];
    for (int r = 0; r < 4; r++)
        for (int i = 0; i < 64; i++)
            right &= o[256 + 128 * r + i] == in[128 * r + 63 - i] && o[256 + 128 * r + 64 + i] == in[128 * r + 127 - i];
    EXPECT(right);

    primitives<<<1, 64>>>(a, c);
    LAUNCHED();
    o = c.get();
    right = o[192] == 1;
    for (int t = 0; t < 64; t++) {
        int r = 63 - t;
        right &= o[t] == in[255 - t] + in[191 - t] && o[64 + t] == in[4 * r] + in[4 * r + 1] && o[128 + t] == 0;
    }
    EXPECT(right);
    return DONE();
}
