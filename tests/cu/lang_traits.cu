// SPDX-License-Identifier: Apache-2.0
// What traits of the standard library say of device functions, names that programs may have for themselves, and assertions that
// were switched off for the whole program and are switched on again.
// nvcc: -DNDEBUG --extended-lambda
#include "check.h"
#include <type_traits>

// As headers do that use the function with NDEBUG too; a second declaration is none of ours.
extern "C" __host__ __device__ void __assert_fail(const char *, const char *, unsigned, const char *) noexcept
    __attribute__((__noreturn__));

struct DeviceOnly {
    __device__ int operator()(int x) const
    {
        return x + 1;
    }
};
struct HostOnly {
    __host__ long operator()(int x) const
    {
        return x + 1;
    }
};
struct Either {
    __host__ __device__ char operator()(int x) const
    {
        return (char)x;
    }
    int member(int);
};
static_assert(std::is_invocable_v<DeviceOnly, int> && !std::is_invocable_v<DeviceOnly, int *>);
static_assert(std::is_invocable_v<HostOnly, int> && std::is_invocable_v<Either, int>);
static_assert(std::is_same_v<std::invoke_result_t<DeviceOnly, int>, int> &&
              std::is_same_v<std::invoke_result_t<HostOnly, int>, long>);
static_assert(std::is_invocable_v<decltype(&Either::member), Either *, int> &&
              !std::is_invocable_v<decltype(&Either::member), int>);

template <class T> struct Box {
    T value;
    __host__ __device__ Box(T v) : value(v) {}
};
template <class T> __host__ __device__ Box(T *) -> Box<T>;

static __device__ unsigned long long __globaltimer()
{
    return 11;
}

template <class F> __global__ void apply(F f, int *out)
{
    static_assert(std::is_invocable_r_v<int, F, int>);
    *out = f((int)__globaltimer());
}

int main()
{
    int *out;
    EXPECT(cudaMallocManaged(&out, sizeof *out) == cudaSuccess);
    auto twice = [] __device__(int x) { return 2 * x; };
    static_assert(std::is_invocable_v<decltype(twice), int>);
    apply<<<1, 1>>>(twice, out);
    EXPECT(cudaDeviceSynchronize() == cudaSuccess && *out == 22);
    apply<<<1, 1>>>(DeviceOnly(), out);
    EXPECT(cudaDeviceSynchronize() == cudaSuccess && *out == 12);
    Box box(5);
    EXPECT(box.value == 5);
    cudaChannelFormatDesc d = cudaCreateChannelDesc<float3>(), u = cudaCreateChannelDesc<uchar3>();
    EXPECT(d.x == 32 && d.y == 32 && d.z == 32 && d.w == 0 && d.f == cudaChannelFormatKindFloat);
    EXPECT(u.x == 8 && u.z == 8 && u.w == 0 && u.f == cudaChannelFormatKindUnsigned);
    cudaFree(out);
    return DONE();
}
