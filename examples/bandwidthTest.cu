// SPDX-License-Identifier: Apache-2.0
// Copies between page-locked and device memory in each direction, as the sample of this name prints them. Arguments: bytes of
// a transfer and number of transfers.
// Arguments: 4000001 3
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>

#define CHECK(call)                                                                                                    \
    do {                                                                                                               \
        cudaError_t e_ = (call);                                                                                       \
        if (e_ != cudaSuccess) {                                                                                       \
            std::printf("%s: %s\nResult = FAIL\n", #call, cudaGetErrorString(e_));                                     \
            std::exit(1);                                                                                              \
        }                                                                                                              \
    } while (0)

static bool direction(const char *title, void *to, const void *from, size_t bytes, int times, cudaMemcpyKind kind)
{
    cudaEvent_t start, stop;
    float ms = 0;
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&stop));
    CHECK(cudaMemcpyAsync(to, from, bytes, kind, 0));
    CHECK(cudaEventRecord(start));
    for (int i = 0; i < times; i++)
        CHECK(cudaMemcpyAsync(to, from, bytes, kind, 0));
    CHECK(cudaEventRecord(stop));
    CHECK(cudaEventSynchronize(stop));
    CHECK(cudaEventElapsedTime(&ms, start, stop));
    CHECK(cudaEventDestroy(start));
    CHECK(cudaEventDestroy(stop));
    // A copy within the device reads and writes its memory.
    double moved = (double)bytes * times * (kind == cudaMemcpyDeviceToDevice ? 2 : 1);
    std::printf(" %s Bandwidth, 1 Device(s)\n PINNED Memory Transfers\n   Transfer Size (Bytes)\tBandwidth(MB/s)\n"
                "   %zu\t\t\t%.1f\n\n",
                title, bytes, moved / (ms * 1e-3) / 1048576);
    return ms > 0;
}

int main(int argc, char **argv)
{
    size_t bytes = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 32 << 20;
    int times = argc > 2 ? std::atoi(argv[2]) : 10;
    if (!bytes || times < 1) {
        std::printf("usage: bandwidthTest [BYTES [TIMES]]\n");
        return 1;
    }
    cudaDeviceProp p;
    CHECK(cudaGetDeviceProperties(&p, 0));
    std::printf("[CUDA Bandwidth Test] - Starting...\nRunning on...\n\n Device 0: %s\n Quick Mode\n\n", p.name);
    unsigned char *host, *back;
    void *a, *b;
    CHECK(cudaMallocHost(&host, bytes));
    CHECK(cudaMallocHost(&back, bytes));
    CHECK(cudaMalloc(&a, bytes));
    CHECK(cudaMalloc(&b, bytes));
    for (size_t i = 0; i < bytes; i++)
        host[i] = (unsigned char)(i * 31 + (i >> 8));
    bool measured = direction("Host to Device", a, host, bytes, times, cudaMemcpyHostToDevice);
    measured &= direction("Device to Device", b, a, bytes, times, cudaMemcpyDeviceToDevice);
    measured &= direction("Device to Host", back, b, bytes, times, cudaMemcpyDeviceToHost);
    bool same = !std::memcmp(host, back, bytes);
    CHECK(cudaFreeHost(host));
    CHECK(cudaFreeHost(back));
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
    std::printf("Result = %s\n", measured && same ? "PASS" : "FAIL");
    return measured && same ? 0 : 1;
}
