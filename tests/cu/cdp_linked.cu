// SPDX-License-Identifier: Apache-2.0
// A kernel that launches another, compiled while the program runs and linked with the device runtime by its place.
// nvcc: -lcuda -lnvrtc
// clang: 22
#include "check.h"
#include <cuda.h>
#include <nvrtc.h>
#include <string>
#ifndef CUDA_HOME // of the toolkit; where it is not set the linker answers for itself, or the program says so
#define CUDA_HOME "/usr/local/cuda"
#endif

static const char *source = R"(
template <class T> __global__ void child(T *p, T x) { p[threadIdx.x] = x + T(threadIdx.x); }
extern "C" __global__ void parent(float *p)
{
    child<float><<<1, 16>>>(p, 0.5f);
    child<<<1, 16, 0, cudaStreamTailLaunch>>>(p + 16, 1.5f);
})";

static CUresult library_add(CUlinkState link)
{
    const char *home = getenv("CUDA_HOME");
    std::string folder = home ? home : CUDA_HOME;
    for (const char *place : {"/lib64/libcudadevrt.a", "/targets/x86_64-linux/lib/libcudadevrt.a"})
        if (cuLinkAddFile(link, CU_JIT_INPUT_LIBRARY, (folder + place).c_str(), 0, nullptr, nullptr) == CUDA_SUCCESS)
            return CUDA_SUCCESS;
    return CUDA_ERROR_FILE_NOT_FOUND;
}

int main()
{
    OK(cudaFree(0));
    nvrtcProgram program;
    const char *options[] = {"-rdc=true", "-arch=compute_90"};
    EXPECT(nvrtcCreateProgram(&program, source, "parent.cu", 0, nullptr, nullptr) == NVRTC_SUCCESS);
    nvrtcResult compiled = nvrtcCompileProgram(program, 2, options);
    if (compiled != NVRTC_SUCCESS) {
        size_t n;
        nvrtcGetProgramLogSize(program, &n);
        std::vector<char> log(n);
        nvrtcGetProgramLog(program, log.data());
        printf("%s\n", log.data());
        if (compiled != NVRTC_ERROR_COMPILATION)
            SKIP("there is no compiler");
        return 1;
    }
    size_t size;
    EXPECT(nvrtcGetPTXSize(program, &size) == NVRTC_SUCCESS);
    std::vector<char> ptx(size);
    EXPECT(nvrtcGetPTX(program, ptx.data()) == NVRTC_SUCCESS);
    nvrtcDestroyProgram(&program);

    CUlinkState link;
    void *image;
    CUmodule module;
    CUfunction parent;
    EXPECT(cuLinkCreate(0, nullptr, nullptr, &link) == CUDA_SUCCESS);
    EXPECT(cuLinkAddData(link, CU_JIT_INPUT_PTX, ptx.data(), size, "parent", 0, nullptr, nullptr) == CUDA_SUCCESS);
#if !defined(__clang__)
    EXPECT(library_add(link) == CUDA_SUCCESS);
#else
    library_add(link); // the driver needs none
#endif
    EXPECT(cuLinkComplete(link, &image, &size) == CUDA_SUCCESS);
    EXPECT(cuModuleLoadData(&module, image) == CUDA_SUCCESS);
    EXPECT(cuLinkDestroy(link) == CUDA_SUCCESS);
    EXPECT(cuModuleGetFunction(&parent, module, "parent") == CUDA_SUCCESS);
    Buffer<float> p(32);
    void *args[] = {&p.p};
    EXPECT(cuLaunchKernel(parent, 1, 1, 1, 1, 1, 1, 0, 0, args, nullptr) == CUDA_SUCCESS);
    LAUNCHED();
    for (int i = 0; i < 32; i++)
        EXPECT(p.get()[i] == i % 16 + (i < 16 ? 0.5f : 1.5f));
    return DONE();
}
