// SPDX-License-Identifier: Apache-2.0
// The C functions over barrier objects in shared memory.
#ifndef _CUDA_AWBARRIER_PRIMITIVES_H_
#define _CUDA_AWBARRIER_PRIMITIVES_H_
#include "heddle/atomic/mbarrier.h"

#if defined(__CUDACC__) && (!defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700)
typedef uint64_t __mbarrier_t;
typedef uint64_t __mbarrier_token_t;

#define HEDDLE_FN static __device__ __forceinline__
#if defined(__CUDA_ARCH__)
#define HEDDLE_CALL(type, ...) return heddle_mbarrier_##__VA_ARGS__;
#else
#define HEDDLE_CALL(type, ...) return (type)0; // the host's pass only looks at device functions
#endif
HEDDLE_FN uint32_t __mbarrier_maximum_count()
{
    return (1u << 20) - 1;
}
HEDDLE_FN void __mbarrier_init(__mbarrier_t *barrier,
                               uint32_t expected){HEDDLE_CALL(void, init(barrier, expected))} HEDDLE_FN
    void __mbarrier_inval(__mbarrier_t *barrier){HEDDLE_CALL(void, inval(barrier))} HEDDLE_FN __mbarrier_token_t
    __mbarrier_arrive(__mbarrier_t *barrier){
        HEDDLE_CALL(__mbarrier_token_t, arrive(barrier))} HEDDLE_FN __mbarrier_token_t
    __mbarrier_arrive_and_drop(__mbarrier_t *barrier){HEDDLE_CALL(__mbarrier_token_t, arrive_drop(barrier))} HEDDLE_FN
    bool __mbarrier_test_wait(__mbarrier_t *barrier,
                              __mbarrier_token_t token){HEDDLE_CALL(bool, test_wait(barrier, token))} HEDDLE_FN
    bool __mbarrier_test_wait_parity(__mbarrier_t *barrier,
                                     bool parity){HEDDLE_CALL(bool, test_wait_parity(barrier, parity))}
// May sleep, where the hardware can, for at most so many nanoseconds.
HEDDLE_FN bool __mbarrier_try_wait(__mbarrier_t *barrier, __mbarrier_token_t token,
                                   uint32_t){HEDDLE_CALL(bool, try_wait(barrier, token))} HEDDLE_FN
    bool __mbarrier_try_wait_parity(__mbarrier_t *barrier, bool parity,
                                    uint32_t){HEDDLE_CALL(bool, try_wait_parity(barrier, parity))} HEDDLE_FN uint32_t
    __mbarrier_token_pending_count(__mbarrier_token_t token)
{
    HEDDLE_CALL(uint32_t, pending_count(token))
}
#undef HEDDLE_CALL
#undef HEDDLE_FN
#endif
#endif
