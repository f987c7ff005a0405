// SPDX-License-Identifier: Apache-2.0
// Waits in functions that call themselves: barriers, partial collectives, locks and flags at any depth.
#include "check.h"

enum { BLOCK = 96, DEPTH = 5 };

// The sum of a tree over the block's shared memory: a barrier at each level, before and behind the call.
__device__ __noinline__ int tree(int *s, int n)
{
    if (n == 1)
        return s[0];
    int t = threadIdx.x, half = n / 2;
    __syncthreads();
    if (t < half)
        s[t] += s[t + half];
    __syncthreads();
    int low = tree(s, half);
    __syncthreads();
    return low;
}

__global__ void tree_sums(const int *in, int *out)
{
    __shared__ int s[64];
    if (threadIdx.x < 64)
        s[threadIdx.x] = in[blockIdx.x * 64 + threadIdx.x];
    __syncthreads();
    int sum = tree(s, 64);
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum + threadIdx.x;
}

// Fibonacci with a value exchanged between neighbours at every call, among the lanes that are as deep.
__device__ __noinline__ int exchange(int n, unsigned mask)
{
    if (n < 2)
        return n;
    int a = exchange(n - 1, mask);
    a = __shfl_xor_sync(mask, a, 1);
    int b = exchange(n - 2, mask);
    return a + b + __popc(__ballot_sync(mask, b & 1));
}

__global__ void exchanges(int *out)
{
    int lane = threadIdx.x & 31;
    unsigned mask = lane < 8 ? 0xff : 0xffffff00;
    out[threadIdx.x] = lane < 8 ? exchange(6, mask) : exchange(9, mask);
}

static int exchange_on_host(int n, int lanes)
{
    if (n < 2)
        return n;
    int a = exchange_on_host(n - 1, lanes), b = exchange_on_host(n - 2, lanes);
    return a + b + (b & 1 ? lanes : 0);
}

// A lock that is taken at the bottom.
__device__ int lock_word, guarded;
__device__ __noinline__ int locked(int depth, int x)
{
    if (depth)
        return locked(depth - 1, x + depth) + 1;
    bool done = false;
    while (!done)
        if (atomicCAS(&lock_word, 0, 1) == 0) {
            *(volatile int *)&guarded = *(volatile int *)&guarded + 1;
            __threadfence();
            atomicExch(&lock_word, 0);
            done = true;
        }
    return x;
}

__global__ void locks(int *out)
{
    out[blockIdx.x * blockDim.x + threadIdx.x] = locked(DEPTH + threadIdx.x % 3, threadIdx.x);
}

// Blocks in turn, the last one first; the flag is looked at in a function that stays a call.
__device__ volatile int turn;
__device__ __noinline__ int look(int n)
{
    return n > 0 ? look(n - 1) : turn;
}

__global__ void in_turn(int *order)
{
    int mine = gridDim.x - 1 - blockIdx.x;
    if (threadIdx.x == 0) {
        while (look(3) != mine)
            ;
        order[mine] = blockIdx.x;
        __threadfence();
        turn = mine + 1;
    }
}

// The same; the answer comes through memory.
__device__ __noinline__ int look_at(int n, int *answer)
{
    if (n <= 0) {
        *answer = turn;
        return 1;
    }
    return look_at(n - 1, answer) + 2 * look_at(n - 2, answer);
}

__global__ void in_turn_by_memory(int *order)
{
    int mine = gridDim.x - 1 - blockIdx.x;
    if (threadIdx.x == 0) {
        int answer;
        do
            look_at(3, &answer);
        while (answer != mine);
        order[mine] = blockIdx.x;
        __threadfence();
        turn = mine + 1;
    }
}

// Functions by pointers: of one signature, so that each may call the other.
struct Shape {
    __device__ virtual int area(int *s) const = 0;
};
struct Square : Shape {
    int side;
    __device__ int area(int *s) const override
    {
        atomicAdd(s, side * side);
        __syncthreads();
        return *s;
    }
};
struct Double : Shape {
    const Shape *of;
    __device__ int area(int *s) const override
    {
        return 2 * of->area(s);
    }
};

__global__ void shapes(int *out)
{
    __shared__ int s;
    if (threadIdx.x == 0)
        s = 0;
    __syncthreads();
    Square square;
    square.side = threadIdx.x % 4;
    Double twice, four;
    twice.of = &square;
    four.of = &twice;
    const Shape *shape = blockIdx.x ? (const Shape *)&four : &twice;
    out[blockIdx.x * blockDim.x + threadIdx.x] = shape->area(&s);
}

// More threads wait than a process has stacks with guards: those of several streams, in blocks as large as can be.
enum { STREAMS = 5, WAITING = 8 };
__device__ volatile int go;
__device__ int gone;
__device__ __noinline__ int wait_deep(int n)
{
    if (n <= 0) {
        while (!go)
            ;
        return 1;
    }
    __syncthreads();
    int a = wait_deep(n - 1);
    __syncthreads();
    return a + wait_deep(n - 2);
}

__global__ void many_wait()
{
    atomicAdd(&gone, wait_deep(2));
}

__global__ void let_go()
{
    go = 1;
}

// Deep, with a barrier at the bottom only; then without end.
__device__ __noinline__ int deep(int n, int *s)
{
    int here[2] = {n, n % 2};
    if (n == 0) {
        __syncthreads();
        return s[threadIdx.x ^ 1];
    }
    if (!__isLocal(&here[n & 1]) || __isLocal(s))
        return -1;
    return deep(n - 1, s) + here[1];
}

__global__ void depths(int *out, int n)
{
    __shared__ int s[BLOCK];
    s[threadIdx.x] = threadIdx.x;
    out[threadIdx.x] = deep(n + threadIdx.x % 2, s);
}

template <int N> __device__ __noinline__ int endless(int n, int *s)
{
    volatile int here[N]; // the last frame ends now here, now there
    for (int i = 0; i < N; i++)
        here[i] = n + i;
    __syncthreads();
    s[threadIdx.x] += n;
    return endless<N>(n + 1, s) + s[threadIdx.x ^ 1] + here[n % N];
}

template <int N> __global__ void without_end(int *out)
{
    __shared__ int s[BLOCK];
    out[threadIdx.x] = endless<N>(0, s);
}

template <int N> static void overflow()
{
    int *out;
    OK(cudaMalloc((void **)&out, BLOCK * sizeof *out));
    without_end<N><<<2, BLOCK>>>(out);
    EXPECT(cudaDeviceSynchronize() != cudaSuccess);
    OK(cudaDeviceReset());
}

// Not recursive, but a copy for each call would be far too many.
template <int N> __device__ __noinline__ void doubled(int *s, int k)
{
    if constexpr (N) {
        doubled<N - 1>(s, k);
        doubled<N - 1>(s, k + 1);
    } else {
        __syncthreads();
        int next = s[(threadIdx.x + 1) % BLOCK];
        __syncthreads();
        s[threadIdx.x] = next + k;
    }
}
template <int N> __global__ void doubles(int *out)
{
    __shared__ int s[BLOCK];
    s[threadIdx.x] = threadIdx.x;
    doubled<N>(s, 0);
    out[threadIdx.x] = s[threadIdx.x];
}

int main()
{
    std::vector<int> v(64 * 40);
    for (size_t i = 0; i < v.size(); i++)
        v[i] = (int)(i * 7 % 31);
    Buffer<int> in(v), sums(BLOCK * 40);
    tree_sums<<<40, BLOCK>>>(in, sums);
    LAUNCHED();
    std::vector<int> got = sums.get();
    for (int b = 0; b < 40; b++) {
        int want = 0;
        for (int i = 0; i < 64; i++)
            want += v[b * 64 + i];
        for (int t = 0; t < BLOCK; t++)
            EXPECT(got[b * BLOCK + t] == want + t);
    }

    Buffer<int> out(BLOCK);
    exchanges<<<1, BLOCK>>>(out);
    LAUNCHED();
    got = out.get();
    for (int t = 0; t < BLOCK; t++)
        EXPECT(got[t] == ((t & 31) < 8 ? exchange_on_host(6, 8) : exchange_on_host(9, 24)));

    Buffer<int> many(300 * 128);
    locks<<<300, 128>>>(many);
    LAUNCHED();
    got = many.get();
    int n;
    OK(cudaMemcpyFromSymbol(&n, guarded, sizeof n));
    EXPECT(n == 300 * 128);
    for (int i = 0; i < 300 * 128; i++) {
        int t = i % 128, d = DEPTH + t % 3;
        EXPECT(got[i] == t + d * (d + 1) / 2 + d);
    }

    Buffer<int> order(20);
    in_turn<<<20, 32>>>(order);
    LAUNCHED();
    got = order.get();
    for (int i = 0; i < 20; i++)
        EXPECT(got[i] == 19 - i);

    int zero = 0;
    OK(cudaMemcpyToSymbol(turn, &zero, sizeof zero));
    in_turn_by_memory<<<20, 32>>>(order);
    LAUNCHED();
    got = order.get();
    for (int i = 0; i < 20; i++)
        EXPECT(got[i] == 19 - i);

    Buffer<int> areas(2 * BLOCK);
    shapes<<<2, BLOCK>>>(areas);
    LAUNCHED();
    got = areas.get();
    for (int i = 0; i < 2 * BLOCK; i++)
        EXPECT(got[i] == (i < BLOCK ? 2 : 4) * (BLOCK / 4 * 14));

    cudaStream_t streams[STREAMS + 1];
    for (auto &s : streams)
        OK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    for (int i = 0; i < STREAMS; i++)
        many_wait<<<WAITING, 1024, 0, streams[i]>>>();
    let_go<<<1, 1, 0, streams[STREAMS]>>>();
    LAUNCHED();
    OK(cudaMemcpyFromSymbol(&n, gone, sizeof n));
    EXPECT(n == STREAMS * WAITING * 1024 * 3);

    depths<<<1, BLOCK>>>(out, 1000);
    LAUNCHED();
    got = out.get();
    for (int t = 0; t < BLOCK; t++)
        EXPECT(got[t] == (t ^ 1) + 500 + t % 2);

    doubles<14><<<1, BLOCK>>>(out);
    LAUNCHED();
    got = out.get();
    for (int t = 0; t < BLOCK; t++) // a step a call, and all bits of the numbers of 14 bits
        EXPECT(got[t] == (t + (1 << 14)) % BLOCK + 14 * (1 << 13));

    if (!on_gpu()) { // last: the context is lost
        overflow<1>();
        overflow<13>();
        overflow<21>();
        overflow<50>();
    }
    return DONE();
}
