// SPDX-License-Identifier: Apache-2.0
// Copies that run beside the work: a block averages windows of a long signal, and brings the next tile while it computes on this one. Once by the
// pipeline of <cuda/pipeline> (cp.async underneath), once by bulk copies (TMA) that count their bytes on a barrier in shared memory.
// Options: -arch=sm_90
#include "../check.h"
#include <cmath>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/ptx>
#include <utility>

namespace ptx = cuda::ptx;
constexpr int TILE = 1024, HALO = 16, WINDOW = 2 * HALO + 1, TILES = 32, THREADS = 128, ROOM = TILE + 2 * HALO;

__device__ void average(const float *tile, float *out)
{
    for (int i = threadIdx.x; i < TILE; i += blockDim.x) {
        float sum = 0;
        for (int k = 0; k < WINDOW; k++)
            sum += tile[i + k];
        out[i] = sum / WINDOW;
    }
}
// in has HALO numbers before and behind; a block does `TILES / gridDim.x` tiles.
__global__ void by_pipeline(const float *in, float *out)
{
    __shared__ alignas(16) float tile[2][ROOM];
    auto pipe = cuda::make_pipeline();
    int each = TILES / gridDim.x, first = blockIdx.x * each;
    auto fetch = [&](int t) {
        pipe.producer_acquire();
        for (int i = threadIdx.x * 4; i < ROOM; i += THREADS * 4)
            cuda::memcpy_async(&tile[t & 1][i], &in[t * TILE + i], cuda::aligned_size_t<16>(16), pipe);
        pipe.producer_commit();
    };
    fetch(first);
    for (int t = first; t < first + each; t++) {
        if (t + 1 < first + each)
            fetch(t + 1);
        if (t + 1 < first + each)
            cuda::pipeline_consumer_wait_prior<1>(pipe);
        else
            cuda::pipeline_consumer_wait_prior<0>(pipe);
        __syncthreads(); // every thread's part has come
        average(tile[t & 1], out + t * TILE);
        __syncthreads();
        pipe.consumer_release();
    }
}
__global__ void by_bulk_copies(const float *in, float *out)
{
    using barrier = cuda::barrier<cuda::thread_scope_block>;
    __shared__ alignas(128) float tile[2][ROOM];
    __shared__ barrier full[2];
    int each = TILES / gridDim.x, first = blockIdx.x * each;
    if (!threadIdx.x) {
        init(&full[0], 1);
        init(&full[1], 1);
        ptx::fence_proxy_async(ptx::space_shared); // bulk copies see the barriers
    }
    __syncthreads();
    auto fetch = [&](int t) {
        if (threadIdx.x)
            return;
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile[t & 1], in + t * TILE, sizeof tile[0],
                           cuda::device::barrier_native_handle(full[t & 1]));
        (void)cuda::device::barrier_arrive_tx(full[t & 1], 1, sizeof tile[0]);
    };
    fetch(first);
    for (int t = first, n = 0; t < first + each; t++, n++) {
        if (t + 1 < first + each)
            fetch(t + 1);
        full[t & 1].wait_parity(n / 2 & 1); // the bytes have come
        average(tile[t & 1], out + t * TILE);
        __syncthreads();
    }
}

int main()
{
    float *in, *out;
    CHECK(cudaMallocManaged(&in, (TILES * TILE + 2 * HALO) * sizeof *in));
    CHECK(cudaMallocManaged(&out, TILES * TILE * sizeof *out));
    for (int i = 0; i < TILES * TILE + 2 * HALO; i++)
        in[i] = std::sin(i * 0.01f) + (i % 5 - 2) * 0.1f;
    bool right = true;
    const std::pair<const char *, void (*)(const float *, float *)> ways[] = {{"pipeline", by_pipeline},
                                                                              {"bulk copies", by_bulk_copies}};
    for (auto &w : ways) {
        CHECK(cudaMemset(out, 0, TILES * TILE * sizeof *out));
        w.second<<<4, THREADS>>>(in, out);
        CHECK(cudaDeviceSynchronize());
        double worst = 0;
        for (int i = 0; i < TILES * TILE; i++) {
            double sum = 0;
            for (int k = 0; k < WINDOW; k++)
                sum += in[i + k];
            worst = std::fmax(worst, std::fabs(out[i] - sum / WINDOW));
        }
        printf("%-12s largest error %.1e\n", w.first, worst);
        right = right && worst < 1e-5;
    }
    return verdict(right);
}
