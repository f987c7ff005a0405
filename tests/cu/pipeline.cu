// SPDX-License-Identifier: Apache-2.0
// cuda::pipeline: of one thread, of a block in which all threads produce and consume, and with roles.
// nvcc: -std=c++17 -arch=sm_90
#include "check.h"
#include <cooperative_groups.h>
#include <cuda/pipeline>
namespace cg = cooperative_groups;

enum { N = 4096, BATCH = 128 };

__device__ int use(int x)
{
    return 3 * x + 1;
}

__global__ void of_thread(const int *in, int *out)
{
    constexpr int stages = 3;
    __shared__ int cells[stages][BATCH];
    cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
    int t = threadIdx.x, fetch = 0;
    for (int i = 0; i < N / BATCH; i++) {
        for (; fetch < N / BATCH && fetch < i + stages; fetch++) {
            pipe.producer_acquire();
            cuda::memcpy_async(&cells[fetch % stages][t], &in[fetch * BATCH + t], sizeof(int), pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        __syncthreads();
        out[i * BATCH + t] = use(cells[i % stages][BATCH - 1 - t]);
        __syncthreads();
        pipe.consumer_release();
    }
}

__global__ void prior(const int *in, int *out)
{
    __shared__ int cells[2][BATCH];
    auto pipe = cuda::make_pipeline();
    int t = threadIdx.x;
    for (int s = 0; s < 2; s++) {
        pipe.producer_acquire();
        cuda::memcpy_async(&cells[s][t], &in[s * BATCH + t], cuda::aligned_size_t<4>(sizeof(int)), pipe);
        pipe.producer_commit();
    }
    cuda::pipeline_consumer_wait_prior<1>(pipe);
    __syncthreads();
    int x = cells[0][BATCH - 1 - t];
    pipe.consumer_release();
    cuda::pipeline_consumer_wait_prior<0>(pipe);
    __syncthreads();
    out[t] = x + cells[1][BATCH - 1 - t];
    pipe.consumer_release();
}

// guide: cuda::pipeline
template <int Stages> __global__ void of_block(const int *in, int *out)
{
    __shared__ int cells[Stages][BATCH];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, Stages> state;
    cg::thread_block g = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(g, &state);
    int t = threadIdx.x, fetch = 0;
    for (int i = 0; i < N / BATCH; i++) {
        for (; fetch < N / BATCH && fetch < i + Stages; fetch++) {
            pipe.producer_acquire();
            cuda::memcpy_async(g, cells[fetch % Stages], in + fetch * BATCH, sizeof cells[0], pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        out[i * BATCH + t] = use(cells[i % Stages][BATCH - 1 - t]);
        pipe.consumer_release();
    }
}

// The first warp copies, three warps compute.
__device__ void work(cuda::pipeline<cuda::thread_scope_block> &pipe, bool producer, int (*cells)[96], const int *in,
                     int *out, int stages, int batches)
{
    int t = threadIdx.x;
    for (int i = 0; i < batches; i++) {
        if (producer) {
            pipe.producer_acquire();
            for (int k = 0; k < 3; k++)
                cuda::memcpy_async(&cells[i % stages][32 * k + t], &in[i * 96 + 32 * k + t], sizeof(int), pipe);
            pipe.producer_commit();
        } else {
            pipe.consumer_wait();
            out[i * 96 + t - 32] = use(cells[i % stages][95 - (t - 32)]);
            pipe.consumer_release();
        }
    }
}
__global__ void with_count(const int *in, int *out)
{
    __shared__ int cells[2][96];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    auto pipe = cuda::make_pipeline(cg::this_thread_block(), &state, 32);
    work(pipe, threadIdx.x < 32, cells, in, out, 2, 20);
}
__global__ void with_roles(const int *in, int *out)
{
    __shared__ int cells[4][96];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 4> state;
    bool producer = threadIdx.x < 32;
    auto role = producer ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
    auto pipe = cuda::make_pipeline(cg::this_thread_block(), &state, role);
    work(pipe, producer, cells, in, out, 4, 20);
    pipe.quit();
}

int main()
{
    std::vector<int> in(N);
    for (int i = 0; i < N; i++)
        in[i] = i * 5;
    Buffer<int> a(in), b(N);
    auto blocks = [&](int batch, int count) {
        LAUNCHED();
        std::vector<int> o = b.get();
        bool right = true;
        for (int i = 0; i < batch * count; i++)
            right &= o[i] == 3 * in[i / batch * batch + batch - 1 - i % batch] + 1;
        OK(cudaMemset(b, 0, N * sizeof(int)));
        return right;
    };
    of_thread<<<1, BATCH>>>(a, b);
    EXPECT(blocks(BATCH, N / BATCH));
    of_block<1><<<1, BATCH>>>(a, b);
    EXPECT(blocks(BATCH, N / BATCH));
    of_block<2><<<1, BATCH>>>(a, b);
    EXPECT(blocks(BATCH, N / BATCH));
    of_block<5><<<1, BATCH>>>(a, b);
    EXPECT(blocks(BATCH, N / BATCH));
    with_count<<<1, 128>>>(a, b);
    EXPECT(blocks(96, 20));
    with_roles<<<1, 128>>>(a, b);
    EXPECT(blocks(96, 20));
    prior<<<1, BATCH>>>(a, b);
    LAUNCHED();
    std::vector<int> o = b.get();
    bool right = true;
    for (int t = 0; t < BATCH; t++)
        right &= o[t] == in[BATCH - 1 - t] + in[2 * BATCH - 1 - t];
    EXPECT(right);
    return DONE();
}
