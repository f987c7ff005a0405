// SPDX-License-Identifier: Apache-2.0
// The runtime interface in kernels: questions, memory, copies and fills, launches by hand, errors of each thread.
// nvcc: -rdc=true -lcudadevrt
// clang: 22
#include "check.h"
#include <algorithm>

enum { SLOTS = 32 };

__global__ __launch_bounds__(256) void shared_kernel(int *p)
{
    __shared__ int s[100];
    s[threadIdx.x % 100] = (int)threadIdx.x;
    __syncthreads();
    p[threadIdx.x] = s[threadIdx.x % 100];
}

__global__ void questions(int *out, size_t *limit, cudaFuncAttributes *attributes)
{
    out[0] = cudaGetDevice(&out[1]);
    out[2] = cudaDeviceGetAttribute(&out[3], cudaDevAttrMaxThreadsPerBlock, 0);
    out[4] = cudaDeviceGetAttribute(&out[5], cudaDevAttrWarpSize, 0);
    out[6] = cudaDeviceGetLimit(limit, cudaLimitMallocHeapSize);
    out[7] = cudaFuncGetAttributes(attributes, shared_kernel);
    out[8] = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&out[9], shared_kernel, 128, 0);
    out[10] = cudaRuntimeGetVersion(&out[11]);
    out[12] = cudaGetDeviceCount(&out[13]);
}

// cudaMalloc takes from the heap that malloc has.
__global__ void memory(int *out)
{
    int *p = nullptr;
    out[0] = cudaMalloc(&p, 4096);
    out[1] = p != nullptr;
    for (int i = 0; p && i < 1024; i++)
        p[i] = i;
    int sum = 0;
    for (int i = 0; p && i < 1024; i++)
        sum += p[i];
    out[2] = sum;
    out[3] = cudaFree(p);
}

__global__ void copies(char *to, const char *from, int *out)
{
    out[0] = cudaMemcpyAsync(to, from, 100, cudaMemcpyDeviceToDevice, 0);
    out[1] = cudaMemcpy2DAsync(to + 1000, 50, from, 20, 10, 5, cudaMemcpyDeviceToDevice, 0);
    out[2] = cudaMemsetAsync(to + 2000, 7, 33, 0);
    out[3] = cudaMemset2DAsync(to + 3000, 40, 9, 10, 4, 0);
    cudaMemcpy3DParms p = {};
    p.srcPtr = cudaPitchedPtr{(void *)from, 20, 20, 4};
    p.dstPtr = cudaPitchedPtr{to + 4000, 30, 30, 5};
    p.extent = cudaExtent{7, 3, 2};
    p.srcPos = cudaPos{1, 1, 0};
    p.dstPos = cudaPos{2, 0, 1};
    p.kind = cudaMemcpyDeviceToDevice;
    out[4] = cudaMemcpy3DAsync(&p, 0);
    out[5] = cudaMemset3DAsync(cudaPitchedPtr{to + 5000, 16, 16, 4}, 3, cudaExtent{5, 2, 3}, 0);
}

__global__ void target(int *p, double d, char c, int3 v)
{
    p[threadIdx.x + blockIdx.x * blockDim.x] = int(d) + c + v.y + int(threadIdx.x);
}

struct Arguments { // as the kernel's parameters lie
    int *p;
    double d;
    char c;
    int3 v;
};

__global__ void by_hand(int *p, int *out)
{
    Arguments *a = (Arguments *)cudaGetParameterBufferV2((void *)target, dim3(2), dim3(4), 0);
    out[0] = a != nullptr;
    if (a) {
        *a = Arguments{p, 100.5, 7, make_int3(1, 20, 3)};
        out[1] = cudaLaunchDeviceV2(a, 0);
    }
    a = (Arguments *)cudaGetParameterBuffer(64, sizeof(Arguments));
    out[2] = a != nullptr;
    if (a) {
        *a = Arguments{p + 8, 200.5, 7, make_int3(1, 20, 3)};
        out[3] = cudaLaunchDevice((void *)target, a, dim3(2), dim3(4), 0, 0);
    }
}

// Each thread has its own last error.
__global__ void errors(int *out)
{
    int *mine = out + threadIdx.x * 4;
    if (threadIdx.x % 2)
        shared_kernel<<<1, 2048>>>(nullptr);
    mine[0] = cudaPeekAtLastError();
    mine[1] = cudaGetLastError();
    mine[2] = cudaGetLastError();
    mine[3] = cudaGetErrorName((cudaError_t)mine[0])[9];
}

__global__ void big()
{
    extern __shared__ int s[];
    s[threadIdx.x] = 1;
}

// What is refused, and how.
__global__ void refused(int *out)
{
    cudaStream_t s;
    cudaEvent_t e;
    big<<<1, 1, 400000>>>();
    out[0] = cudaGetLastError();
    out[1] = cudaEventCreateWithFlags(&e, cudaEventDefault);
    out[2] = cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    out[3] = cudaEventCreateWithFlags(&e, cudaEventDisableTiming);
    out[4] = cudaGetLastError();
    out[5] = cudaMemcpyAsync(out + 20, out, 4, cudaMemcpyHostToDevice, 0);
    out[6] = cudaGetLastError() - cudaErrorInvalidMemcpyDirection;
    for (int i = 0; i < 3000 && !out[6]; i++) {
        big<<<1, 1, 4, cudaStreamTailLaunch>>>();
        if ((out[6] = cudaGetLastError()))
            out[7] = i;
    }
}

int main()
{
    Buffer<int> out(256);
    Buffer<size_t> limit(1);
    Buffer<cudaFuncAttributes> attributes(1);
    questions<<<1, 1>>>(out, limit, attributes);
    LAUNCHED();
    std::vector<int> o = out.get();
    for (int i : {0, 2, 4, 6, 7, 8, 10, 12})
        EXPECT(o[i] == cudaSuccess);
    int blocks;
    size_t heap;
    cudaFuncAttributes a;
    OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, shared_kernel, 128, 0));
    OK(cudaDeviceGetLimit(&heap, cudaLimitMallocHeapSize));
    OK(cudaFuncGetAttributes(&a, shared_kernel));
    EXPECT(o[1] == 0 && o[3] == 1024 && o[5] == 32 && o[9] == blocks && o[11] >= 6000 && o[13] >= 1);
    EXPECT(limit.get()[0] == heap);
    EXPECT(attributes.get()[0].sharedSizeBytes == a.sharedSizeBytes);
    EXPECT(attributes.get()[0].maxThreadsPerBlock == a.maxThreadsPerBlock);
    EXPECT(attributes.get()[0].numRegs == a.numRegs);

    memory<<<1, 1>>>(out);
    LAUNCHED();
    o = out.get();
    EXPECT(o[0] == cudaSuccess && o[1] == 1 && o[2] == 1023 * 512 && o[3] == cudaSuccess);

    std::vector<char> from(400);
    for (int i = 0; i < 400; i++)
        from[i] = char(i * 7 + 1);
    Buffer<char> dfrom(from), dto(8192);
    copies<<<1, 1>>>(dto, dfrom, out);
    LAUNCHED();
    o = out.get();
    for (int i = 0; i < 6; i++)
        EXPECT(o[i] == cudaSuccess);
    std::vector<char> want(8192), to = dto.get();
    for (int i = 0; i < 100; i++)
        want[i] = from[i];
    for (int y = 0; y < 5; y++)
        for (int x = 0; x < 10; x++)
            want[1000 + y * 50 + x] = from[y * 20 + x];
#if !defined(__clang__) // NVIDIA's device runtime, as of CUDA 13.0, reports success for fills and changes nothing
    for (int at : {2000, 3000, 5000})
        std::fill(to.begin() + at, to.begin() + at + 1000, 0);
#else
    for (int i = 0; i < 33; i++)
        want[2000 + i] = 7;
    for (int y = 0; y < 4; y++)
        for (int x = 0; x < 10; x++)
            want[3000 + y * 40 + x] = 9;
#endif
    for (int z = 0; z < 2; z++)
        for (int y = 0; y < 3; y++)
            for (int x = 0; x < 7; x++)
                want[4000 + (z + 1) * 150 + y * 30 + x + 2] = from[z * 80 + (y + 1) * 20 + x + 1];
#if defined(__clang__)
    for (int z = 0; z < 3; z++)
        for (int y = 0; y < 2; y++)
            for (int x = 0; x < 5; x++)
                want[5000 + z * 64 + y * 16 + x] = 3;
#endif
    EXPECT(to == want);

    Buffer<int> p(16);
    by_hand<<<1, 1>>>(p, out);
    LAUNCHED();
    o = out.get();
    EXPECT(o[0] == 1 && o[1] == cudaSuccess && o[2] == 1 && o[3] == cudaSuccess);
    std::vector<int> v = p.get();
    for (int i = 0; i < 16; i++)
        EXPECT(v[i] == (i < 8 ? 127 : 227) + i % 4);

    errors<<<1, SLOTS>>>(out);
    LAUNCHED();
    o = out.get();
    for (int t = 0; t < SLOTS; t++) {
        cudaError_t e = t % 2 ? cudaErrorInvalidConfiguration : cudaSuccess;
        EXPECT(o[t * 4] == e && o[t * 4 + 1] == e && o[t * 4 + 2] == cudaSuccess);
        EXPECT(o[t * 4 + 3] == (t % 2 ? 'I' : 's') || !(t % 2)); // cudaErrorI...
    }

    refused<<<1, 1>>>(out);
    LAUNCHED();
    o = out.get();
    EXPECT(o[0] == cudaErrorInvalidConfiguration && o[1] == cudaErrorInvalidValue);
    EXPECT(o[2] == cudaSuccess && o[3] == cudaSuccess && o[4] == cudaErrorInvalidValue);
    EXPECT(o[5] == cudaErrorInvalidMemcpyDirection);
    EXPECT(o[6] == cudaErrorLaunchPendingCountExceeded && o[7] == 2048);
    return DONE();
}
