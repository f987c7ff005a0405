// SPDX-License-Identifier: Apache-2.0
// Namespaces cuda and cuda::std of our own headers. cuda::std has what the host's standard library has: what is
// constexpr there serves device code as well. Programs that bring NVIDIA's libraries name their folder, which is
// searched first, and see nothing of this.
#ifndef HEDDLE_CUDA_STD_H
#define HEDDLE_CUDA_STD_H
#if !defined(__cplusplus)
#error "this header is for C++"
#endif
#include "../host_defines.h"
#if defined(__CUDACC_RTC__)
#include "heddle/rtc/cuda_std.h"
#else
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#endif

#if (defined(__CUDA__) && defined(__clang__)) || defined(__CUDACC_RTC__)
#include "../cuda_runtime.h"
#endif

// What device code can count on.
#if defined(__CUDA_ARCH__)
#define HEDDLE_DEVICE_SM __CUDA_ARCH__
#else
#define HEDDLE_DEVICE_SM 0
#endif
#define HEDDLE_HD __host__ __device__ __forceinline__

namespace cuda
{
namespace std
{
using namespace ::std;

// Not constexpr before C++20, and so for the host alone in the standard library.
template <class __T> HEDDLE_HD void swap(__T &__a, __T &__b)
{
    __T __t = static_cast<__T &&>(__a);
    __a = static_cast<__T &&>(__b);
    __b = static_cast<__T &&>(__t);
}
template <class __T, class __U = __T> HEDDLE_HD __T exchange(__T &object, __U &&value)
{
    __T old = static_cast<__T &&>(object);
    object = static_cast<__U &&>(value);
    return old;
}
} // namespace std

enum thread_scope {
    thread_scope_system = 0,
    thread_scope_device = 1,
    thread_scope_block = 2,
    thread_scope_thread = 10
};
} // namespace cuda
#endif
