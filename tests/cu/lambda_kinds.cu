// SPDX-License-Identifier: Apache-2.0
// What programs ask of lambdas' types: __nv_is_extended_device_lambda_closure_type and its kin.
// nvcc: --extended-lambda
#include "check.h"

struct functor {
    __device__ int operator()(int x) const
    {
        return x;
    }
};
#define DEVICE(l) __nv_is_extended_device_lambda_closure_type(decltype(l))
#define KEEPS(l)  __nv_is_extended_device_lambda_with_preserved_return_type(decltype(l))

template <class F> __global__ void run(F f, int *out)
{
    static_assert(__nv_is_extended_device_lambda_closure_type(F), "a lambda for the device");
    *out = f(20);
}
template <class F> int host_only(F f)
{
    static_assert(!__nv_is_extended_device_lambda_closure_type(F), "none for the device");
    return f(1);
}

int main()
{
    float scale = 2;
    auto plain = [](int x) { return x + 1; };
    auto capturing = [=](int x) { return x * scale; };
    auto device = [] __device__(int x) { return x; };
    auto both = [] __host__ __device__(int x) { return x; };
    auto changing = [=] __device__(int x, float &y) mutable { return x + y * (scale += 1); };
    auto empty = [=] __device__ {};
    auto typed = [=] __device__(double x) -> double { return x * scale; };
    const auto constant = device;
    EXPECT(!DEVICE(plain) && !DEVICE(capturing) && !DEVICE(both));
    EXPECT(DEVICE(device) && DEVICE(changing) && DEVICE(empty) && DEVICE(typed) && DEVICE(constant));
    EXPECT(KEEPS(typed) && !KEEPS(plain) && !KEEPS(both));
    EXPECT(!__nv_is_extended_device_lambda_closure_type(functor) && !__nv_is_extended_device_lambda_closure_type(int));
    EXPECT(!__nv_is_extended_host_device_lambda_closure_type(functor));
    EXPECT(host_only(plain) == 2);
    EXPECT(host_only(both) == 1);
    int *p, host;
    OK(cudaMalloc(&p, sizeof host));
    run<<<1, 1>>>([=] __device__(int x) { return x * (int)scale; }, p);
    OK(cudaMemcpy(&host, p, sizeof host, cudaMemcpyDeviceToHost));
    EXPECT(host == 40);
    OK(cudaFree(p));
    return DONE();
}
