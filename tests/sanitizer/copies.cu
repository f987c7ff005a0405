// SPDX-License-Identifier: Apache-2.0
// Planted hazards of asynchronous copies for racecheck, and programs beside them that are right. memory.cu has the words of the lines before
// each case.
#include "cases.h"
#include <cstdint>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_runtime.h>
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

enum { N = 128 };

__device__ static unsigned at(const void *p)
{
    return (unsigned)__cvta_generic_to_shared(p);
}
__device__ static void copy4(int *to, const int *from)
{
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(at(to)), "l"(from) : "memory");
}
__device__ static void commit()
{
    asm volatile("cp.async.commit_group;" ::: "memory");
}
template <int MOST> __device__ static void wait()
{
    asm volatile("cp.async.wait_group %0;" ::"n"(MOST) : "memory");
}
__device__ static void wait_all()
{
    asm volatile("cp.async.wait_all;" ::: "memory");
}

// ---- cp.async
__global__ void no_wait(const int *in, int *out)
{
    __shared__ int s[N];
    copy4(&s[threadIdx.x], in + threadIdx.x);
    commit();
    out[threadIdx.x] = s[threadIdx.x];
}
__global__ void barrier_for_wait(const int *in, int *out)
{
    __shared__ int s[N];
    copy4(&s[threadIdx.x], in + threadIdx.x);
    commit();
    __syncthreads();
    out[threadIdx.x] = s[N - 1 - threadIdx.x];
}
__global__ void wait_without_barrier(const int *in, int *out)
{
    __shared__ int s[N];
    copy4(&s[threadIdx.x], in + threadIdx.x);
    commit();
    wait<0>();
    out[threadIdx.x] = s[N - 1 - threadIdx.x];
}
__global__ void one_group_left(const int *in, int *out)
{
    __shared__ int s[2][N];
    copy4(&s[0][threadIdx.x], in + threadIdx.x);
    commit();
    copy4(&s[1][threadIdx.x], in + N + threadIdx.x);
    commit();
    wait<1>();
    __syncthreads();
    out[threadIdx.x] = s[0][N - 1 - threadIdx.x] + s[1][N - 1 - threadIdx.x];
}
__global__ void not_committed(const int *in, int *out)
{
    __shared__ int s[N];
    copy4(&s[threadIdx.x], in + threadIdx.x);
    wait<0>();
    __syncthreads();
    out[threadIdx.x] = s[N - 1 - threadIdx.x];
}
__global__ void store_in_flight(const int *in, int *out)
{
    __shared__ int s[N];
    copy4(&s[threadIdx.x], in + threadIdx.x);
    commit();
    s[threadIdx.x] = (int)clock();
    wait<0>();
    __syncthreads();
    out[threadIdx.x] = s[N - 1 - threadIdx.x];
}
__global__ void too_early_again(const int *in, int *out)
{
    __shared__ int s[2][N];
    int sum = 0;
    copy4(&s[0][threadIdx.x], in + threadIdx.x);
    commit();
    for (int i = 0; i < 4; i++) {
        copy4(&s[(i + 1) % 2][threadIdx.x], in + (i + 1) % 2 * N + threadIdx.x);
        commit();
        wait<1>();
        __syncthreads();
        sum += s[i % 2][N - 1 - threadIdx.x]; // the next round's copy goes where others still read
    }
    out[threadIdx.x] = sum;
}
__global__ void two_stages(const int *in, int *out)
{
    __shared__ int s[2][N];
    int sum = 0;
    copy4(&s[0][threadIdx.x], in + threadIdx.x);
    commit();
    for (int i = 0; i < 4; i++) {
        copy4(&s[(i + 1) % 2][threadIdx.x], in + (i + 1) % 2 * N + threadIdx.x);
        commit();
        wait<1>();
        __syncthreads();
        sum += s[i % 2][N - 1 - threadIdx.x];
        __syncthreads();
    }
    wait_all();
    out[blockIdx.x * N + threadIdx.x] = sum;
}
__global__ void own_word(const int *in, int *out)
{
    __shared__ int s[N];
    copy4(&s[threadIdx.x], in + threadIdx.x);
    wait_all();
    out[blockIdx.x * N + threadIdx.x] = s[threadIdx.x];
}
static int *numbers(size_t n)
{
    int *p = device<int>(n);
    cudaMemset(p, 1, n * sizeof *p);
    return p;
}

// case no_wait --tool racecheck
// > Error: Race reported between Write access at no_wait(int const*, int*)+0x* in copies.cu:*
// > and Read access at no_wait(int const*, int*)+0x* in copies.cu:* [* hazards]
// errors 1
CASE(no_wait)
{
    no_wait<<<1, N>>>(numbers(N), device<int>(N));
}

// case barrier_for_wait --tool racecheck
// > Error: Race reported between Write access at barrier_for_wait(int const*, int*)+0x*
// errors 1
CASE(barrier_for_wait)
{
    barrier_for_wait<<<1, N>>>(numbers(N), device<int>(N));
}

// case wait_without_barrier --tool racecheck
// > Error: Race reported between * access at wait_without_barrier(int const*, int*)+0x*
// errors any
CASE(wait_without_barrier)
{
    wait_without_barrier<<<1, N>>>(numbers(N), device<int>(N));
}

// case one_group_left --tool racecheck
// > Error: Race reported between Write access at one_group_left(int const*, int*)+0x* in copies.cu:*
// errors 1
CASE(one_group_left)
{
    one_group_left<<<1, N>>>(numbers(2 * N), device<int>(N));
}

// case not_committed --tool racecheck
// > Error: Race reported between Write access at not_committed(int const*, int*)+0x*
// errors 1
CASE(not_committed)
{
    not_committed<<<1, N>>>(numbers(N), device<int>(N));
}

// case store_in_flight --tool racecheck
// > Error: Race reported between Write access at store_in_flight(int const*, int*)+0x*
// > and Write access at store_in_flight(int const*, int*)+0x*
// errors any
CASE(store_in_flight)
{
    store_in_flight<<<1, N>>>(numbers(N), device<int>(N));
}

// case too_early_again --tool racecheck
// > Error: Race reported between * access at too_early_again(int const*, int*)+0x*
// errors any
CASE(too_early_again)
{
    too_early_again<<<1, N>>>(numbers(2 * N), device<int>(N));
}

// case copies_are_right --tool racecheck
CASE(copies_are_right)
{
    two_stages<<<4, N>>>(numbers(2 * N), device<int>(4 * N));
    own_word<<<4, N>>>(numbers(N), device<int>(4 * N));
}

// ---- copies of cuda::barrier, cuda::pipeline and cooperative groups
template <bool WAIT> __global__ void with_pipeline(const int *in, int *out)
{
    __shared__ int s[N];
    auto p = cuda::make_pipeline();
    p.producer_acquire();
    cuda::memcpy_async(&s[threadIdx.x], in + threadIdx.x, 4, p);
    p.producer_commit();
    if (WAIT)
        p.consumer_wait();
    out[blockIdx.x * N + threadIdx.x] = s[threadIdx.x];
    if (!WAIT)
        p.consumer_wait();
    p.consumer_release();
}
template <bool WAIT> __global__ void with_barrier(const int *in, int *out)
{
    __shared__ int s[N];
    __shared__ cuda::barrier<cuda::thread_scope_block> b;
    if (threadIdx.x == 0)
        init(&b, N);
    __syncthreads();
    cuda::memcpy_async(&s[threadIdx.x], in + threadIdx.x, 4, b);
    auto token = b.arrive();
    if (WAIT)
        b.wait(std::move(token));
    out[blockIdx.x * N + threadIdx.x] = s[threadIdx.x];
    if (!WAIT)
        b.wait(std::move(token));
}
template <bool WAIT> __global__ void with_group(const int *in, int *out)
{
    __shared__ int s[N];
    auto block = cooperative_groups::this_thread_block();
    cooperative_groups::memcpy_async(block, s, in, sizeof s);
    if (WAIT)
        cooperative_groups::wait(block);
    else
        block.sync();
    out[blockIdx.x * N + threadIdx.x] = s[N - 1 - threadIdx.x];
}

// case pipeline_without_wait --tool racecheck
// > Error: Race reported between Write access at *
// errors any
CASE(pipeline_without_wait)
{
    with_pipeline<false><<<1, N>>>(numbers(N), device<int>(N));
}

// case group_without_wait --tool racecheck
// > Error: Race reported between Write access at *
// errors any
CASE(group_without_wait)
{
    with_group<false><<<1, N>>>(numbers(N), device<int>(N));
}

// case barrier_without_wait --tool racecheck
// > Error: Race reported between Write access at *
// errors any
CASE(barrier_without_wait)
{
    with_barrier<false><<<1, N>>>(numbers(N), device<int>(N));
}

// case waits_are_right --tool racecheck
CASE(waits_are_right)
{
    with_pipeline<true><<<2, N>>>(numbers(N), device<int>(2 * N));
    with_group<true><<<2, N>>>(numbers(N), device<int>(2 * N));
    with_barrier<true><<<2, N>>>(numbers(N), device<int>(2 * N));
}

// ---- cp.async.bulk
__device__ static void object_init(uint64_t *b, unsigned n)
{
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(at(b)), "r"(n) : "memory");
}
__device__ static void expect(uint64_t *b, unsigned bytes)
{
    asm volatile("{.reg .b64 s; mbarrier.arrive.expect_tx.shared.b64 s, [%0], %1;}" ::"r"(at(b)), "r"(bytes)
                 : "memory");
}
__device__ static void load_bulk(void *to, const void *from, unsigned bytes, uint64_t *b)
{
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(at(to)),
        "l"(from), "r"(bytes), "r"(at(b))
        : "memory");
}
__device__ static void store_bulk(void *to, const void *from, unsigned bytes)
{
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to), "r"(at(from)), "r"(bytes)
                 : "memory");
}
__device__ static void object_wait(uint64_t *b, unsigned parity)
{
    asm volatile("{.reg .pred p; again: mbarrier.try_wait.parity.shared.b64 p, [%0], %1; @!p bra again;}" ::"r"(at(b)),
                 "r"(parity)
                 : "memory");
}
__device__ static void fence_proxy()
{
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}
template <int FAULT> __global__ void bulk_load(const int *in, int *out)
{
    __shared__ alignas(128) int s[N];
    __shared__ uint64_t b, again;
    if (threadIdx.x == 0) {
        object_init(&b, 1);
        object_init(&again, 1);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        expect(&b, sizeof s);
        load_bulk(s, in, sizeof s, &b);
    }
    if (FAULT == 1)
        __syncthreads();
    else if (FAULT != 2 || threadIdx.x < 64)
        object_wait(&b, 0);
    out[blockIdx.x * N + threadIdx.x] = s[threadIdx.x];
    if (FAULT == 3) { // again, into what others may still read
        if (threadIdx.x == 0) {
            expect(&again, sizeof s);
            load_bulk(s, in, sizeof s, &again);
        }
        object_wait(&again, 0);
        out[blockIdx.x * N + threadIdx.x] += s[threadIdx.x];
    }
}
template <int FAULT> __global__ void bulk_store(int *out)
{
    __shared__ alignas(128) int s[N];
    s[threadIdx.x] = threadIdx.x;
    if (FAULT != 3)
        fence_proxy();
    if (FAULT != 1)
        __syncthreads();
    if (threadIdx.x == 0) {
        store_bulk(out + blockIdx.x * N, s, sizeof s);
        asm volatile("cp.async.bulk.commit_group;" ::: "memory");
        if (FAULT != 2)
            asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
    }
    __syncthreads();
    s[threadIdx.x] = (int)clock();
    __syncthreads();
    if (threadIdx.x == 0) {
        asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
        out[blockIdx.x * N] += s[5];
    }
}

// case bulk_load_is_right --tool racecheck
CASE(bulk_load_is_right)
{
    bulk_load<0><<<2, N>>>(numbers(N), device<int>(2 * N));
}

// case bulk_load_barrier_for_wait --tool racecheck
// > Error: Race reported between Write access at void bulk_load<*
// errors any
CASE(bulk_load_barrier_for_wait)
{
    bulk_load<1><<<1, N>>>(numbers(N), device<int>(N));
}

// case bulk_load_half_waits --tool racecheck
// > Error: Race reported between * access at void bulk_load<*
// errors any
CASE(bulk_load_half_waits)
{
    bulk_load<2><<<1, N>>>(numbers(N), device<int>(N));
}

// case bulk_load_too_early_again --tool racecheck
// > Error: Race reported between Read access at void bulk_load<*
// errors any
CASE(bulk_load_too_early_again)
{
    bulk_load<3><<<1, N>>>(numbers(N), device<int>(N));
}

// case bulk_store_is_right --tool racecheck
CASE(bulk_store_is_right)
{
    bulk_store<0><<<2, N>>>(device<int>(2 * N));
}

// case bulk_store_without_barrier --tool racecheck
// > Error: Race reported between * access at void bulk_store<*
// errors any
CASE(bulk_store_without_barrier)
{
    bulk_store<1><<<1, N>>>(device<int>(N));
}

// case bulk_store_source_changed --tool racecheck
// > Error: Race reported between Read access at void bulk_store<*
// errors any
CASE(bulk_store_source_changed)
{
    bulk_store<2><<<1, N>>>(device<int>(N));
}

// case bulk_store_without_proxy_fence --tool racecheck
// > Error: Race reported between Write access at void bulk_store<*
// errors any
CASE(bulk_store_without_proxy_fence)
{
    bulk_store<3><<<1, N>>>(device<int>(N));
}

CASES
