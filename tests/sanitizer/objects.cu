// SPDX-License-Identifier: Apache-2.0
// Planted misuse of mbarrier objects for synccheck, and programs beside it that are right. memory.cu has the words of the lines before each
// case.
#include "cases.h"
#include <cstdint>
#include <cuda/barrier>
#include <cuda_runtime.h>

enum { N = 64 };

__device__ static unsigned at(const void *p)
{
    return (unsigned)__cvta_generic_to_shared(p);
}
__device__ static void object_init(uint64_t *b, unsigned n)
{
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(at(b)), "r"(n) : "memory");
}
__device__ static void object_end(uint64_t *b)
{
    asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(at(b)) : "memory");
}
__device__ static void arrive(uint64_t *b)
{
    asm volatile("{.reg .b64 s; mbarrier.arrive.shared.b64 s, [%0];}" ::"r"(at(b)) : "memory");
}
__device__ static void arrive_many(uint64_t *b, unsigned n)
{
    asm volatile("{.reg .b64 s; mbarrier.arrive.release.cta.shared.b64 s, [%0], %1;}" ::"r"(at(b)), "r"(n) : "memory");
}
__device__ static void drop(uint64_t *b)
{
    asm volatile("{.reg .b64 s; mbarrier.arrive_drop.shared.b64 s, [%0];}" ::"r"(at(b)) : "memory");
}
__device__ static void expect(uint64_t *b, unsigned bytes)
{
    asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(at(b)), "r"(bytes) : "memory");
}
__device__ static int test(uint64_t *b, unsigned parity)
{
    int done;
    asm volatile("{.reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; selp.s32 %0, 1, 0, p;}"
                 : "=r"(done)
                 : "r"(at(b)), "r"(parity)
                 : "memory");
    return done;
}

enum {
    RIGHT,
    NO_INIT,
    NO_INIT_WAIT,
    TWICE,
    ENDED,
    ENDED_WAIT,
    ZERO,
    TOO_MANY,
    MANY_AT_ONCE,
    OVERWRITTEN,
    TOO_LARGE,
    NEVER_INIT_END,
    DROPPED,
    IN_USE,
    BYTES,
    NO_EXPECT
};

template <int FAULT> __global__ void object(int *out)
{
    __shared__ uint64_t b[2];
    if (threadIdx.x == 0 && FAULT != NO_INIT && FAULT != NO_INIT_WAIT && FAULT != NEVER_INIT_END) {
        object_init(b, FAULT == ZERO ? 0 : FAULT == TOO_LARGE ? 1u << 20 : N);
        if (FAULT == TWICE)
            object_init(b, N);
        if (FAULT == OVERWRITTEN)
            b[0] = 77;
    }
    if (FAULT == NO_INIT || FAULT == NO_INIT_WAIT || FAULT == NEVER_INIT_END)
        b[0] = 0;
    __syncthreads();
    if (FAULT == NO_INIT_WAIT) {
        out[threadIdx.x] = test(b, 0);
        return;
    }
    if (FAULT == ZERO || FAULT == TOO_LARGE || FAULT == TWICE)
        return;
    if (FAULT == TOO_MANY && threadIdx.x == 0)
        arrive_many(b, N + 1);
    else if (FAULT == MANY_AT_ONCE)
        arrive_many(b, 40);
    else if (FAULT == DROPPED && threadIdx.x < 2) {
        drop(b);
        drop(b);
    } else if (FAULT == BYTES && threadIdx.x == 0) {
        expect(b, 1u << 20);
        expect(b, 1u << 20);
    } else if (FAULT == ENDED) {
        if (threadIdx.x == 0)
            object_end(b);
        __syncthreads();
        arrive(b);
    } else if (FAULT == ENDED_WAIT) {
        if (threadIdx.x == 0)
            object_end(b);
        __syncthreads();
        out[threadIdx.x] = test(b, 0);
    } else if (FAULT == NEVER_INIT_END) {
        if (threadIdx.x == 0)
            object_end(b);
    } else if (FAULT == NO_INIT || FAULT == OVERWRITTEN || FAULT == RIGHT || FAULT == IN_USE) {
        arrive(b);
    }
    if (FAULT == IN_USE && threadIdx.x == 0)
        object_init(b, N);
    if (FAULT == RIGHT) {
        for (int phase = 0; phase < 3; phase++) {
            while (!test(b, phase & 1))
                ;
            if (phase < 2)
                arrive(b);
        }
        out[threadIdx.x] = 1;
        __syncthreads();
        if (threadIdx.x == 0) {
            object_end(b);
            object_init(b, 1);
            arrive(b);
        }
    }
}

// case objects_are_right --tool synccheck
CASE(objects_are_right)
{
    object<RIGHT><<<4, N>>>(device<int>(N));
}

// case arrival_without_init --tool synccheck
// > Barrier error detected. Barrier is not initialized
// > at void object<*>(int*)+0x* in objects.cu:*
// > by thread (0,0,0) in block (0,0,0)
// errors any
CASE(arrival_without_init)
{
    object<NO_INIT><<<1, N>>>(device<int>(N));
}

// case wait_without_init --tool synccheck
// > Barrier error detected. Barrier is not initialized
// errors any
CASE(wait_without_init)
{
    object<NO_INIT_WAIT><<<1, N>>>(device<int>(N));
}

// case init_twice --tool synccheck
// > Barrier error detected. Barrier is initialized already
// > by thread (0,0,0) in block (0,0,0)
// errors 1
CASE(init_twice)
{
    object<TWICE><<<1, N>>>(device<int>(N));
}

// case arrival_after_end --tool synccheck
// > Barrier error detected. Barrier is not initialized
// errors any
CASE(arrival_after_end)
{
    object<ENDED><<<1, N>>>(device<int>(N));
}

// case wait_after_end --tool synccheck
// > Barrier error detected. Barrier is not initialized
// errors any
CASE(wait_after_end)
{
    object<ENDED_WAIT><<<1, N>>>(device<int>(N));
}

// case init_with_zero --tool synccheck
// > Barrier error detected. Invalid arguments
// errors 1
CASE(init_with_zero)
{
    object<ZERO><<<1, N>>>(device<int>(N));
}

// case init_with_too_many --tool synccheck
// > Barrier error detected. Invalid arguments
// errors 1
CASE(init_with_too_many)
{
    object<TOO_LARGE><<<1, N>>>(device<int>(N));
}

// case more_than_expected --tool synccheck
// > Barrier error detected. More arrivals than expected
// errors any
CASE(more_than_expected)
{
    object<TOO_MANY><<<1, N>>>(device<int>(N));
}

// case too_many_at_once --tool synccheck
// > Barrier error detected. More arrivals than expected
// errors any
CASE(too_many_at_once)
{
    object<MANY_AT_ONCE><<<1, N>>>(device<int>(N));
}

// case overwritten --tool synccheck
// > Barrier error detected. Barrier was overwritten
// errors any
CASE(overwritten)
{
    object<OVERWRITTEN><<<1, N>>>(device<int>(N));
}

// case end_without_init --tool synccheck
// > Barrier error detected. Barrier is not initialized
// errors 1
CASE(end_without_init)
{
    object<NEVER_INIT_END><<<1, N>>>(device<int>(N));
}

// case init_in_use --tool synccheck
// > Barrier error detected. Barrier is initialized already
// errors 1
CASE(init_in_use)
{
    object<IN_USE><<<1, N>>>(device<int>(N));
}

// case too_many_bytes --tool synccheck
// > Barrier error detected. More bytes than a barrier counts
// errors any
CASE(too_many_bytes)
{
    object<BYTES><<<1, N>>>(device<int>(N));
}

// ---- cuda::barrier
template <bool INIT> __global__ void with_class(int *out)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> b;
    if (threadIdx.x == 0 && INIT)
        init(&b, N);
    __syncthreads();
    if (!INIT && threadIdx.x) // whoever waits would wait for ever
        return;
    auto token = b.arrive();
    if (INIT)
        b.wait(std::move(token));
    out[threadIdx.x] = 1;
}
// case class_without_init --tool synccheck
// > Barrier error detected. Barrier is not initialized
// errors 1
CASE(class_without_init)
{
    with_class<false><<<1, N>>>(device<int>(N));
}

// case class_is_right --tool synccheck
CASE(class_is_right)
{
    with_class<true><<<4, N>>>(device<int>(N));
}

CASES
