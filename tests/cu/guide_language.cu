// SPDX-License-Identifier: Apache-2.0
// The language extensions of the programming guides: qualifiers, built-in variables, launch configuration, built-in vector
// types, memory spaces, and the small kernels that the chapters show.
#include "check.h"
#include "device_launch_parameters.h"
#include "cuda.h"
#include <device_functions.h>
#include <cuda_runtime_api.h>

// --- Kernels and the thread hierarchy -------------------------------------------------------------------------------

// guide: __global__ | threadIdx.x
__global__ void VecAdd(float *A, float *B, float *C)
{
    int i = threadIdx.x;
    C[i] = A[i] + B[i];
}

static const int N = 16;
// guide: parameters of type float A[N][N] | 2D thread blocks (dim3 threadsPerBlock(N,N))
__global__ void MatAddOne(float A[N][N], float B[N][N], float C[N][N])
{
    int i = threadIdx.x, j = threadIdx.y;
    C[i][j] = A[i][j] + B[i][j];
}
// guide: 2D grid of blocks | blockIdx / blockDim
__global__ void MatAddMany(float A[N][N], float B[N][N], float C[N][N])
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < N && j < N)
        C[i][j] = A[i][j] + B[i][j];
}

// guide: thread id = x + y*Dx + z*Dx*Dy | block id = x + y*Dx | warps: consecutive thread ids, first has thread 0
// guide: gridDim | blockIdx | blockDim | threadIdx
__global__ void Ids(unsigned *out)
{
    unsigned t = threadIdx.x + threadIdx.y * blockDim.x + threadIdx.z * blockDim.x * blockDim.y;
    unsigned b = blockIdx.x + blockIdx.y * gridDim.x;
    unsigned n = blockDim.x * blockDim.y * blockDim.z, lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    unsigned ballot = __ballot_sync(__activemask(), 1);
    out[(b * n + t) * 3] = b * 1000 + t;
    out[(b * n + t) * 3 + 1] = lane;
    out[(b * n + t) * 3 + 2] = __popc(ballot);
}

// Each block leaves its number where its turn came: any order is right, each number once.
// guide: blocks run in any order, in parallel or in series | threads of different blocks cannot synchronise
__global__ void Order(int *turn, int *who)
{
    if (threadIdx.x == 0)
        who[atomicAdd(turn, 1)] = blockIdx.x;
}

// guide: __syncthreads is a barrier for the block | __syncthreads in uniform conditional code
__global__ void Rotate(int *p, int n, int rounds)
{
    extern __shared__ int s[];
    s[threadIdx.x] = p[threadIdx.x];
    if (rounds > 0) {
        __syncthreads();
        for (int r = 0; r < rounds; r++) {
            int v = s[(threadIdx.x + 1) % n];
            __syncthreads();
            s[threadIdx.x] = v;
            __syncthreads();
        }
    }
    p[threadIdx.x] = s[threadIdx.x];
}

// Several threads of a warp write one place: one of the values arrives.
// guide: one of several conflicting writes of a warp succeeds
__global__ void Conflict(int *p)
{
    *p = 100 + threadIdx.x;
}

// --- Function qualifiers --------------------------------------------------------------------------------------------

// guide: __device__ function qualifier | __host__ function qualifier | __host__ __device__ together
__device__ int onDevice(int x)
{
    return x * 2;
}
__host__ int onHost(int x)
{
    return x * 3;
}
__host__ __device__ int onBoth(int x)
{
#ifdef __CUDA_ARCH__
    return x + 1;
#else
    return x + 10;
#endif
}
__noinline__ __device__ int apart(int x)
{
    return x ^ 0x55;
}
// guide: __global__ function qualifier
__global__ void Qualifiers(int *out, int x)
{
    out[0] = onDevice(x);
    out[1] = onBoth(x);
    out[2] = apart(x);
}

// guide: no recursion in device code (allowed since 2.0) | no static variables in device functions (allowed today)
__device__ int factorial(int n)
{
    return n < 2 ? 1 : n * factorial(n - 1);
}
__device__ int calls()
{
    static int count = 5;
    return atomicAdd(&count, 1);
}
// guide: no address of __device__ functions (allowed since 2.0) | qualifiers not on struct members (nvcc 13 accepts)
__device__ int twice(int x)
{
    return 2 * x;
}
__device__ int thrice(int x)
{
    return 3 * x;
}
struct Tool {
    int k;
    __device__ int use(int x) const
    {
        return k * x;
    }
};
__global__ void Since20(int *out, int which)
{
    int (*f)(int) = which ? twice : thrice;
    out[0] = factorial(6);
    out[1] = calls();
    out[2] = f(7);
    out[3] = Tool{which}.use(9);
}

// guide: kernel parameters up to 256 bytes
struct Large {
    int v[60];
};
__global__ void Sum(Large l, int *out)
{
    int s = 0;
    for (int i = 0; i < 60; i++)
        s += l.v[i];
    *out = s;
}

// guide: #pragma unroll N / 1 / none
__global__ void Unrolled(const int *in, int *out, int n)
{
    int a = 0, b = 0, c = 0;
#pragma unroll 4
    for (int i = 0; i < n; i++)
        a += in[i];
#pragma unroll 1
    for (int i = 0; i < n; i++)
        b ^= in[i];
#pragma unroll
    for (int i = 0; i < 5; i++)
        c += in[i] * i;
    out[0] = a;
    out[1] = b;
    out[2] = c;
}

// --- Variables ------------------------------------------------------------------------------------------------------

// guide: __device__ variable | __constant__ variable | __shared__ variable | global/constant memory persists across launches
__device__ int deviceCounter = 3;
__constant__ int constantTable[4] = {1, 10, 100, 1000};
// guide: shared memory per block, lifetime of the block
__global__ void Variables(int *out)
{
    __shared__ int mine;
    if (threadIdx.x == 0) {
        mine = blockIdx.x;
        atomicAdd(&deviceCounter, constantTable[1]);
    }
    __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = mine;
}

// Three arrays out of one allocation, and a second name for its start.
// guide: extern __shared__ carve-up of three arrays | all extern __shared__ start at the same address
extern __shared__ short other[];
__global__ void CarveUp(int *out)
{
    extern __shared__ char array[];
    short *array0 = (short *)array;
    float *array1 = (float *)&array0[128];
    int *array2 = (int *)&array1[64];
    int t = threadIdx.x;
    array0[t] = (short)t;
    array0[t + 64] = (short)-t;
    array1[t] = t * 0.5f;
    array2[t] = t * t;
    __syncthreads();
    int u = 63 - t;
    out[t] = array0[u] + array0[u + 64] + (int)(array1[u] * 2) + array2[u] + ((void *)other == (void *)array) * 100000;
}

// guide: local memory for dynamically indexed arrays | per-thread local memory
// guide: registers, local, shared, global spaces; gather and scatter
__global__ void Local(const int *index, int *out)
{
    int a[16];
    for (int i = 0; i < 16; i++)
        a[i] = i * threadIdx.x;
    int s = 0;
    for (int i = 0; i < 16; i++) {
        int k = index[(threadIdx.x + i) % 16];
        a[k] += 1;
        s += a[(k + 3) % 16] * (i + 1);
    }
    out[index[threadIdx.x % 16] + threadIdx.x / 16 * 16] = s;
}

// guide: volatile
__global__ void Volatile(volatile int *flag, int *out)
{
    if (threadIdx.x == 0)
        *flag = 1;
    if (threadIdx.x == 32) {
        while (*flag == 0)
            ;
        *out = *flag + 1;
    }
}

__global__ void SharedSize(unsigned *out)
{
    asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(*out));
}

// guide: clock()
__global__ void Clock(long long *out)
{
    clock_t start = clock();
    int v = threadIdx.x;
    for (int i = 0; i < 1000; i++)
        v = v * 1664525 + 1013904223;
    clock_t stop = clock();
    out[0] = (long long)(unsigned)((unsigned)stop - (unsigned)start);
    out[1] = v;
}

// --- Types ----------------------------------------------------------------------------------------------------------

// Every built-in vector type: size, alignment, make_ function, members, through memory and back.
#define VECTOR_TYPES(X)                                                                                                \
    X(char, char)                                                                                                      \
    X(uchar, unsigned char)                                                                                            \
    X(short, short)                                                                                                    \
    X(ushort, unsigned short) X(int, int) X(uint, unsigned) X(long, long) X(ulong, unsigned long) X(float, float)
// guide: char1 | char2 | char3 | char4 | uchar1 | uchar2 | uchar3 | uchar4 | short1 | short2 | short3 | short4
// guide: ushort1 | ushort2 | ushort3 | ushort4 | int1 | int2 | int3 | int4 | uint1 | uint2 | uint3 | uint4
// guide: long1 | long2 | long3 | long4 | ulong1 | ulong2 | ulong3 | ulong4 | float1 | float2 | float3 | float4
// guide: make_<type>
#define X(name, T)                                                                                                     \
    struct All_##name {                                                                                                \
        name##1 a;                                                                                                     \
        name##2 b;                                                                                                     \
        name##3 c;                                                                                                     \
        name##4 d;                                                                                                     \
    };                                                                                                                 \
    __global__ void Vectors_##name(All_##name *p)                                                                      \
    {                                                                                                                  \
        All_##name v = *p;                                                                                             \
        p->a = make_##name##1((T)(v.a.x + v.b.y));                                                                     \
        p->b = make_##name##2(v.b.y, v.c.z);                                                                           \
        p->c = make_##name##3(v.c.z, v.d.w, v.a.x);                                                                    \
        p->d = make_##name##4(v.d.w, v.d.z, v.d.y, v.d.x);                                                             \
    }
VECTOR_TYPES(X)
#undef X

// guide: __align__(8) | __align__(16) | structs above 16 bytes
struct __align__(8) Pair {
    float x, y;
};
struct __align__(16) Triple {
    float x, y, z;
};
struct __align__(16) Five {
    float a, b, c, d, e;
};
__global__ void Aligned(Pair *p, Triple *t, Five *f)
{
    int i = threadIdx.x;
    Pair q = p[i];
    Triple u = t[i];
    Five g = f[i];
    p[i] = Pair{q.y, q.x};
    t[i] = Triple{u.z, u.x, u.y};
    f[i] = Five{g.e, g.d, g.c, g.b, g.a};
}

// --- The first program of "Learning CUDA" ---------------------------------------------------------------------------

typedef unsigned int uint;
const uint count = 1e6;
// guide: __device__ array of 1e6 elements | __mul24 index | headers cuda.h, device_functions.h, cuda_runtime_api.h
__device__ uint Val2[count];
__global__ void set0(uint value)
{
    uint index = __mul24(blockIdx.x, blockDim.x) + threadIdx.x;
    if (index < count)
        Val2[index] = value;
}
// guide: foo<<<1,1>>> test program
__global__ void foo() {}
// guide: addKernel <<<2,(size+1)/2>>> | device_launch_parameters.h
__global__ void addKernel(int *c, const int *a, const int *b, int size)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < size)
        c[i] = a[i] + b[i];
}

int main()
{
    foo<<<1, 1>>>();
    // guide: cudaGetErrorString(cudaGetLastError()) = no error
    EXPECT(!std::strcmp(cudaGetErrorString(cudaGetLastError()), "no error"));

    std::vector<float> a(N * N), b(N * N);
    for (int i = 0; i < N * N; i++) {
        a[i] = i;
        b[i] = 0.5f * i;
    }
    Buffer<float> da(a), db(b), dc(N * N);
    // guide: execution configuration <<<1, N>>>
    VecAdd<<<1, N>>>(da, db, dc);
    LAUNCHED();
    EXPECT(dc.get()[N - 1] == 1.5f * (N - 1) && dc.get()[N] == 0);
    typedef float (*Matrix)[N];
    MatAddOne<<<1, dim3(N, N)>>>((Matrix)da.p, (Matrix)db.p, (Matrix)dc.p);
    LAUNCHED();
    bool right = true;
    for (int i = 0; i < N * N; i++)
        right &= dc.get()[i] == 1.5f * i;
    EXPECT(right);
    OK(cudaMemset(dc, 0, N * N * 4));
    dim3 threadsPerBlock(8, 4), numBlocks(N / threadsPerBlock.x, N / threadsPerBlock.y);
    MatAddMany<<<numBlocks, threadsPerBlock>>>((Matrix)da.p, (Matrix)db.p, (Matrix)dc.p);
    LAUNCHED();
    EXPECT(dc.get()[N * N - 1] == 1.5f * (N * N - 1));

    // guide: up to 1024 threads per block | more threads than the maximum is refused | 512 threads per block (1.x; 1024 today)
    foo<<<1, 1024>>>();
    EXPECT(cudaGetLastError() == cudaSuccess);
    foo<<<1, 1025>>>();
    EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
    // guide: dim3 (unset components are 1)
    EXPECT(dim3(7).y == 1 && dim3(7).z == 1 && dim3(7, 8).z == 1);
    dim3 three(5, 3, 4);
    Buffer<unsigned> ids(6 * 60 * 3);
    Ids<<<dim3(3, 2), three>>>(ids);
    LAUNCHED();
    std::vector<unsigned> id = ids.get();
    right = true;
    for (unsigned k = 0; k < 6; k++)
        for (unsigned t = 0; t < 60; t++)
            right &= id[(k * 60 + t) * 3] == k * 1000 + t && id[(k * 60 + t) * 3 + 1] == t % 32 &&
                     id[(k * 60 + t) * 3 + 2] == (t < 32 ? 32u : 28u);
    EXPECT(right);

    Buffer<int> turn(1), who(100);
    Order<<<100, 33>>>(turn, who);
    LAUNCHED();
    std::vector<int> seen(100);
    for (int w : who.get())
        seen[w]++;
    right = true;
    for (int s : seen)
        right &= s == 1;
    EXPECT(right);

    std::vector<int> ring(96);
    for (int i = 0; i < 96; i++)
        ring[i] = i;
    Buffer<int> dring(ring);
    Rotate<<<1, 96, 96 * sizeof(int)>>>(dring, 96, 5);
    LAUNCHED();
    EXPECT(dring.get()[0] == 5 && dring.get()[95] == 4);
    Buffer<int> out(1024);
    Conflict<<<1, 32>>>(out);
    LAUNCHED();
    EXPECT(out.get()[0] >= 100 && out.get()[0] < 132);

    Qualifiers<<<1, 1>>>(out, 20);
    LAUNCHED();
    std::vector<int> o = out.get();
    // guide: __host__ said to execute on the device (translation error: it runs on the host)
    EXPECT(o[0] == 40 && o[1] == 21 && o[2] == (20 ^ 0x55) && onHost(5) == 15 && onBoth(5) == 15);
    // guide: function pointers to __global__
    void (*kernel)(int *, int) = Since20;
    kernel<<<1, 1>>>(out, 1);
    LAUNCHED();
    o = out.get();
    EXPECT(o[0] == 720 && o[1] == 5 && o[2] == 14 && o[3] == 9);
    kernel<<<1, 1>>>(out, 0);
    LAUNCHED();
    o = out.get();
    EXPECT(o[1] == 6 && o[2] == 21 && o[3] == 0);
    Large large;
    for (int i = 0; i < 60; i++)
        large.v[i] = i;
    Sum<<<1, 1>>>(large, out);
    LAUNCHED();
    EXPECT(out.get()[0] == 60 * 59 / 2);
    Unrolled<<<1, 1>>>(dring, out, 96);
    LAUNCHED();
    int x = 0;
    for (int i = 0; i < 96; i++)
        x ^= i;
    o = out.get();
    EXPECT(o[0] == 96 * 95 / 2 && o[1] == x && o[2] == 6 + 2 * 7 + 3 * 8 + 4 * 9);

    Variables<<<4, 64>>>(out);
    Variables<<<4, 64>>>(out);
    LAUNCHED();
    int counter;
    OK(cudaMemcpyFromSymbol(&counter, deviceCounter, sizeof counter));
    EXPECT(counter == 3 + 80 && out.get()[255] == 3 && out.get()[63] == 0);
    // A stream that is captured shows what is launched into it: S is the stream, and without it stream 0 is taken.
    // guide: execution configuration Dg, Db, Ns, S | Ns and S default to 0
    Buffer<unsigned> sizes(3);
    cudaStream_t stream;
    cudaGraph_t graph;
    size_t nodes = 0;
    OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
    SharedSize<<<1, 1>>>(sizes.p);
    SharedSize<<<1, 1, 96>>>(sizes.p + 1);
    SharedSize<<<1, 1, 160, stream>>>(sizes.p + 2);
    OK(cudaStreamEndCapture(stream, &graph));
    OK(cudaGraphGetNodes(graph, nullptr, &nodes));
    EXPECT(nodes == 1);
    LAUNCHED();
    EXPECT(sizes.get() == (std::vector<unsigned>{0, 96, 0}));
    OK(cudaGraphDestroy(graph));
    SharedSize<<<1, 1, 160, stream>>>(sizes.p + 2);
    OK(cudaStreamSynchronize(stream));
    EXPECT(sizes.get()[2] == 160);
    OK(cudaStreamDestroy(stream));
    CarveUp<<<1, 64, 128 * sizeof(short) + 64 * sizeof(float) + 64 * sizeof(int), 0>>>(out);
    LAUNCHED();
    o = out.get();
    right = true;
    for (int t = 0; t < 64; t++)
        right &= o[t] == (63 - t) + (63 - t) * (63 - t) + 100000;
    EXPECT(right);
    std::vector<int> index = {3, 0, 7, 12, 1, 15, 2, 9, 4, 11, 5, 14, 6, 13, 8, 10};
    Buffer<int> dindex(index);
    Local<<<1, 48>>>(dindex, out);
    LAUNCHED();
    o = out.get();
    right = true;
    for (int t = 0; t < 48; t++) {
        int v[16], s = 0;
        for (int i = 0; i < 16; i++)
            v[i] = i * t;
        for (int i = 0; i < 16; i++) {
            int k = index[(t + i) % 16];
            v[k]++;
            s += v[(k + 3) % 16] * (i + 1);
        }
        right &= o[index[t % 16] + t / 16 * 16] == s;
    }
    EXPECT(right);
    Buffer<int> flag(1);
    Volatile<<<1, 64>>>(flag, out);
    LAUNCHED();
    EXPECT(out.get()[0] == 2);
    Buffer<long long> ticks(2);
    Clock<<<1, 1>>>(ticks);
    LAUNCHED();
    EXPECT(ticks.get()[0] > 0);
    // guide: launch fails when Dg or Db too large | launch fails when Ns too large
    foo<<<dim3(1, 65536), 1>>>();
    EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
    foo<<<1, dim3(1, 1025)>>>();
    EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
    foo<<<1, 1, 1 << 20>>>();
    EXPECT(cudaGetLastError() == cudaErrorInvalidValue);

#define X(name, T)                                                                                                     \
    {                                                                                                                  \
        EXPECT(sizeof(name##1) == sizeof(T) && sizeof(name##2) == 2 * sizeof(T) && sizeof(name##3) == 3 * sizeof(T) && \
               sizeof(name##4) == 4 * sizeof(T));                                                                      \
        EXPECT(alignof(name##1) == alignof(T) && alignof(name##3) == alignof(T));                                      \
        EXPECT(alignof(name##2) == 2 * sizeof(T) && alignof(name##4) == (sizeof(T) < 4 ? 4 * sizeof(T) : 16));         \
        All_##name v = {make_##name##1(1), make_##name##2(2, 3), make_##name##3(4, 5, 6),                              \
                        make_##name##4(7, 8, 9, 10)};                                                                  \
        Buffer<All_##name> d(std::vector<All_##name>{v});                                                              \
        Vectors_##name<<<1, 1>>>(d);                                                                                   \
        LAUNCHED();                                                                                                    \
        All_##name r = d.get()[0];                                                                                     \
        EXPECT(r.a.x == 4 && r.b.x == 3 && r.b.y == 6 && r.c.x == 6 && r.c.y == 10 && r.c.z == 1 && r.d.x == 10 &&     \
               r.d.y == 9 && r.d.z == 8 && r.d.w == 7);                                                                \
    }
    VECTOR_TYPES(X)
#undef X
    EXPECT(sizeof(Pair) == 8 && alignof(Pair) == 8 && sizeof(Triple) == 16 && sizeof(Five) == 32);
    std::vector<Pair> p(40);
    std::vector<Triple> t(40);
    std::vector<Five> f(40);
    for (int i = 0; i < 40; i++) {
        p[i] = Pair{(float)i, -1};
        t[i] = Triple{(float)i, 2, 3};
        f[i] = Five{(float)i, 1, 2, 3, 4};
    }
    Buffer<Pair> dp(p);
    Buffer<Triple> dt(t);
    Buffer<Five> df(f);
    Aligned<<<1, 40>>>(dp, dt, df);
    LAUNCHED();
    EXPECT(dp.get()[39].y == 39 && dt.get()[39].y == 39 && dt.get()[39].x == 3 && df.get()[39].e == 39);

    int numThreads = 512;
    uint blocks = (uint)ceil(count / (double)numThreads);
    // guide: launch written with spaces << < >> >
    // clang-format off
    set0 << < blocks, numThreads >> >(17);
    // clang-format on
    LAUNCHED();
    uint last[2];
    OK(cudaMemcpyFromSymbol(last, Val2, sizeof last, (count - 2) * sizeof(uint)));
    EXPECT(last[0] == 17 && last[1] == 17);
    const int size = 5;
    Buffer<int> ca(std::vector<int>{1, 2, 3, 4, 5}), cb(std::vector<int>{10, 20, 30, 40, 50}), cc(size);
    addKernel<<<2, (size + 1) / 2>>>(cc, ca, cb, size);
    LAUNCHED();
    EXPECT(cc.get() == (std::vector<int>{11, 22, 33, 44, 55}));
    return DONE();
}
