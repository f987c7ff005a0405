// SPDX-License-Identifier: Apache-2.0
// Planted reads of shared and local memory that nobody wrote, for initcheck, and programs beside them that are right. memory.cu has the
// words of the lines before each case.
#include "cases.h"
#include <cstdint>
#include <cuda_runtime.h>

enum { N = 128 };

__device__ static unsigned at(const void *p)
{
    return (unsigned)__cvta_generic_to_shared(p);
}

// ---- shared memory
__global__ void never_written(int *out)
{
    __shared__ int s[N];
    if (out == nullptr)
        s[threadIdx.x] = 1;
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x];
}
__global__ void last_missing(int *out)
{
    __shared__ int s[N];
    if (threadIdx.x < N - 1)
        s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = s[N - 1 - threadIdx.x];
}
__global__ void halo_missing(const int *in, int *out)
{
    __shared__ int s[N + 2];
    s[threadIdx.x + 1] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x] + s[threadIdx.x + 1] + s[threadIdx.x + 2];
}
__global__ void halo_right(const int *in, int *out)
{
    __shared__ int s[N + 2];
    s[threadIdx.x + 1] = in[threadIdx.x];
    if (threadIdx.x < 2)
        s[threadIdx.x * (N + 1)] = 0;
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x] + s[threadIdx.x + 1] + s[threadIdx.x + 2];
}
__global__ void dynamic(int *out, int written)
{
    extern __shared__ int d[];
    for (int i = threadIdx.x; i < written; i += blockDim.x)
        d[i] = i;
    __syncthreads();
    out[threadIdx.x] = d[2 * threadIdx.x + 1];
}
__global__ void histogram(const int *in, int *out)
{
    __shared__ int bins[16];
    atomicAdd(&bins[in[threadIdx.x] & 15], 1);
    __syncthreads();
    if (threadIdx.x < 16)
        out[threadIdx.x] = bins[threadIdx.x];
}
__global__ void bytes(char *out)
{
    __shared__ char c[N];
    if (threadIdx.x & 1)
        c[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = c[threadIdx.x];
}
__device__ __noinline__ int through(const int *p, int i)
{
    return p[i];
}
__global__ void generic(const int *in, int *out)
{
    __shared__ int s[N];
    if (threadIdx.x < 10)
        s[threadIdx.x] = 1;
    __syncthreads();
    out[threadIdx.x] = through(in[threadIdx.x] >= 0 ? s : in, threadIdx.x);
}
__global__ void other_block_wrote(int *out)
{
    __shared__ int s[N];
    if (blockIdx.x % 2 == 0)
        s[threadIdx.x] = 5;
    __syncthreads();
    out[blockIdx.x * N + threadIdx.x] = s[threadIdx.x];
}
__global__ void by_copy(const int *in, int *out, int n)
{
    __shared__ int s[N];
    if (threadIdx.x < n)
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(at(&s[threadIdx.x])), "l"(in + threadIdx.x)
                     : "memory");
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncthreads();
    out[threadIdx.x] = s[N - 1 - threadIdx.x];
}
__global__ void by_bulk(const int *in, int *out, int n)
{
    __shared__ alignas(128) int s[N];
    __shared__ uint64_t b;
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(at(&b)) : "memory");
        asm volatile("{.reg .b64 s; mbarrier.arrive.expect_tx.shared.b64 s, [%0], %1;}" ::"r"(at(&b)), "r"(n * 4)
                     : "memory");
        asm volatile(
            "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(at(s)),
            "l"(in), "r"(n * 4), "r"(at(&b))
            : "memory");
    }
    __syncthreads();
    asm volatile("{.reg .pred p; again: mbarrier.try_wait.parity.shared.b64 p, [%0], 0; @!p bra again;}" ::"r"(at(&b))
                 : "memory");
    out[threadIdx.x] = s[threadIdx.x];
}
__global__ void vectors(float4 *out)
{
    __shared__ float4 v[N];
    v[threadIdx.x].x = v[threadIdx.x].y = v[threadIdx.x].z = 1;
    __syncthreads();
    out[threadIdx.x] = v[threadIdx.x];
}
static int *numbers(size_t n)
{
    int *p = device<int>(n);
    cudaMemset(p, 1, n * sizeof *p);
    return p;
}

// case shared_never_written --tool initcheck
// > Uninitialized __shared__ memory read of size 4 bytes
// > at never_written(int*)+0x* in private.cu:*
// > by thread (0,0,0) in block (0,0,0)
// > Address 0x0
// errors 128
CASE(shared_never_written)
{
    never_written<<<1, N>>>(device<int>(N));
}

// case shared_last_missing --tool initcheck
// > Uninitialized __shared__ memory read of size 4 bytes
// > by thread (0,0,0) in block (0,0,0)
// > Address 0x1fc
// errors 1
CASE(shared_last_missing)
{
    last_missing<<<1, N>>>(device<int>(N));
}

// case shared_halo_missing --tool initcheck
// > Uninitialized __shared__ memory read of size 4 bytes
// > by thread (0,0,0) in block (0,0,0)
// errors 2
CASE(shared_halo_missing)
{
    halo_missing<<<1, N>>>(numbers(N), device<int>(N));
}

// case shared_dynamic --tool initcheck
// > Uninitialized __shared__ memory read of size 4 bytes
// errors 4
CASE(shared_dynamic)
{
    dynamic<<<1, N, 2 * N * 4>>>(device<int>(N), 2 * N - 8);
}

// case shared_counters --tool initcheck
// > Uninitialized __shared__ memory read of size 4 bytes
// > at histogram(int const*, int*)+0x*
// errors any
CASE(shared_counters)
{
    histogram<<<1, N>>>(numbers(N), device<int>(16));
}

// case shared_bytes --tool initcheck
// > Uninitialized __shared__ memory read of size 1 bytes
// errors 64
CASE(shared_bytes)
{
    bytes<<<1, N>>>(device<char>(N));
}

// case shared_generic --tool initcheck
// > Uninitialized __shared__ memory read of size 4 bytes
// > by thread (10,0,0) in block (0,0,0)
// errors any
CASE(shared_generic)
{
    generic<<<1, N>>>(numbers(N), device<int>(N));
}

// case shared_of_other_block --tool initcheck
// > Uninitialized __shared__ memory read of size 4 bytes
// > in block (1,0,0)
// errors any
CASE(shared_of_other_block)
{
    other_block_wrote<<<2, N>>>(device<int>(2 * N));
}

// case shared_copied_in_part --tool initcheck
// > Uninitialized __shared__ memory read of size 4 bytes
// errors 8
CASE(shared_copied_in_part)
{
    by_copy<<<1, N>>>(numbers(N), device<int>(N), N - 8);
}

// case shared_bulk_in_part --tool initcheck
// > Uninitialized __shared__ memory read of size 4 bytes
// > by thread (120,0,0) in block (0,0,0)
// errors 8
CASE(shared_bulk_in_part)
{
    by_bulk<<<1, N>>>(numbers(N), device<int>(N), N - 8);
}

// case shared_vectors --tool initcheck
// > Uninitialized __shared__ memory read of size * bytes
// errors any
CASE(shared_vectors)
{
    vectors<<<1, N>>>(device<float4>(N));
}

// case shared_written_is_right --tool initcheck
CASE(shared_written_is_right)
{
    int *in = numbers(N), *out = device<int>(N);
    halo_right<<<4, N>>>(in, out);
    dynamic<<<4, N, 2 * N * 4>>>(out, 2 * N);
    by_copy<<<4, N>>>(in, out, N);
    by_bulk<<<4, N>>>(in, out, N);
}

// ---- local memory
__global__ void local_gap(int *out, int from, int i)
{
    volatile int a[16];
    for (int k = from; k < 16; k++)
        a[k] = k;
    out[threadIdx.x] = a[i];
}
__global__ void local_bytes(int *out, int n)
{
    volatile char a[64];
    for (int k = 0; k < n; k++)
        a[k] = k;
    out[threadIdx.x] = a[threadIdx.x];
}
__device__ __noinline__ int sum_of(const int *a, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i];
    return sum;
}
__global__ void local_by_pointer(int *out, int n)
{
    int a[8];
    for (int i = 0; i < n; i++)
        a[i] = i;
    out[threadIdx.x] = sum_of(a, 8);
}

// case local_gap --tool initcheck
// > Uninitialized __local__ memory read of size 4 bytes
// > at local_gap(int*, int, int)+0x* in private.cu:*
// > by thread (0,0,0) in block (0,0,0)
// errors 32
CASE(local_gap)
{
    local_gap<<<1, 32>>>(device<int>(32), 4, 3);
}

// case local_bytes --tool initcheck
// > Uninitialized __local__ memory read of size 1 bytes
// > by thread (30,0,0) in block (0,0,0)
// errors 2
CASE(local_bytes)
{
    local_bytes<<<1, 32>>>(device<int>(32), 30);
}

// case local_written_is_right --tool initcheck
CASE(local_written_is_right)
{
    int *out = device<int>(128);
    local_gap<<<4, 32>>>(out, 3, 3);
    local_bytes<<<4, 32>>>(out, 32);
    local_by_pointer<<<4, 32>>>(out, 8);
}

CASES
