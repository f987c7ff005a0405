// SPDX-License-Identifier: Apache-2.0
// nvcuda::experimental::awbarrier: a barrier object as a class.
#ifndef _CUDA_AWBARRIER_H_
#define _CUDA_AWBARRIER_H_
#include "cuda_awbarrier_primitives.h"

#if defined(__CUDACC__) && defined(__cplusplus) && (!defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700)
namespace nvcuda
{
namespace experimental
{
class awbarrier
{
    __mbarrier_t barrier_;

  public:
    class arrival_token
    {
        __mbarrier_token_t token_;
        __device__ explicit arrival_token(__mbarrier_token_t token) : token_(token) {}
        friend class awbarrier;

      public:
        arrival_token() = default;
        __device__ uint32_t pending_count() const
        {
            return __mbarrier_token_pending_count(token_);
        }
    };

    awbarrier() = default;
    awbarrier(const awbarrier &) = delete;
    awbarrier &operator=(const awbarrier &) = delete;

    __device__ friend void init(awbarrier *__b, uint32_t expected)
    {
        __mbarrier_init(&__b->barrier_, expected);
    }
    __device__ friend void inval(awbarrier *__b)
    {
        __mbarrier_inval(&__b->barrier_);
    }
    __device__ arrival_token arrive()
    {
        return arrival_token(__mbarrier_arrive(&barrier_));
    }
    __device__ arrival_token arrive_and_drop()
    {
        return arrival_token(__mbarrier_arrive_and_drop(&barrier_));
    }
    __device__ bool timed_wait(arrival_token token, uint32_t __cycles)
    {
        long long start = clock64();
        while (!__mbarrier_test_wait(&barrier_, token.token_))
            if (clock64() - start > (long long)__cycles)
                return false;
        return true;
    }
    __device__ bool timed_wait_parity(bool parity, uint32_t __cycles)
    {
        long long start = clock64();
        while (!__mbarrier_test_wait_parity(&barrier_, parity))
            if (clock64() - start > (long long)__cycles)
                return false;
        return true;
    }
    __device__ void wait(arrival_token token)
    {
        while (!__mbarrier_test_wait(&barrier_, token.token_))
            ;
    }
    __device__ void arrive_and_wait()
    {
        wait(arrive());
    }
    __device__ bool try_wait(arrival_token token, uint32_t sleep = 0)
    {
        return __mbarrier_try_wait(&barrier_, token.token_, sleep);
    }
    __device__ bool try_wait_parity(bool parity, uint32_t sleep = 0)
    {
        return __mbarrier_try_wait_parity(&barrier_, parity, sleep);
    }
    __host__ __device__ static constexpr uint32_t max()
    {
        return (1u << 20) - 1;
    }
};
} // namespace experimental
} // namespace nvcuda
#endif
#endif
