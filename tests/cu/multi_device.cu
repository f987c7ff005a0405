// SPDX-License-Identifier: Apache-2.0
// Several devices: each thread has its own current one; memory, streams and events of one used by others; peer access. Where
// the machine has one device only the parts about others are left out.
// widths: 8
#include "check.h"
#include <algorithm>
#include <thread>

__global__ void fill(int *p, int n, int base)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        p[i] = base + i;
}
__global__ void fill_late(int *p, int n, int base, long long ticks)
{
    for (long long begin = clock64(); clock64() - begin < ticks;)
        ;
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        p[i] = base + i;
}
__global__ void add(int *to, const int *from, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        to[i] += from[i];
}

static const int n = 3000;
static int count;

static bool counts_up(const std::vector<int> &v, int base)
{
    for (int i = 0; i < (int)v.size(); i++)
        if (v[i] != base + i)
            return false;
    return true;
}

static void current_device()
{
    int d = -1;
    OK(cudaGetDevice(&d));
    EXPECT(d == 0);
    EXPECT(cudaSetDevice(count) == cudaErrorInvalidDevice && cudaSetDevice(-1) == cudaErrorInvalidDevice);
    cudaGetLastError();
    OK(cudaGetDevice(&d));
    EXPECT(d == 0);
    std::vector<cudaDeviceProp> props(count);
    for (int i = 0; i < count; i++) {
        OK(cudaGetDeviceProperties(&props[i], i));
        for (int k = 0; k < i; k++)
            EXPECT(props[i].pciBusID != props[k].pciBusID && memcmp(&props[i].uuid, &props[k].uuid, 16) != 0);
    }
    // Threads begin with device 0 and set their own.
    std::vector<int> seen(count, -1), begun(count, -1);
    std::vector<std::thread> threads;
    OK(cudaSetDevice(count - 1));
    for (int i = 0; i < count; i++)
        threads.emplace_back([i, &seen, &begun] {
            OK(cudaGetDevice(&begun[i]));
            OK(cudaSetDevice(i));
            int *p;
            OK(cudaMalloc(&p, n * sizeof(int)));
            fill<<<4, 64>>>(p, n, i);
            OK(cudaDeviceSynchronize());
            cudaPointerAttributes a;
            OK(cudaPointerGetAttributes(&a, p));
            EXPECT(a.device == i && a.type == cudaMemoryTypeDevice);
            OK(cudaGetDevice(&seen[i]));
            OK(cudaFree(p));
        });
    for (std::thread &t : threads)
        t.join();
    for (int i = 0; i < count; i++)
        EXPECT(begun[i] == 0 && seen[i] == i);
    OK(cudaGetDevice(&d));
    EXPECT(d == count - 1);
    OK(cudaSetDevice(0));
}

static void peers_of_one()
{
    int can = 7, value = 7;
    OK(cudaDeviceCanAccessPeer(&can, 0, 0));
    EXPECT(can == 0);
    EXPECT(cudaDeviceCanAccessPeer(&can, 0, count) == cudaErrorInvalidDevice);
    EXPECT(cudaDeviceEnablePeerAccess(0, 0) == cudaErrorPeerAccessUnsupported);
    EXPECT(cudaDeviceEnablePeerAccess(count, 0) == cudaErrorInvalidDevice);
    EXPECT(cudaDeviceEnablePeerAccess(0, 1) == cudaErrorInvalidValue);
    EXPECT(cudaDeviceDisablePeerAccess(0) == cudaErrorPeerAccessNotEnabled);
    EXPECT(cudaDeviceDisablePeerAccess(count) == cudaErrorInvalidDevice);
    EXPECT(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 0) == cudaErrorInvalidDevice);
    EXPECT(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, count) == cudaErrorInvalidDevice);
    cudaAtomicOperation operation[2] = {cudaAtomicOperationCAS, cudaAtomicOperationFloatAdd};
    unsigned atomics[2] = {};
    EXPECT(cudaDeviceGetP2PAtomicCapabilities(atomics, operation, 2, 0, 0) == cudaErrorInvalidDevice);
    EXPECT(cudaDeviceGetP2PAtomicCapabilities(atomics, operation, 2, 0, count) == cudaErrorInvalidDevice);
    EXPECT(cudaDeviceGetHostAtomicCapabilities(atomics, operation, 2, count) == cudaErrorInvalidDevice);
    EXPECT(cudaDeviceGetHostAtomicCapabilities(atomics, operation, 0, 0) == cudaErrorInvalidValue);
    EXPECT(cudaDeviceGetHostAtomicCapabilities(nullptr, operation, 2, 0) == cudaErrorInvalidValue);
    OK(cudaDeviceGetHostAtomicCapabilities(atomics, operation, 2, 0));
    OK(cudaDeviceGetAttribute(&value, cudaDevAttrHostNativeAtomicSupported, 0));
    EXPECT(value == ((atomics[0] & cudaAtomicCapabilityScalar32) != 0));
    Buffer<int> a(100), b(100);
    fill<<<1, 64>>>(a.p, 100, 5);
    OK(cudaMemcpyPeer(b.p, 0, a.p, 0, 400));
    EXPECT(counts_up(b.get(), 5));
    std::vector<int> host(100);
    EXPECT(cudaMemcpyPeer(b.p, count, a.p, 0, 400) == cudaErrorInvalidDevice);
    EXPECT(cudaMemcpyPeer(b.p, 0, a.p, count, 400) == cudaErrorInvalidDevice);
    EXPECT(cudaMemcpyPeer(host.data(), 0, a.p, 0, 400) == cudaErrorInvalidValue);
    EXPECT(cudaMemcpyPeer(nullptr, 0, a.p, 0, 400) == cudaErrorInvalidValue);
    OK(cudaMemcpyPeer(b.p, 0, a.p, 0, 0));
    cudaGetLastError();
}

static void peers()
{
    int *p0, *p1, can = 0, value = -1;
    std::vector<int> v(n);
    OK(cudaDeviceCanAccessPeer(&can, 0, 1));
    OK(cudaSetDevice(0));
    OK(cudaMalloc(&p0, n * sizeof(int)));
    fill<<<4, 64>>>(p0, n, 1000);
    OK(cudaSetDevice(1));
    OK(cudaMalloc(&p1, n * sizeof(int)));
    OK(cudaMemset(p1, 0, n * sizeof(int)));
    OK(cudaMemcpyPeer(p1, 1, p0, 0, n * sizeof(int))); // waits for both devices
    OK(cudaMemcpy(v.data(), p1, n * sizeof(int), cudaMemcpyDefault));
    EXPECT(counts_up(v, 1000));
    cudaStream_t s;
    OK(cudaStreamCreate(&s));
    fill<<<4, 64, 0, s>>>(p1, n, 20);
    OK(cudaMemcpyPeerAsync(p0, 0, p1, 1, n * sizeof(int), s));
    OK(cudaStreamSynchronize(s));
    OK(cudaMemcpy(v.data(), p0, n * sizeof(int), cudaMemcpyDeviceToHost));
    EXPECT(counts_up(v, 20));
    fill<<<4, 64, 0, s>>>(p1, n, 33);
    OK(cudaStreamSynchronize(s));
    OK(cudaMemcpy(p0, p1, n * sizeof(int), cudaMemcpyDefault)); // one space of addresses for all
    OK(cudaMemcpy(v.data(), p0, n * sizeof(int), cudaMemcpyDefault));
    EXPECT(counts_up(v, 33));
    // In the default stream such a copy waits for what both devices have under way, and what comes later waits for it.
    OK(cudaSetDevice(0));
    fill_late<<<1, 64>>>(p0, n, 77, 20000000);
    OK(cudaSetDevice(1));
    OK(cudaMemcpyPeer(p1, 1, p0, 0, n * sizeof(int)));
    OK(cudaSetDevice(0));
    fill<<<4, 64>>>(p0, n, 0);
    OK(cudaSetDevice(1));
    OK(cudaMemcpy(v.data(), p1, n * sizeof(int), cudaMemcpyDefault));
    EXPECT(counts_up(v, 77));
    fill<<<4, 64>>>(p1, n, 33);
    OK(cudaDeviceSynchronize());
    OK(cudaSetDevice(0)); // which may still write p0
    OK(cudaDeviceSynchronize());
    OK(cudaSetDevice(1));
    cudaMemcpy3DPeerParms box = {};
    box.srcDevice = 1;
    box.srcPtr = make_cudaPitchedPtr(p1, 40, 10, 5);
    box.dstDevice = 0;
    box.dstPtr = make_cudaPitchedPtr(p0, 40, 10, 5);
    box.extent = make_cudaExtent(40, 5, 2);
    OK(cudaMemset(p0, 0, 400));
    OK(cudaMemcpy3DPeer(&box));
    OK(cudaMemcpy(v.data(), p0, 400, cudaMemcpyDefault));
    v.resize(100);
    EXPECT(counts_up(v, 33));
    v.resize(n);
    if (can) {
        OK(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 1));
        EXPECT(value == 1);
        EXPECT(cudaDeviceGetP2PAttribute(&value, (cudaDeviceP2PAttr)99, 0, 1) == cudaErrorInvalidValue);
        cudaAtomicOperation operation = cudaAtomicOperationIntegerAdd;
        unsigned atomics = 0;
        OK(cudaDeviceGetP2PAtomicCapabilities(&atomics, &operation, 1, 0, 1));
        EXPECT(atomics & cudaAtomicCapabilityReduction);
        OK(cudaSetDevice(0));
        EXPECT(cudaDeviceDisablePeerAccess(1) == cudaErrorPeerAccessNotEnabled);
        OK(cudaDeviceEnablePeerAccess(1, 0));
        EXPECT(cudaDeviceEnablePeerAccess(1, 0) == cudaErrorPeerAccessAlreadyEnabled);
        cudaGetLastError();
        fill<<<4, 64>>>(p0, n, 7);
        add<<<4, 64>>>(p0, p1, n); // a kernel of device 0 on memory of device 1
        OK(cudaDeviceSynchronize());
        OK(cudaMemcpy(v.data(), p0, n * sizeof(int), cudaMemcpyDefault));
        bool good = true;
        for (int i = 0; i < n; i++)
            good &= v[i] == 40 + 2 * i;
        EXPECT(good);
        OK(cudaDeviceDisablePeerAccess(1));
        EXPECT(cudaDeviceDisablePeerAccess(1) == cudaErrorPeerAccessNotEnabled);
        cudaGetLastError();
    }
    OK(cudaStreamDestroy(s));
    OK(cudaFree(p0));
    OK(cudaFree(p1));
    OK(cudaSetDevice(0));
}

// A kernel and an event belong to the device of their stream; copies, waits and questions do not.
static void streams_and_events()
{
    cudaStream_t s0, s1;
    cudaEvent_t e0, e1, f0;
    int *p1, *p0;
    float ms;
    std::vector<int> v(n);
    OK(cudaSetDevice(0));
    OK(cudaStreamCreate(&s0));
    OK(cudaEventCreate(&e0));
    OK(cudaEventCreate(&f0));
    OK(cudaMalloc(&p0, n * sizeof(int)));
    OK(cudaSetDevice(1));
    OK(cudaStreamCreate(&s1));
    OK(cudaEventCreate(&e1));
    OK(cudaMalloc(&p1, n * sizeof(int)));
    fill<<<4, 64, 0, s1>>>(p1, n, 1);
    OK(cudaGetLastError());
    fill<<<4, 64, 0, s0>>>(p0, n, 1);
    EXPECT(cudaGetLastError() == cudaErrorInvalidResourceHandle);
    EXPECT(cudaEventRecord(e0, s1) == cudaErrorInvalidResourceHandle);
    OK(cudaEventRecord(e1, s1));
    cudaGetLastError();
    // From device 0: the stream and the event of device 1 can be waited for, asked, and copied in.
    OK(cudaSetDevice(0));
    OK(cudaStreamWaitEvent(s0, e1, 0));
    OK(cudaMemcpyAsync(p0, p1, n * sizeof(int), cudaMemcpyDefault, s0));
    OK(cudaEventRecord(e0, s0));
    OK(cudaEventSynchronize(e1));
    OK(cudaEventQuery(e1));
    OK(cudaMemcpyAsync(v.data(), p1, n * sizeof(int), cudaMemcpyDeviceToHost, s1));
    OK(cudaStreamSynchronize(s1));
    OK(cudaStreamQuery(s1));
    EXPECT(counts_up(v, 1));
    OK(cudaEventSynchronize(e0));
    OK(cudaMemcpy(v.data(), p0, n * sizeof(int), cudaMemcpyDefault));
    EXPECT(counts_up(v, 1));
    EXPECT(cudaEventElapsedTime(&ms, e1, e0) == cudaErrorInvalidResourceHandle);
    cudaGetLastError();
    OK(cudaEventRecord(f0, s0));
    OK(cudaEventSynchronize(f0));
    OK(cudaEventElapsedTime(&ms, e0, f0));
    OK(cudaEventDestroy(e0));
    OK(cudaEventDestroy(e1));
    OK(cudaEventDestroy(f0));
    OK(cudaStreamDestroy(s0));
    OK(cudaStreamDestroy(s1));
    OK(cudaFree(p0));
    OK(cudaFree(p1));
}

// A reset takes what one device has; the others keep theirs.
static void reset()
{
    int *p[2], value = 0;
    size_t limit = 0;
    for (int i = 0; i < std::min(count, 2); i++) {
        OK(cudaSetDevice(i));
        OK(cudaMalloc(&p[i], n * sizeof(int)));
        OK(cudaDeviceSetLimit(cudaLimitStackSize, 4096));
        fill<<<4, 64>>>(p[i], n, 50 + i);
        OK(cudaDeviceSynchronize());
    }
    OK(cudaSetDevice(0));
    OK(cudaDeviceReset());
    EXPECT(cudaFree(p[0]) == cudaErrorInvalidValue);
    cudaGetLastError();
    OK(cudaDeviceGetLimit(&limit, cudaLimitStackSize));
    EXPECT(limit == 1024);
    OK(cudaGetDevice(&value));
    EXPECT(value == 0);
    fill<<<1, 1>>>(nullptr, 0, 0); // the device works again
    LAUNCHED();
    if (count > 1) {
        OK(cudaSetDevice(1));
        OK(cudaMemcpy(&value, p[1] + 10, sizeof value, cudaMemcpyDeviceToHost));
        EXPECT(value == 61);
        OK(cudaDeviceGetLimit(&limit, cudaLimitStackSize));
        EXPECT(limit == 4096);
        OK(cudaFree(p[1]));
    }
}

int main()
{
    setenv("HEDDLE_DEVICES", "3", 1);
    OK(cudaGetDeviceCount(&count));
    current_device();
    peers_of_one();
    if (count > 1) {
        peers();
        streams_and_events();
    }
    reset();
    return DONE();
}
