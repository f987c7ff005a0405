// SPDX-License-Identifier: Apache-2.0
// <cuda/annotated_ptr>, <cuda/discard_memory>: pointers with properties behave as plain ones; hints keep what they may keep.
// nvcc: -std=c++17 -arch=sm_90
#include "check.h"
#include <cooperative_groups.h>
#include <cuda/annotated_ptr>
#include <cuda/barrier>
#include <type_traits>

using cuda::access_property;
using cuda::annotated_ptr;

struct Pair {
    int a, b;
};

__global__ void sums(annotated_ptr<int const, access_property::streaming> in, annotated_ptr<int, access_property> out,
                     int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] += in[i] * 2;
}

__global__ void through_shared(int *data, Pair *pairs)
{
    __shared__ int tile[128];
    annotated_ptr<int, access_property::shared> mine(tile);
    annotated_ptr<int, access_property::normal> from(data);
    annotated_ptr<Pair, access_property::persisting> p(pairs);
    __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
    if (threadIdx.x == 0)
        init(&barrier, blockDim.x);
    __syncthreads();
    cuda::memcpy_async(cooperative_groups::this_thread_block(), tile, from, sizeof tile, barrier);
    barrier.arrive_and_wait();
    int t = threadIdx.x, v = mine[127 - t];
    __syncthreads();
    data[t] = v;
    if (t == 0) {
        p->a = 5;
        (*p).b = 6;
        pairs[1].a = (int)((&mine[10] - &mine[4]));
        pairs[1].b = (bool)p && !annotated_ptr<int, access_property::global>();
    }
    int *q = cuda::associate_access_property(data, access_property::persisting{});
    if (q != data)
        data[0] = -1;
}

__global__ void hints(int *kept, int *scratch, int n)
{
    cuda::apply_access_property(kept, n * sizeof(int), access_property::persisting{});
    cuda::apply_access_property(kept, cuda::aligned_size_t<128>(n * sizeof(int)), access_property::normal{});
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        scratch[i] = i;
        kept[i] += scratch[i];
    }
    __syncthreads();
    if (threadIdx.x == 0) // all lines but the two that the range only touches
        cuda::discard_memory(scratch + 1, (n - 2) * sizeof(int));
}

int main()
{
    const int n = 1000;
    std::vector<int> v(n);
    for (int i = 0; i < n; i++)
        v[i] = i;
    Buffer<int> in(v), out(v);
    annotated_ptr<int const, access_property::streaming> from(in.p);
    annotated_ptr<int, access_property> to(out.p, access_property::persisting{});
    annotated_ptr<int, access_property> copy(to), plain(out.p, access_property::normal{});
    sums<<<8, 128>>>(from, copy, n);
    LAUNCHED();
    v = out.get();
    bool right = true;
    for (int i = 0; i < n; i++)
        right &= v[i] == 3 * i;
    EXPECT(right);
    sums<<<8, 128>>>(from, plain, n);
    LAUNCHED();
    EXPECT(out.get()[999] == 5 * 999);

    Buffer<Pair> pairs(2);
    through_shared<<<1, 128>>>(in, pairs);
    LAUNCHED();
    v = in.get();
    right = true;
    for (int i = 0; i < 128; i++)
        right &= v[i] == 127 - i;
    EXPECT(right && v[128] == 128);
    std::vector<Pair> p = pairs.get();
    EXPECT(p[0].a == 5 && p[0].b == 6 && p[1].a == 6 && p[1].b == 1);

    Buffer<int> kept(4096), scratch(4096);
    hints<<<1, 256>>>(kept, scratch, 4096);
    LAUNCHED();
    v = kept.get();
    right = true;
    for (int i = 0; i < 4096; i++)
        right &= v[i] == i;
    EXPECT(right);
    v = scratch.get();
    EXPECT(v[0] == 0 && v[4095] == 4095);

    // Properties: values of their own, and names for the runtime's.
    access_property global, same = access_property::global{}, stream = access_property::streaming{};
    access_property half(access_property::persisting{}, 0.5f),
        mixed(access_property::normal{}, 0.25f, access_property::streaming{});
    access_property range(in.p, 64, 128, access_property::persisting{});
    EXPECT((std::uint64_t)global == (std::uint64_t)same && (std::uint64_t)stream != (std::uint64_t)half);
    EXPECT((std::uint64_t)mixed != (std::uint64_t)half && (std::uint64_t)range != (std::uint64_t)stream);
    EXPECT((cudaAccessProperty)access_property::persisting{} == cudaAccessPropertyPersisting);
    EXPECT((cudaAccessProperty)access_property::streaming{} == cudaAccessPropertyStreaming);
    EXPECT((cudaAccessProperty)access_property::normal{} == cudaAccessPropertyNormal);
    static_assert(std::is_same<annotated_ptr<int, access_property::global>::value_type, int>::value, "");
    static_assert(sizeof(annotated_ptr<int, access_property::normal>) == sizeof(int *), "");
    std::vector<int> host(4, 7);
    annotated_ptr<int, access_property::global> h(host.data());
    h[2] = 9;
    EXPECT(host[2] == 9 && *h == 7);
    cuda::discard_memory(host.data(), 16);
    cuda::apply_access_property(host.data(), 16, access_property::normal{});
    return DONE();
}
