// SPDX-License-Identifier: Apache-2.0
// <cuda/ptx>: barriers in shared memory, bulk copies both ways and with sums, fences, clusters and special registers.
// nvcc: -std=c++17 -arch=sm_90
#include "check.h"
#include <cuda/ptx>
#include <cstdint>

namespace ptx = cuda::ptx;

enum { COUNT = 256 };

// In, each number plus one, and out again; then added to the sums.
__global__ void round_trip(const std::uint32_t *in, std::uint32_t *out, std::uint32_t *sum, std::uint32_t *bits)
{
    __shared__ alignas(128) std::uint32_t tile[COUNT];
    __shared__ alignas(8) std::uint64_t barrier;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&barrier, blockDim.x);
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
        ptx::fence_proxy_async(ptx::space_shared);
    }
    __syncthreads();
    std::uint64_t state;
    if (threadIdx.x == 0) {
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile, in, sizeof tile, &barrier);
        state =
            ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &barrier, sizeof tile);
    } else {
        state = ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &barrier);
    }
    while (!ptx::mbarrier_try_wait(ptx::sem_acquire, ptx::scope_cta, &barrier, state))
        ;
    for (int i = threadIdx.x; i < COUNT; i += blockDim.x)
        tile[i] += 1;
    ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
    if (threadIdx.x == 0) {
        ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out, tile, sizeof tile);
        ptx::cp_reduce_async_bulk(ptx::space_global, ptx::space_shared, ptx::op_add, sum, tile,
                                  (std::uint32_t)sizeof tile);
        ptx::cp_reduce_async_bulk(ptx::space_global, ptx::space_shared, ptx::op_or_op, bits, tile,
                                  (std::uint32_t)sizeof tile);
        ptx::cp_async_bulk_commit_group();
        ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
        ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
    }
}

// Phases one after the other, waited for by parity; counts of several arrivals.
__global__ void phases(int *out)
{
    __shared__ alignas(8) std::uint64_t barrier;
    __shared__ int value;
    if (threadIdx.x == 0)
        ptx::mbarrier_init(&barrier, 64);
    __syncthreads();
    for (std::uint32_t phase = 0; phase < 4; phase++) {
        if (threadIdx.x == phase)
            value = 10 * (phase + 1);
        if (threadIdx.x == 0 && ptx::mbarrier_test_wait_parity(&barrier, phase & 1))
            out[0] = -1; // it cannot be over: this thread has not arrived
        ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &barrier, 2);
        while (!ptx::mbarrier_try_wait_parity(&barrier, phase & 1))
            ;
        if (threadIdx.x == 31 - phase)
            out[1 + phase] = value;
        __syncthreads();
        ptx::fence(ptx::sem_acq_rel, ptx::scope_cta);
    }
}

__global__ void __cluster_dims__(2, 1, 1) cluster(unsigned *out)
{
    __shared__ unsigned mine;
    mine = ptx::getctarank(ptx::space_cluster, &mine);
    ptx::barrier_cluster_arrive(ptx::sem_release);
    ptx::barrier_cluster_wait(ptx::sem_acquire);
    if (threadIdx.x == 0) {
        unsigned *o = out + 8 * blockIdx.x;
        o[0] = mine;
        o[1] = ptx::get_sreg_cluster_ctarank();
        o[2] = ptx::get_sreg_cluster_nctarank();
        o[3] = ptx::get_sreg_ctaid_x();
        o[4] = ptx::get_sreg_nctaid_x();
        o[5] = ptx::get_sreg_is_explicit_cluster();
        o[6] = ptx::get_sreg_clusterid_x();
    }
    ptx::fence(ptx::sem_sc, ptx::scope_gpu);
    ptx::barrier_cluster_arrive();
    ptx::barrier_cluster_wait();
}

__global__ void registers(unsigned *out)
{
    unsigned t = ptx::get_sreg_tid_x() + ptx::get_sreg_ntid_x() * ptx::get_sreg_tid_y();
    std::uint64_t before = ptx::get_sreg_globaltimer(), clock = ptx::get_sreg_clock64();
    unsigned ok = ptx::get_sreg_laneid() == t % 32;
    ok &= ptx::get_sreg_lanemask_eq() == 1u << t % 32;
    ok &= ptx::get_sreg_lanemask_lt() == (1u << t % 32) - 1;
    ok &= ptx::get_sreg_smid() < ptx::get_sreg_nsmid();
    ok &= ptx::get_sreg_globaltimer() >= before && ptx::get_sreg_clock64() >= clock;
    out[t] = ok;
    if (t > 1000)
        ptx::trap();
    if (t == 5)
        ptx::exit();
    out[64 + t] = 1;
}

int main()
{
    std::vector<std::uint32_t> v(COUNT);
    for (int i = 0; i < COUNT; i++)
        v[i] = 3 * i;
    Buffer<std::uint32_t> in(v), out(COUNT), sum(v), bits(COUNT);
    round_trip<<<1, 64>>>(in, out, sum, bits);
    LAUNCHED();
    std::vector<std::uint32_t> o = out.get(), s = sum.get(), b = bits.get();
    bool right = true;
    for (unsigned i = 0; i < COUNT; i++)
        right &= o[i] == 3 * i + 1 && s[i] == 6 * i + 1 && b[i] == 3 * i + 1;
    EXPECT(right);

    Buffer<int> p(5);
    phases<<<1, 32>>>(p);
    LAUNCHED();
    EXPECT(p.get() == std::vector<int>({0, 10, 20, 30, 40}));

    Buffer<unsigned> c(32);
    cluster<<<4, 32>>>(c);
    LAUNCHED();
    std::vector<unsigned> got = c.get();
    for (unsigned i = 0; i < 4; i++)
        EXPECT(std::vector<unsigned>(got.begin() + 8 * i, got.begin() + 8 * i + 7) ==
               std::vector<unsigned>({i % 2, i % 2, 2, i, 4, 1, i / 2}));

    Buffer<unsigned> r(128);
    registers<<<1, dim3(16, 4)>>>(r);
    LAUNCHED();
    std::vector<unsigned> w = r.get();
    right = true;
    for (int i = 0; i < 64; i++)
        right &= w[i] == 1 && w[64 + i] == (i != 5);
    EXPECT(right);
    return DONE();
}
