// SPDX-License-Identifier: Apache-2.0
// One kernel of a program needs an instruction that the device may lack: it is refused when it is launched, with
// cudaErrorNotSupported and no harm to the context, and the other kernel runs. A GPU of sm_90 has the instruction.
// nvcc: -arch=sm_90
#include "check.h"

// Memory that several devices share is nothing that a CPU has. The instruction is not reached.
__global__ void several(float *p, int reach)
{
    float v = 1;
    if (reach)
        asm volatile("multimem.ld_reduce.relaxed.sys.global.add.f32 %0, [%1];" : "=f"(v) : "l"(p) : "memory");
    *p = v;
}

__global__ void plain(int *p)
{
    p[threadIdx.x] = threadIdx.x;
}

int main()
{
    Buffer<float> a(1);
    several<<<1, 1>>>(a, 0);
    cudaError_t e = cudaGetLastError();
    EXPECT(e == (on_gpu() ? cudaSuccess : cudaErrorNotSupported));
    OK(cudaDeviceSynchronize());
    EXPECT(a.get()[0] == (e == cudaSuccess ? 1.0f : 0.0f));
    Buffer<int> d(32);
    plain<<<1, 32>>>(d);
    LAUNCHED();
    EXPECT(d.get()[31] == 31);
    return DONE();
}
