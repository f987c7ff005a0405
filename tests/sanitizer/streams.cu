// SPDX-License-Identifier: Apache-2.0
// Planted races between streams, and between host and device, for racecheck, and programs beside them that are right. memory.cu has the words of
// the lines before each case.
#include "cases.h"
#include <cuda_runtime.h>

enum { N = 256 };

__global__ void write(int *a, int x)
{
    a[blockIdx.x * blockDim.x + threadIdx.x] = x;
}
__global__ void read(const int *a, int *out)
{
    out[threadIdx.x] = a[threadIdx.x];
}
__global__ void add(int *a)
{
    atomicAdd(&a[threadIdx.x], 1);
}
static cudaStream_t stream()
{
    cudaStream_t s;
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    return s;
}

// ---- two streams
// case streams_write_read --tool racecheck
// > Error: Race reported between Write access at write(int*, int) and Read access at read(int const*, int*) in another stream
// > at 0x*, * bytes of the allocation at 0x* of size 1024 bytes
// errors any
CASE(streams_write_read)
{
    int *a = device<int>(N), *b = device<int>(N);
    cudaStream_t s = stream(), t = stream();
    cudaDeviceSynchronize();
    write<<<1, N, 0, s>>>(a, 5);
    read<<<1, N, 0, t>>>(a, b);
}

// case streams_read_write --tool racecheck
// > Error: Race reported between Read access at read(int const*, int*) and Write access at write(int*, int) in another stream
// errors any
CASE(streams_read_write)
{
    int *a = device<int>(N), *b = device<int>(N);
    cudaStream_t s = stream(), t = stream();
    cudaDeviceSynchronize();
    read<<<1, N, 0, s>>>(a, b);
    write<<<1, N, 0, t>>>(a, 5);
}

// case streams_write_write --tool racecheck
// > Error: Race reported between Write access at write(int*, int) and Write access at write(int*, int) in another stream
// errors any
CASE(streams_write_write)
{
    int *a = device<int>(N);
    cudaStream_t s = stream(), t = stream();
    cudaDeviceSynchronize();
    write<<<1, N, 0, s>>>(a, 5);
    write<<<1, N, 0, t>>>(a, 6);
}

// case streams_copy --tool racecheck
// > Error: Race reported between Write access at write(int*, int) and Read access of a copy in another stream
// errors any
CASE(streams_copy)
{
    int *a = device<int>(N), *host;
    cudaMallocHost(&host, N * 4);
    cudaStream_t s = stream(), t = stream();
    cudaDeviceSynchronize();
    write<<<1, N, 0, s>>>(a, 5);
    cudaMemcpyAsync(host, a, N * 4, cudaMemcpyDeviceToHost, t);
}

// case streams_fill --tool racecheck
// > Error: Race reported between Write access of a fill and Read access at read(int const*, int*) in another stream
// errors any
CASE(streams_fill)
{
    int *a = device<int>(N), *b = device<int>(N);
    cudaStream_t s = stream(), t = stream();
    cudaDeviceSynchronize();
    cudaMemsetAsync(a, 0, N * 4, s);
    read<<<1, N, 0, t>>>(a, b);
}

// case event_too_early --tool racecheck
// > Error: Race reported between Write access at write(int*, int) and Read access at read(int const*, int*) in another stream
// errors any
CASE(event_too_early)
{
    int *a = device<int>(N), *b = device<int>(N);
    cudaStream_t s = stream(), t = stream();
    cudaEvent_t e;
    cudaEventCreate(&e);
    cudaDeviceSynchronize();
    cudaEventRecord(e, s);
    write<<<1, N, 0, s>>>(a, 5);
    cudaStreamWaitEvent(t, e);
    read<<<1, N, 0, t>>>(a, b);
}

// case streams_are_right --tool racecheck
CASE(streams_are_right)
{
    int *a = device<int>(2 * N), *b = device<int>(N);
    cudaStream_t s = stream(), t = stream();
    cudaEvent_t e;
    cudaEventCreate(&e);
    cudaDeviceSynchronize();
    for (int i = 0; i < 3; i++) {
        write<<<1, N, 0, s>>>(a, i);
        cudaEventRecord(e, s);
        cudaStreamWaitEvent(t, e);
        read<<<1, N, 0, t>>>(a, b);
        cudaEventRecord(e, t);
        cudaStreamWaitEvent(s, e);
    }
    cudaStreamSynchronize(t);
    write<<<1, N, 0, s>>>(a, 9);
    write<<<1, N, 0, t>>>(a + N, 8);
    cudaDeviceSynchronize();
    read<<<1, N, 0, s>>>(a, b);
    cudaStreamSynchronize(s);
    cudaMemset(a, 0, N * 4);
    cudaDeviceSynchronize();
    read<<<1, N, 0, s>>>(a, b);
    read<<<1, N, 0, t>>>(a, device<int>(N));
    cudaDeviceSynchronize();
    add<<<1, N, 0, s>>>(a);
    add<<<1, N, 0, t>>>(a);
    cudaDeviceSynchronize();
    write<<<1, N>>>(a, 4); // the default stream waits for streams that block, and they for it
    cudaStream_t u;
    cudaStreamCreate(&u);
    read<<<1, N, 0, u>>>(a, b);
    write<<<1, N>>>(a, 4);
}

// ---- host and device
// case host_reads_early --tool racecheck
// > Error: Race reported between Write access at write(int*, int) and Read access of the host
// errors any
CASE(host_reads_early)
{
    int *a;
    cudaMallocHost(&a, N * 4);
    cudaStream_t s = stream();
    write<<<1, N, 0, s>>>(a, 5);
    cudaMemcpy(device<int>(N), a, N * 4, cudaMemcpyHostToDevice);
}

// case host_waits_is_right --tool racecheck
CASE(host_waits_is_right)
{
    int *a, *b = device<int>(N);
    cudaMallocHost(&a, N * 4);
    cudaStream_t s = stream();
    write<<<1, N, 0, s>>>(a, 5);
    cudaStreamSynchronize(s);
    cudaMemcpy(b, a, N * 4, cudaMemcpyHostToDevice);
}

CASES
