// SPDX-License-Identifier: Apache-2.0
// Planted faults for memcheck, and programs beside them that are right. run.sh reads the lines before each case:
//   // case NAME OPTIONS      runs the program with NAME under compute-sanitizer
//   // > TEXT                 a line of the report, in this order; '*' stands for anything
//   // ! TEXT                 no line has it
//   // errors N               what the summary says; without it 0
#include "cases.h"
#include <cuda_runtime.h>

// ---- global memory
__global__ void write_at(int *a, int i)
{
    a[i + threadIdx.x] = 1;
}
__global__ void read_at(const int *a, int i, int *out)
{
    out[threadIdx.x] = a[i];
}

// case write_after
// > Invalid __global__ write of size 4 bytes
// > at write_at(int*, int)+0x* in memory.cu:13
// > by thread (2,0,0) in block (0,0,0)
// > Access at 0x* is out of bounds
// > and is 1 bytes after the nearest allocation at 0x* of size 40 bytes
// > Saved host backtrace up to driver entry point at kernel launch time
// > Host Frame: cudaLaunchKernel [0x*] in memory
// > by thread (3,0,0) in block (0,0,0)
// > and is 5 bytes after the nearest allocation
// > Program hit cudaErrorLaunchFailure (error 719) due to "*" on CUDA API call to cudaDeviceSynchronize.
// errors 2
CASE(write_after)
{
    int *a = device<int>(10);
    write_at<<<1, 4>>>(a, 8);
    cudaDeviceSynchronize();
}

// case read_before
// > Invalid __global__ read of size 4 bytes
// > and is 4 bytes before the nearest allocation at 0x* of size 40 bytes
// errors 1
CASE(read_before)
{
    int *a = device<int>(10), *out = device<int>(1);
    read_at<<<1, 1>>>(a, -1, out);
}

// A pointer that walks from one allocation into another: the address is one that may be used, through the other pointer.
// case other_allocation
// > Invalid __global__ read of size 4 bytes
// > bytes * the allocation that its pointer leads to at 0x* of size 4096 bytes
// > and is inside the other allocation at 0x* of size 1048576 bytes
// errors 1
CASE(other_allocation)
{
    int *a = device<int>(1024), *b = device<int>(1 << 18);
    read_at<<<1, 1>>>(a, (int)(b - a) + 5, b);
}

// case null_pointer
// > Invalid __global__ write of size 4 bytes
// > Access at 0x8 is out of bounds
// errors 1
CASE(null_pointer)
{
    write_at<<<1, 1>>>(nullptr, 2);
}

// case wild_pointer
// > Invalid __global__ write of size 4 bytes
// > Access at 0x123456789abc is out of bounds
// errors 1
CASE(wild_pointer)
{
    write_at<<<1, 1>>>((int *)0x123456789abc, 0);
}

// case host_memory_is_right
CASE(host_memory_is_right)
{
    int *a = (int *)malloc(64);
    write_at<<<1, 4>>>(a, 0);
    cudaDeviceSynchronize();
    free(a);
}

// case red_zone
// > Invalid __global__ write of size 4 bytes
// > and is 1 bytes after the nearest allocation at 0x* of size 256 bytes
// errors 1
CASE(red_zone)
{
    int *a = device<int>(64), *b = device<int>(64);
    write_at<<<1, 1>>>(a, 64);
    (void)b;
}

__global__ void indirect(int **p)
{
    p[0][64] = 1;
}
// The pointer is loaded from memory: nothing is known of it, but that nobody has what it leads to.
// case loaded_pointer
// > Invalid __global__ write of size 4 bytes
// > at indirect(int**)+0x*
// > and is 1 bytes after the nearest allocation at 0x* of size 256 bytes
// errors 1
CASE(loaded_pointer)
{
    int *a = device<int>(64), **p = device<int *>(1);
    cudaMemcpy(p, &a, sizeof a, cudaMemcpyHostToDevice);
    indirect<<<1, 1>>>(p);
}

// case use_after_free
// > Invalid __global__ write of size 4 bytes
// > and is inside the allocation, freed before, at 0x* of size 400 bytes
// errors 1
CASE(use_after_free)
{
    int *a = device<int>(100);
    cudaFree(a);
    int *b = device<int>(100);
    write_at<<<1, 1>>>(a, 3);
    (void)b;
}

// case use_after_free_large
// > Invalid __global__ write of size 4 bytes
// > and is inside the allocation, freed before, at 0x* of size 8388608 bytes
// errors 1
CASE(use_after_free_large)
{
    int *a = device<int>(1 << 21);
    cudaFree(a);
    int *b = device<int>(1 << 21);
    write_at<<<1, 1>>>(a, 3);
    (void)b;
}

// case use_after_stream_free
// > Invalid __global__ write of size 4 bytes
// errors 1
CASE(use_after_stream_free)
{
    int *a;
    cudaMallocAsync(&a, 400, 0);
    cudaFreeAsync(a, 0);
    cudaStreamSynchronize(0);
    write_at<<<1, 1>>>(a, 3);
}

// case stream_ordered_is_right
CASE(stream_ordered_is_right)
{
    for (int i = 0; i < 3; i++) {
        int *a;
        cudaMallocAsync(&a, 400, 0);
        write_at<<<1, 100>>>(a, 0);
        cudaFreeAsync(a, 0);
    }
    cudaStreamSynchronize(0);
}

// ---- sizes and alignment
__global__ void vector_at(float4 *a, int i)
{
    a[i] = make_float4(1, 2, 3, 4);
}
__global__ void bytes_at(char *a, int i)
{
    *(int *)(a + i) = 1;
}
__global__ void byte_at(char *a, int i)
{
    a[i] = 1;
}
__global__ void double_at(const double *a, int i, double *out)
{
    *out = a[i];
}

// case vector_across_end
// > Invalid __global__ write of size 16 bytes
// errors 1
CASE(vector_across_end)
{
    float *a = device<float>(30);
    vector_at<<<1, 1>>>((float4 *)a, 7);
}

// case misaligned
// > Invalid __global__ write of size 4 bytes
// > at bytes_at(char*, int)+0x* in memory.cu:*
// > Access at 0x*1 is misaligned
// > and is inside the nearest allocation at 0x* of size 64 bytes
// errors 1
CASE(misaligned)
{
    char *a = device<char>(64);
    bytes_at<<<1, 1>>>(a, 1);
}

// case misaligned_vector
// > Invalid __global__ write of size 16 bytes
// > is misaligned
// errors 1
CASE(misaligned_vector)
{
    char *a = device<char>(64);
    vector_at<<<1, 1>>>((float4 *)(a + 8), 0);
}

// case one_byte
// > Invalid __global__ write of size 1 bytes
// > and is 1 bytes after the nearest allocation at 0x* of size 7 bytes
// errors 1
CASE(one_byte)
{
    char *a = device<char>(7);
    byte_at<<<1, 1>>>(a, 7);
}

// case double_across_end
// > Invalid __global__ read of size 8 bytes
// errors 1
CASE(double_across_end)
{
    char *a = device<char>(12);
    double_at<<<1, 1>>>((double *)a, 1, device<double>(1));
}

// case last_byte_is_right
CASE(last_byte_is_right)
{
    char *a = device<char>(7);
    byte_at<<<1, 1>>>(a, 6);
    vector_at<<<1, 1>>>((float4 *)device<float>(32), 7);
}

// ---- lanes
__global__ void guarded(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] = i;
}
__global__ void off_by_one(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n)
        a[i] = i;
}
__global__ void scattered(float *a, const int *index)
{
    int i = threadIdx.x;
    a[index[i]] = i;
}
__global__ void one_lane(float *a)
{
    if (threadIdx.x == 17)
        a[threadIdx.x] = 1;
}
__global__ void stencil(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i < n - 1)
        out[i] = in[i - 1] + in[i] + in[i + 1];
}
__global__ void in_a_loop(float *a, int n)
{
    for (int i = threadIdx.x; i <= n; i += blockDim.x)
        a[i] += 1;
}
__global__ void in_rows(float *a, int width)
{
    a[threadIdx.y * width + threadIdx.x] = 1;
}

// case guarded_is_right
CASE(guarded_is_right)
{
    float *a = device<float>(1000), *b = device<float>(1000);
    guarded<<<8, 128>>>(a, 1000);
    stencil<<<8, 128>>>(a, b, 1000);
}

// case off_by_one
// > Invalid __global__ write of size 4 bytes
// > by thread (104,0,0) in block (7,0,0)
// > and is 1 bytes after the nearest allocation at 0x* of size 4000 bytes
// errors 1
CASE(off_by_one)
{
    off_by_one<<<8, 128>>>(device<float>(1000), 1000);
}

// case scattered
// > Invalid __global__ write of size 4 bytes
// > by thread (5,0,0) in block (0,0,0)
// > and is 397 bytes after the nearest allocation at 0x* of size 4 bytes
// errors 1
CASE(scattered)
{
    int index[32] = {0}, *d = device<int>(32);
    index[5] = 100;
    cudaMemcpy(d, index, sizeof index, cudaMemcpyHostToDevice);
    scattered<<<1, 32>>>(device<float>(1), d);
}

// case one_lane
// > by thread (17,0,0) in block (0,0,0)
// errors 1
CASE(one_lane)
{
    one_lane<<<1, 32>>>(device<float>(17));
}

// case in_a_loop
// > Invalid __global__ read of size 4 bytes
// > by thread (4,0,0) in block (0,0,0)
// errors 1
CASE(in_a_loop)
{
    in_a_loop<<<1, 64>>>(device<float>(1028), 1028);
}

// case in_rows
// > by thread (4,3,0) in block (0,0,0)
// errors 4
CASE(in_rows)
{
    in_rows<<<1, dim3(8, 4)>>>(device<float>(3 * 20 + 4), 20);
}

// ---- atomics
__global__ void atomic_at(int *a, int i)
{
    atomicAdd(&a[i], 1);
}
__global__ void swap_at(unsigned long long *a, int i)
{
    atomicCAS(&a[i], 0ull, 1ull);
}

// case atomic_after
// > Invalid __global__ atomic of size 4 bytes
// errors 1
CASE(atomic_after)
{
    atomic_at<<<1, 1>>>(device<int>(3), 3);
}

// case swap_after
// > Invalid __global__ atomic of size 8 bytes
// errors 1
CASE(swap_after)
{
    swap_at<<<1, 1>>>(device<unsigned long long>(3), 4);
}

// ---- shared memory
__global__ void static_shared(int *out, int i)
{
    __shared__ int s[16];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    s[i] = 5;
    __syncthreads();
    *out = s[0];
}
__global__ void dynamic_shared(int *out, int i)
{
    extern __shared__ int d[];
    d[threadIdx.x] = 1;
    __syncthreads();
    *out = d[i];
}

// case static_shared
// > Invalid __shared__ write of size 4 bytes
// > at static_shared(int*, int)+0x* in memory.cu:*
// > Access at 0x44 is out of bounds
// > and is 5 bytes after the block's shared memory of size 64 bytes
// errors 1
CASE(static_shared)
{
    static_shared<<<1, 1>>>(device<int>(1), 17);
}

// case dynamic_shared
// > Invalid __shared__ read of size 4 bytes
// > and is 1 bytes after the block's shared memory of size 128 bytes
// errors 1
CASE(dynamic_shared)
{
    dynamic_shared<<<1, 1, 128>>>(device<int>(1), 32);
}

// case shared_is_right
CASE(shared_is_right)
{
    int *out = device<int>(1);
    static_shared<<<4, 16>>>(out, 15);
    dynamic_shared<<<4, 32, 128>>>(out, 31);
}

__device__ __noinline__ void through_pointer(int *p, int i)
{
    p[i] = 1;
}
__global__ void generic_shared(int *out, int i)
{
    __shared__ int s[16];
    through_pointer(threadIdx.x < 64 ? s : out, i);
    __syncthreads();
    *out = s[0];
}
// case generic_shared
// > Invalid __shared__ write of size 4 bytes
// errors 1
CASE(generic_shared)
{
    generic_shared<<<1, 1>>>(device<int>(1), 16);
}

// case generic_shared_is_right
CASE(generic_shared_is_right)
{
    generic_shared<<<1, 32>>>(device<int>(16), 15);
}

// ---- local memory, constants, variables
__global__ void local_array(int *out, int i, int n)
{
    int a[8];
    for (int k = 0; k < 8; k++)
        a[(k + n) & 7] = k;
    *out = a[i];
}
__device__ int variable[8], behind[8];
__constant__ int constants[8];
__global__ void variable_at(int i)
{
    variable[i] = 1;
}
__global__ void constant_at(int *out, int i)
{
    *out = constants[i];
}

// case local_array
// > Invalid __local__ read of size 4 bytes
// > at local_array(int*, int, int)+0x*
// > by thread (0,0,0) in block (0,0,0)
// > bytes after the thread's local memory of size 32 bytes
// errors 1
CASE(local_array)
{
    local_array<<<1, 1>>>(device<int>(1), 11, 3);
}

// case local_is_right
CASE(local_is_right)
{
    local_array<<<1, 32>>>(device<int>(1), 7, 3);
}

// case variable_after
// > Invalid __global__ write of size 4 bytes
// > nearest allocation at 0x* of size 32 bytes
// errors 1
CASE(variable_after)
{
    variable_at<<<1, 1>>>(8);
}

// case constant_after
// > Invalid __constant__ read of size 4 bytes
// errors 1
CASE(constant_after)
{
    constant_at<<<1, 1>>>(device<int>(1), 9);
}

// case variables_are_right
CASE(variables_are_right)
{
    variable_at<<<1, 1>>>(7);
    constant_at<<<1, 1>>>(device<int>(1), 7);
}

// ---- the device's heap
__global__ void heap_after()
{
    ((volatile char *)malloc(10))[10] = 1;
}
__global__ void heap_freed()
{
    volatile int *p = (volatile int *)malloc(40);
    p[0] = 1;
    free((void *)p);
    p[1] = 2;
}
__global__ void heap_twice()
{
    void *p = malloc(40);
    free(p);
    free(p);
}
__global__ void heap_other(int *p)
{
    free(p);
}
__global__ void heap_right()
{
    int *p = (int *)malloc(40);
    p[threadIdx.x % 10] = 1;
    free(p);
}

// case heap_after
// > Invalid __global__ write of size 1 bytes
// > and is 1 bytes after the nearest allocation at 0x* of size 10 bytes
// errors 1
CASE(heap_after)
{
    heap_after<<<1, 1>>>();
}

// case heap_freed
// > Invalid __global__ write of size 4 bytes
// > freed before
// errors 1
CASE(heap_freed)
{
    heap_freed<<<1, 1>>>();
}

// case heap_twice
// > Malloc/Free error encountered : Double free
// > at heap_twice()+0x*
// > by thread (0,0,0) in block (0,0,0)
// errors 1
CASE(heap_twice)
{
    heap_twice<<<1, 1>>>();
}

// case heap_other
// > Malloc/Free error encountered : Invalid pointer to free
// errors 1
CASE(heap_other)
{
    heap_other<<<1, 1>>>(device<int>(1));
}

// case heap_is_right
CASE(heap_is_right)
{
    heap_right<<<4, 64>>>();
}

__global__ void heap_kept()
{
    *(volatile int *)malloc(24) = 1;
}
// case heap_leak --leak-check full
// > Leaked 24 bytes at 0x* on the device heap
// > LEAK SUMMARY: 24 bytes leaked in 1 allocation
// errors 1
CASE(heap_leak)
{
    heap_kept<<<1, 1>>>();
    cudaDeviceSynchronize();
}

// ---- leaks and calls
// case leak --leak-check full
// > Leaked 40 bytes at 0x*
// > Saved host backtrace up to driver entry point at allocation time
// > Host Frame: cudaMalloc [0x*] in memory
// > LEAK SUMMARY: 40 bytes leaked in 1 allocation
// errors 1
CASE(leak)
{
    int *kept;
    cudaMalloc(&kept, 40);
    int *given;
    cudaMalloc(&given, 80);
    cudaFree(given);
}

// case leak_at_reset --leak-check full
// > Leaked 40 bytes at 0x*
// errors 1
CASE(leak_at_reset)
{
    int *kept;
    cudaMalloc(&kept, 40);
    cudaDeviceReset();
}

// case double_free
// > Program hit cudaErrorInvalidValue (error 1) due to "*" on CUDA API call to cudaFree.
// > Saved host backtrace up to driver entry point at error
// errors 1
CASE(double_free)
{
    int *p = device<int>(1);
    cudaFree(p);
    cudaFree(p);
}

// case bad_launch
// > Program hit cudaErrorInvalid* on CUDA API call to cudaLaunchKernel.
// errors 1
CASE(bad_launch)
{
    write_at<<<1, 2048>>>(device<int>(1), 0);
}

// case no_api_errors --report-api-errors no
CASE(no_api_errors)
{
    cudaFree((void *)8);
}

// ---- what options choose
// case kernel_goes_on --destroy-on-device-error kernel
// > Invalid __global__ write of size 4 bytes
// ! cudaErrorLaunchFailure
// errors 1
CASE(kernel_goes_on)
{
    int *a = device<int>(4);
    write_at<<<1, 1>>>(a, 5);
    cudaDeviceSynchronize();
    write_at<<<1, 4>>>(a, 0);
    if (cudaDeviceSynchronize())
        exit(9);
}

// case other_kernel --kernel-name kernel_name=read_at
CASE(other_kernel)
{
    write_at<<<1, 1>>>(device<int>(1), 1);
}

// case this_kernel --kernel-name kns=write_
// > Invalid __global__ write
// errors 1
CASE(this_kernel)
{
    write_at<<<1, 1>>>(device<int>(1), 1);
}

// case not_this_kernel --kernel-regex-exclude write.at
CASE(not_this_kernel)
{
    write_at<<<1, 1>>>(device<int>(1), 1);
}

// case skipped --launch-skip 1 --launch-count 1 --destroy-on-device-error kernel
// > by thread (0,0,0) in block (0,0,0)
// > and is 9 bytes after
// errors 1
CASE(skipped)
{
    int *a = device<int>(1);
    for (int i = 1; i < 4; i++)
        write_at<<<1, 1>>>(a, i + (i > 1));
}

// case limited --print-limit 2 --report-api-errors no
// > ERROR SUMMARY: 32 errors
// > ERROR SUMMARY: 30 errors were not printed. Use --print-limit option to adjust the number of printed errors
// errors 32
CASE(limited)
{
    write_at<<<1, 32>>>(device<int>(1), 1);
}

// case no_frames --show-backtrace no
// > Invalid __global__ write
// ! Host Frame
// errors 1
CASE(no_frames)
{
    write_at<<<1, 1>>>(device<int>(1), 1);
}

// ---- copies in kernels
__global__ void async_copy(const int *in, int *out, int i)
{
    __shared__ int s[32];
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"((unsigned)__cvta_generic_to_shared(&s[threadIdx.x])),
                 "l"(in + i));
    asm volatile("cp.async.wait_all;");
    out[threadIdx.x] = s[threadIdx.x];
}
// case async_copy
// > Invalid __global__ read of size 4 bytes
// errors 1
CASE(async_copy)
{
    async_copy<<<1, 1>>>(device<int>(4), device<int>(1), 4);
}

// case async_copy_is_right
CASE(async_copy_is_right)
{
    async_copy<<<1, 32>>>(device<int>(4), device<int>(32), 3);
}

CASES
