// SPDX-License-Identifier: Apache-2.0
// PTX that is linked while the program runs, with the device functions of the program itself: its file is an input.
// nvcc: -rdc=true -lcuda
#include "check.h"
#include <cuda.h>

namespace deep
{
__device__ int table[3] = {100, 200, 300};
__host__ __device__ int twice(int i)
{
    return 2 * i;
}
__device__ int look(int i)
{
    return table[i];
}
} // namespace deep

static const char *ptx = R"(
.version 7.0
.target sm_70
.address_size 64
.extern .func (.param .b32 r) _ZN4deep5twiceEi(.param .b32 i);
.extern .func (.param .b32 r) _ZN4deep4lookEi(.param .b32 i);
.visible .entry k(.param .u64 p)
{
    .reg .b32 %r<5>;
    .reg .b64 %d<2>;
    .param .b32 in;
    .param .b32 out;
    ld.param.u64 %d0, [p];
    mov.u32 %r0, %tid.x;
    st.param.b32 [in], %r0;
    call (out), _ZN4deep5twiceEi, (in);
    ld.param.b32 %r1, [out];
    st.param.b32 [in], %r0;
    call (out), _ZN4deep4lookEi, (in);
    ld.param.b32 %r2, [out];
    add.s32 %r1, %r1, %r2;
    mul.wide.u32 %d1, %r0, 4;
    add.u64 %d0, %d0, %d1;
    st.global.u32 [%d0], %r1;
    ret;
}
)";

__global__ void own(int *p)
{
    *p = deep::twice(deep::look(1));
}

int main()
{
    int *p, host[3];
    OK(cudaMalloc(&p, sizeof host));
    own<<<1, 1>>>(p);
    OK(cudaMemcpy(host, p, sizeof(int), cudaMemcpyDeviceToHost));
    EXPECT(host[0] == 400);

    CUlinkState link;
    void *image;
    size_t size;
    CUmodule module;
    CUfunction k;
    EXPECT(cuLinkCreate(0, nullptr, nullptr, &link) == CUDA_SUCCESS);
    EXPECT(cuLinkAddData(link, CU_JIT_INPUT_PTX, (void *)ptx, strlen(ptx) + 1, "k", 0, nullptr, nullptr) ==
           CUDA_SUCCESS);
    EXPECT(cuLinkAddFile(link, CU_JIT_INPUT_OBJECT, "/proc/self/exe", 0, nullptr, nullptr) == CUDA_SUCCESS);
    EXPECT(cuLinkComplete(link, &image, &size) == CUDA_SUCCESS);
    EXPECT(cuModuleLoadData(&module, image) == CUDA_SUCCESS);
    EXPECT(cuLinkDestroy(link) == CUDA_SUCCESS);
    EXPECT(cuModuleGetFunction(&k, module, "k") == CUDA_SUCCESS);
    void *arguments[] = {&p};
    EXPECT(cuLaunchKernel(k, 1, 1, 1, 3, 1, 1, 0, nullptr, arguments, nullptr) == CUDA_SUCCESS);
    OK(cudaMemcpy(host, p, sizeof host, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 3; i++)
        EXPECT(host[i] == 2 * i + 100 * (i + 1));
    EXPECT(cuModuleUnload(module) == CUDA_SUCCESS);
    OK(cudaFree(p));
    return DONE();
}
