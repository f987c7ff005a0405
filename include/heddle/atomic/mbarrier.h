// SPDX-License-Identifier: Apache-2.0
// Barrier objects in shared memory and copies to it, one function for each PTX instruction. For device code of compute
// capability 8.0 and later; what needs 9.0 says so. For 7.x the barrier objects are words that threads count in.
#ifndef HEDDLE_MBARRIER_H
#define HEDDLE_MBARRIER_H
#include "ordered_access.h"
#include "ordered_atomic.h"
#include "../../host_defines.h"
#include <stddef.h>
#include <stdint.h>
#if (defined(__CUDA__) && defined(__clang__)) || defined(__CUDACC_RTC__)
#include "../../cuda_runtime.h"
#endif

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
#define HEDDLE_FN static __device__ __forceinline__

HEDDLE_FN unsigned int heddle_shared_address(const void *__p)
{
    return (unsigned int)__cvta_generic_to_shared(__p);
}

HEDDLE_FN void heddle_mbarrier_init(uint64_t *barrier, unsigned int count)
{
    __asm__ __volatile__("mbarrier.init.shared.b64 [%0], %1;"
                         :
                         : "r"(heddle_shared_address(barrier)), "r"(count)
                         : "memory");
}
HEDDLE_FN void heddle_mbarrier_inval(uint64_t *barrier)
{
    __asm__ __volatile__("mbarrier.inval.shared.b64 [%0];" : : "r"(heddle_shared_address(barrier)) : "memory");
}
#define HEDDLE_MBARRIER_ARRIVE(name, instruction)                                                                      \
    HEDDLE_FN uint64_t heddle_mbarrier_##name(uint64_t *barrier)                                                       \
    {                                                                                                                  \
        uint64_t token;                                                                                                \
        __asm__ __volatile__(instruction " %0, [%1];" : "=l"(token) : "r"(heddle_shared_address(barrier)) : "memory"); \
        return token;                                                                                                  \
    }
HEDDLE_MBARRIER_ARRIVE(arrive, "mbarrier.arrive.shared.b64")
HEDDLE_MBARRIER_ARRIVE(arrive_drop, "mbarrier.arrive_drop.shared.b64")
#undef HEDDLE_MBARRIER_ARRIVE
HEDDLE_FN uint64_t heddle_mbarrier_arrive_no_complete(uint64_t *barrier, unsigned int count)
{
    uint64_t token;
    __asm__ __volatile__("mbarrier.arrive.noComplete.shared.b64 %0, [%1], %2;"
                         : "=l"(token)
                         : "r"(heddle_shared_address(barrier)), "r"(count)
                         : "memory");
    return token;
}
// Several arrivals at once.
HEDDLE_FN uint64_t heddle_mbarrier_arrive_count(uint64_t *barrier, unsigned int count)
{
#if __CUDA_ARCH__ >= 900
    uint64_t token;
    __asm__ __volatile__("mbarrier.arrive.release.cta.shared::cta.b64 %0, [%1], %2;"
                         : "=l"(token)
                         : "r"(heddle_shared_address(barrier)), "r"(count)
                         : "memory");
    return token;
#else
    if (count > 1)
        heddle_mbarrier_arrive_no_complete(barrier, count - 1);
    return heddle_mbarrier_arrive(barrier);
#endif
}
HEDDLE_FN bool heddle_mbarrier_test_wait(uint64_t *barrier, uint64_t token)
{
    unsigned int done;
    __asm__ __volatile__("{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                         : "=r"(done)
                         : "r"(heddle_shared_address(barrier)), "l"(token)
                         : "memory");
    return done;
}
HEDDLE_FN bool heddle_mbarrier_test_wait_parity(uint64_t *barrier, unsigned int parity)
{
    unsigned int done;
    __asm__ __volatile__("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                         : "=r"(done)
                         : "r"(heddle_shared_address(barrier)), "r"(parity)
                         : "memory");
    return done;
}
// May sleep for a while before it answers, where the hardware can.
HEDDLE_FN bool heddle_mbarrier_try_wait(uint64_t *barrier, uint64_t token)
{
#if __CUDA_ARCH__ >= 900
    unsigned int done;
    __asm__ __volatile__("{ .reg .pred p; mbarrier.try_wait.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                         : "=r"(done)
                         : "r"(heddle_shared_address(barrier)), "l"(token)
                         : "memory");
    return done;
#else
    return heddle_mbarrier_test_wait(barrier, token);
#endif
}
HEDDLE_FN bool heddle_mbarrier_try_wait_parity(uint64_t *barrier, unsigned int parity)
{
#if __CUDA_ARCH__ >= 900
    unsigned int done;
    __asm__ __volatile__("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                         : "=r"(done)
                         : "r"(heddle_shared_address(barrier)), "r"(parity)
                         : "memory");
    return done;
#else
    return heddle_mbarrier_test_wait_parity(barrier, parity);
#endif
}
HEDDLE_FN unsigned int heddle_mbarrier_pending_count(uint64_t token)
{
    unsigned int count;
    __asm__("mbarrier.pending_count.b64 %0, %1;" : "=r"(count) : "l"(token));
    return count;
}

// cp.async: bytes of 4, 8 or 16, of which the last may be filled with zeros.
template <int __Bytes> HEDDLE_FN void heddle_copy_async(void *shared, const void *global)
{
    static_assert(__Bytes == 4 || __Bytes == 8 || __Bytes == 16, "4, 8 or 16 bytes are copied");
    if (__Bytes == 16)
        __asm__ __volatile__("cp.async.cg.shared.global [%0], [%1], 16;"
                             :
                             : "r"(heddle_shared_address(shared)), "l"(__cvta_generic_to_global(global))
                             : "memory");
    else
        __asm__ __volatile__("cp.async.ca.shared.global [%0], [%1], %2;"
                             :
                             : "r"(heddle_shared_address(shared)), "l"(__cvta_generic_to_global(global)), "n"(__Bytes)
                             : "memory");
}
template <int __Bytes> HEDDLE_FN void heddle_copy_async_fill(void *shared, const void *global, unsigned int read)
{
    if (__Bytes == 16)
        __asm__ __volatile__("cp.async.cg.shared.global [%0], [%1], 16, %2;"
                             :
                             : "r"(heddle_shared_address(shared)), "l"(__cvta_generic_to_global(global)), "r"(read)
                             : "memory");
    else
        __asm__ __volatile__("cp.async.ca.shared.global [%0], [%1], %2, %3;"
                             :
                             : "r"(heddle_shared_address(shared)), "l"(__cvta_generic_to_global(global)), "n"(__Bytes),
                               "r"(read)
                             : "memory");
}
HEDDLE_FN void heddle_copy_commit()
{
    __asm__ __volatile__("cp.async.commit_group;" : : : "memory");
}
template <int __N> HEDDLE_FN void heddle_copy_wait()
{
    __asm__ __volatile__("cp.async.wait_group %0;" : : "n"(__N) : "memory");
}
// For all groups but the last n; the instruction takes a constant.
HEDDLE_FN void heddle_copy_wait_prior(size_t __n)
{
    switch (__n) {
    case 0:
        return heddle_copy_wait<0>();
    case 1:
        return heddle_copy_wait<1>();
    case 2:
        return heddle_copy_wait<2>();
    case 3:
        return heddle_copy_wait<3>();
    case 4:
        return heddle_copy_wait<4>();
    case 5:
        return heddle_copy_wait<5>();
    case 6:
        return heddle_copy_wait<6>();
    default:
        return heddle_copy_wait<7>();
    }
}
// The phase waits for this thread's copies so far: an arrival at their end, which is added to the pending ones.
HEDDLE_FN void heddle_copy_arrive(uint64_t *barrier)
{
    __asm__ __volatile__("cp.async.mbarrier.arrive.shared.b64 [%0];"
                         :
                         : "r"(heddle_shared_address(barrier))
                         : "memory");
}

#if __CUDA_ARCH__ >= 900
HEDDLE_FN void heddle_mbarrier_expect_tx(uint64_t *barrier, unsigned int bytes)
{
    __asm__ __volatile__("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;"
                         :
                         : "r"(heddle_shared_address(barrier)), "r"(bytes)
                         : "memory");
}
HEDDLE_FN uint64_t heddle_mbarrier_arrive_expect_tx(uint64_t *barrier, unsigned int bytes)
{
    uint64_t token;
    __asm__ __volatile__("mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 %0, [%1], %2;"
                         : "=l"(token)
                         : "r"(heddle_shared_address(barrier)), "r"(bytes)
                         : "memory");
    return token;
}
HEDDLE_FN void heddle_copy_bulk(void *shared, const void *global, unsigned int bytes, uint64_t *barrier)
{
    __asm__ __volatile__("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
                         :
                         : "r"(heddle_shared_address(shared)), "l"(__cvta_generic_to_global(global)), "r"(bytes),
                           "r"(heddle_shared_address(barrier))
                         : "memory");
}
#endif
#undef HEDDLE_FN
#elif defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
#define HEDDLE_FN static __device__ __forceinline__

// Bits 0-30 pending, 31-61 expected, 63 parity, as in heddle/atomic/barrier_object.h.
HEDDLE_FN void heddle_mbarrier_init(uint64_t *barrier, unsigned int count)
{
    *(volatile uint64_t *)barrier = (uint64_t)count << 31 | count;
}
HEDDLE_FN void heddle_mbarrier_inval(uint64_t *) {}
HEDDLE_FN uint64_t heddle_mbarrier_subtract(uint64_t *barrier, uint64_t __n, uint64_t drop)
{
    uint64_t old = __heddle_fetch_add((volatile unsigned long long *)barrier, 0ull - (__n | drop << 31),
                                      __ATOMIC_ACQ_REL, __MEMORY_SCOPE_WRKGRP);
    if ((old & 0x7fffffff) == __n) {
        uint64_t expected = (old >> 31 & 0x7fffffff) - drop;
        HEDDLE_ORDERED_STORE(barrier, (~old & 1ull << 63) | expected << 31 | expected, __ATOMIC_RELEASE,
                             __MEMORY_SCOPE_WRKGRP);
    }
    return old;
}
HEDDLE_FN uint64_t heddle_mbarrier_arrive(uint64_t *barrier)
{
    return heddle_mbarrier_subtract(barrier, 1, 0);
}
HEDDLE_FN uint64_t heddle_mbarrier_arrive_drop(uint64_t *barrier)
{
    return heddle_mbarrier_subtract(barrier, 1, 1);
}
HEDDLE_FN bool heddle_mbarrier_test_wait_parity(uint64_t *barrier, unsigned int parity)
{
    return HEDDLE_ORDERED_LOAD(barrier, __ATOMIC_ACQUIRE, __MEMORY_SCOPE_WRKGRP) >> 63 != parity;
}
HEDDLE_FN bool heddle_mbarrier_test_wait(uint64_t *barrier, uint64_t token)
{
    return heddle_mbarrier_test_wait_parity(barrier, (unsigned int)(token >> 63));
}
HEDDLE_FN bool heddle_mbarrier_try_wait(uint64_t *barrier, uint64_t token)
{
    return heddle_mbarrier_test_wait(barrier, token);
}
HEDDLE_FN bool heddle_mbarrier_try_wait_parity(uint64_t *barrier, unsigned int parity)
{
    return heddle_mbarrier_test_wait_parity(barrier, parity);
}
HEDDLE_FN unsigned int heddle_mbarrier_pending_count(uint64_t token)
{
    return token & 0x7fffffff;
}
#undef HEDDLE_FN
#endif
#endif
