// SPDX-License-Identifier: Apache-2.0
// The reductions and block-wide patterns of the book "Learning CUDA": last-block guards, a work queue object, sums by one
// block and by many, in any order and in order, with barriers, with lockstep warps and with shuffles.
// widths: 32
#include "check.h"

static const int arraySize = 10000, blockSize = 256, gridSize = 24;

// Composition of maps x -> a*x + b over integers mod 2^16: associative, but not commutative, so that the order shows.
struct Map {
    unsigned short a, b;
};
static __host__ __device__ unsigned pack(unsigned a, unsigned b)
{
    return (a & 0xffff) << 16 | (b & 0xffff);
}
static __host__ __device__ unsigned then(unsigned f, unsigned g) // first f, then g
{
    return pack((f >> 16) * (g >> 16), (f & 0xffff) * (g >> 16) + g);
}
static const unsigned identity = 1u << 16;

// guide: last-block guard, CC 2.0 (__syncthreads_or) | __threadfence
__device__ bool lastBlock(int *counter)
{
    __threadfence();
    int last = 0;
    if (threadIdx.x == 0)
        last = atomicAdd(counter, 1);
    return __syncthreads_or(last == gridDim.x - 1);
}

// guide: last-block guard, CC 1.1 (__shared__ flag)
__device__ bool lastBlockOld(int *counter)
{
    __shared__ int last;
    __threadfence();
    if (threadIdx.x == 0)
        last = atomicAdd(counter, 1);
    __syncthreads();
    return last == gridDim.x - 1;
}

// guide: computePartial / merge kernel
__device__ void computePartial(long long *out)
{
    if (threadIdx.x == 0)
        *out = (blockIdx.x + 1) * 1000003ll;
}
__device__ void merge(volatile long long *partial, long long *out)
{
    if (threadIdx.x == 0) {
        long long sum = 0;
        for (int i = 0; i < gridDim.x; i++)
            sum += partial[i];
        *out = sum;
    }
}
__global__ void guarded(int *counter, long long *partial, long long *result, bool old)
{
    computePartial(&partial[blockIdx.x]);
    if (old ? lastBlockOld(counter) : lastBlock(counter))
        merge(partial, result);
}

// guide: class WorkQueue in global memory | device member functions | returning a reference to shared memory
// guide: static __shared__ inside a member function | 64-bit atomicAdd
struct WorkItem {
    int index, amount;
    static __device__ WorkItem none()
    {
        return WorkItem{-1, 0};
    }
};
class WorkQueue
{
    WorkItem *items;
    unsigned long long total, current;

  public:
    __host__ WorkQueue(WorkItem *i, size_t n) : items(i), total(n), current(0) {}
    __device__ WorkItem &fetch()
    {
        __shared__ WorkItem item;
        if (threadIdx.x == 0) {
            unsigned long long i = atomicAdd(&current, 1ull);
            item = i < total ? items[i] : WorkItem::none();
        }
        __syncthreads();
        return item;
    }
};
__global__ void consume(WorkQueue *queue, int *out)
{
    for (;;) {
        WorkItem &item = queue->fetch();
        int index = item.index, amount = item.amount;
        __syncthreads();
        if (index < 0)
            break;
        atomicAdd(&out[index], amount);
    }
}

// The sum of what each thread has in shared memory, in its first word.
__device__ void sumInBlock(int *r)
{
    __syncthreads();
    for (int size = blockSize / 2; size > 0; size /= 2) {
        if (threadIdx.x < size)
            r[threadIdx.x] += r[threadIdx.x + size];
        __syncthreads();
    }
}

// guide: sumCommSingleBlock
__global__ void sumCommSingleBlock(const int *a, int *out)
{
    int idx = threadIdx.x, sum = 0;
    for (int i = idx; i < arraySize; i += blockSize)
        sum += a[i];
    __shared__ int r[blockSize];
    r[idx] = sum;
    sumInBlock(r);
    if (idx == 0)
        *out = r[0];
}

__device__ void reduceInOrder(const unsigned *gArr, int n, unsigned *out)
{
    int thIdx = threadIdx.x;
    __shared__ unsigned shArr[blockSize * 2];
    __shared__ int offset;
    shArr[thIdx] = thIdx < n ? gArr[thIdx] : identity;
    if (thIdx == 0)
        offset = blockSize;
    __syncthreads();
    while (offset < n) {
        shArr[thIdx + blockSize] = thIdx + offset < n ? gArr[thIdx + offset] : identity;
        __syncthreads();
        if (thIdx == 0)
            offset += blockSize;
        unsigned both = then(shArr[2 * thIdx], shArr[2 * thIdx + 1]);
        __syncthreads();
        shArr[thIdx] = both;
    }
    __syncthreads();
    for (int stride = 1; stride < blockSize; stride *= 2) {
        int at = thIdx * stride * 2;
        if (at + stride < blockSize)
            shArr[at] = then(shArr[at], shArr[at + stride]);
        __syncthreads();
    }
    if (thIdx == 0)
        *out = shArr[0];
}

// guide: sumNoncommSingleBlock
__global__ void sumNoncommSingleBlock(const unsigned *gArr, unsigned *out)
{
    reduceInOrder(gArr, arraySize, out);
}

__device__ void sumOfBlock(const int *gArr, int n, volatile int *gOut, int *shArr)
{
    int thIdx = threadIdx.x, sum = 0;
    for (int i = thIdx + blockIdx.x * blockSize; i < n; i += blockSize * gridDim.x)
        sum += gArr[i];
    shArr[thIdx] = sum;
    sumInBlock(shArr);
    if (thIdx == 0)
        gOut[blockIdx.x] = shArr[0];
}

// guide: sumCommMultiBlock, two launches
__global__ void sumCommMultiBlock(const int *gArr, int n, int *gOut)
{
    __shared__ int shArr[blockSize];
    sumOfBlock(gArr, n, gOut, shArr);
}

// guide: sumCommMultiBlock with last-block guard
__global__ void sumCommMultiBlock(const int *gArr, int n, volatile int *gOut, int *counter)
{
    __shared__ int shArr[blockSize];
    int thIdx = threadIdx.x;
    sumOfBlock(gArr, n, gOut, shArr);
    if (lastBlock(counter)) {
        shArr[thIdx] = thIdx < gridDim.x ? gOut[thIdx] : 0;
        sumInBlock(shArr);
        if (thIdx == 0)
            gOut[0] = shArr[0];
    }
}

// guide: sumNoncommMultiBlock
__global__ void sumNoncommMultiBlock(const unsigned *gArr, unsigned *out, int *counter)
{
    int each = arraySize / gridSize, n = each;
    if (blockIdx.x == gridSize - 1)
        n = arraySize - blockIdx.x * each;
    reduceInOrder(gArr + blockIdx.x * each, n, &out[blockIdx.x]);
    if (lastBlock(counter))
        reduceInOrder(out, gridSize, out);
}

// The warp in lockstep, as before compute capability 7.0: nothing but volatile between the steps.
// guide: sumCommSingleWarp volatile, lock-step | volatile shared memory semantics
__device__ int sumCommSingleWarp(volatile int *shArr)
{
    int idx = threadIdx.x % 32;
    if (idx < 16)
        shArr[idx] += shArr[idx + 16];
    if (idx < 8)
        shArr[idx] += shArr[idx + 8];
    if (idx < 4)
        shArr[idx] += shArr[idx + 4];
    if (idx < 2)
        shArr[idx] += shArr[idx + 2];
    if (idx == 0)
        shArr[idx] += shArr[idx + 1];
    return shArr[0];
}
// guide: sumCommSingleWarp with one if
__device__ int sumCommSingleWarpOneIf(volatile int *shArr)
{
    int idx = threadIdx.x % 32;
    if (idx < 16) {
        shArr[idx] += shArr[idx + 16];
        shArr[idx] += shArr[idx + 8];
        shArr[idx] += shArr[idx + 4];
        shArr[idx] += shArr[idx + 2];
        shArr[idx] += shArr[idx + 1];
    }
    return shArr[0];
}
// guide: sumNoncommSingleWarp
__device__ unsigned sumNoncommSingleWarp(volatile unsigned *shArr)
{
    int idx = threadIdx.x % 32;
    if (idx % 2 == 0)
        shArr[idx] = then(shArr[idx], shArr[idx + 1]);
    if (idx % 4 == 0)
        shArr[idx] = then(shArr[idx], shArr[idx + 2]);
    if (idx % 8 == 0)
        shArr[idx] = then(shArr[idx], shArr[idx + 4]);
    if (idx % 16 == 0)
        shArr[idx] = then(shArr[idx], shArr[idx + 8]);
    if (idx == 0)
        shArr[idx] = then(shArr[idx], shArr[idx + 16]);
    return shArr[0];
}
// guide: sumNoncommSingleWarpPadded
__device__ unsigned sumNoncommSingleWarpPadded(volatile unsigned *shArr)
{
    int idx = threadIdx.x % 32;
    shArr[idx] = then(shArr[idx], shArr[idx + 1]);
    shArr[idx] = then(shArr[idx], shArr[idx + 2]);
    shArr[idx] = then(shArr[idx], shArr[idx + 4]);
    shArr[idx] = then(shArr[idx], shArr[idx + 8]);
    shArr[idx] = then(shArr[idx], shArr[idx + 16]);
    return shArr[0];
}
// The same with the synchronisation that today's GPUs need between reading and writing.
// guide: warp reductions with __syncwarp (commutative, 2 variants)
__device__ int sumCommSyncwarp(int *shArr, bool oneIf)
{
    int idx = threadIdx.x % 32;
    for (int k = 16; k > 0; k /= 2) {
        int v = 0;
        if (idx < (oneIf ? 16 : k))
            v = shArr[idx + k];
        __syncwarp();
        if (idx < (oneIf ? 16 : k))
            shArr[idx] += v;
        __syncwarp();
    }
    return shArr[0];
}
// guide: warp reductions with __syncwarp (non-commutative, padded) | Independent Thread Scheduling (__syncwarp)
__device__ unsigned sumNoncommSyncwarp(unsigned *shArr)
{
    int idx = threadIdx.x % 32;
    for (int k = 1; k < 32; k *= 2) {
        unsigned v = then(shArr[idx], shArr[idx + k]);
        __syncwarp();
        shArr[idx] = v;
        __syncwarp();
    }
    return shArr[0];
}
__global__ void warps(const int *ints, const unsigned *maps, int *sums, unsigned *products)
{
    __shared__ int r[32 + 16];
    __shared__ unsigned q[32 + 16];
    int t = threadIdx.x;
    for (int variant = 0; variant < 4; variant++) {
        r[t] = ints[t];
        if (t < 16)
            r[t + 32] = 0;
        __syncwarp();
        int s = variant == 0   ? sumCommSingleWarp(r)
                : variant == 1 ? sumCommSingleWarpOneIf(r)
                : variant == 2 ? sumCommSyncwarp(r, false)
                               : sumCommSyncwarp(r, true);
        if (t == 0)
            sums[variant] = s;
        __syncwarp();
    }
    for (int variant = 0; variant < 3; variant++) {
        q[t] = maps[t];
        if (t < 16)
            q[t + 32] = identity;
        __syncwarp();
        unsigned s = variant == 0   ? sumNoncommSingleWarp(q)
                     : variant == 1 ? sumNoncommSingleWarpPadded(q)
                                    : sumNoncommSyncwarp(q);
        if (t == 0)
            products[variant] = s;
        __syncwarp();
    }
}

// guide: sumCommSingleBlockWithWarps | sumCommSingleBlockWithWarps as printed
__global__ void sumCommSingleBlockWithWarps(const int *a, int *out, bool printed)
{
    int idx = threadIdx.x, sum = 0;
    for (int i = idx; i < arraySize; i += blockSize)
        sum += a[i];
    __shared__ int r[blockSize];
    r[idx] = sum;
    if (!printed)
        __syncwarp();
    sumCommSingleWarp(&r[idx & ~31]);
    __syncthreads();
    if (idx < 32) {
        r[idx] = idx * 32 < blockSize ? r[idx * 32] : 0;
        if (!printed)
            __syncwarp();
        sumCommSingleWarp(r);
        if (idx == 0)
            *out = r[0];
    }
}

// guide: __shfl_down_sync reduction | __shfl_sync broadcast
__global__ void shuffled(const int *a, int *out)
{
    int v = a[threadIdx.x];
    for (int k = 1; k < 32; k *= 2)
        v += __shfl_down_sync(0xffffffff, v, k);
    out[threadIdx.x] = __shfl_sync(0xffffffff, v, 0);
}

int main()
{
    std::vector<int> a(arraySize);
    std::vector<unsigned> m(arraySize);
    unsigned seed = 7, product = identity, product32 = identity;
    int sum = 0, sum32 = 0;
    for (int i = 0; i < arraySize; i++) {
        sum += a[i] = (int)(random_next(seed) % 2001) - 1000;
        m[i] = pack(random_next(seed) | 1, random_next(seed));
        product = then(product, m[i]);
        if (i < 32) {
            sum32 += a[i];
            product32 = product;
        }
    }
    Buffer<int> da(a), out(gridSize), counter(1), sums(4);
    Buffer<unsigned> dm(m), uout(gridSize), products(3);
    Buffer<long long> partial(30), result(1);
    for (bool old : {false, true}) {
        OK(cudaMemset(counter, 0, 4));
        guarded<<<30, 64>>>(counter, partial, result, old);
        LAUNCHED();
        EXPECT(result.get()[0] == 1000003ll * 30 * 31 / 2);
    }
    {
        const int n = 500, block = 64;
        std::vector<WorkItem> items(n);
        for (int i = 0; i < n; i++)
            items[i] = WorkItem{i % 50, i};
        Buffer<WorkItem> ditems(items);
        Buffer<WorkQueue> queue(std::vector<WorkQueue>{WorkQueue(ditems, n)});
        Buffer<int> got(50);
        consume<<<9, block>>>(queue, got);
        LAUNCHED();
        std::vector<int> g = got.get();
        bool right = true;
        for (int i = 0; i < 50; i++) {
            int want = 0;
            for (int k = i; k < n; k += 50)
                want += k * block;
            right &= g[i] == want;
        }
        EXPECT(right);
    }
    sumCommSingleBlock<<<1, blockSize>>>(da, out);
    LAUNCHED();
    EXPECT(out.get()[0] == sum);
    sumNoncommSingleBlock<<<1, blockSize>>>(dm, uout);
    LAUNCHED();
    EXPECT(uout.get()[0] == product);
    sumCommMultiBlock<<<gridSize, blockSize>>>(da, arraySize, out);
    sumCommMultiBlock<<<1, blockSize>>>(out, gridSize, out);
    LAUNCHED();
    EXPECT(out.get()[0] == sum);
    OK(cudaMemset(counter, 0, 4));
    sumCommMultiBlock<<<gridSize, blockSize>>>(da, arraySize, out, counter);
    LAUNCHED();
    EXPECT(out.get()[0] == sum);
    OK(cudaMemset(counter, 0, 4));
    sumNoncommMultiBlock<<<gridSize, blockSize>>>(dm, uout, counter);
    LAUNCHED();
    EXPECT(uout.get()[0] == product);
    warps<<<1, 32>>>(da, dm, sums, products);
    LAUNCHED();
    for (int s : sums.get())
        EXPECT(s == sum32);
    for (unsigned p : products.get())
        EXPECT(p == product32);
    for (bool printed : {false, true}) {
        sumCommSingleBlockWithWarps<<<1, blockSize>>>(da, out, printed);
        LAUNCHED();
        EXPECT(out.get()[0] == sum);
    }
    Buffer<int> lanes(32);
    shuffled<<<1, 32>>>(da, lanes);
    LAUNCHED();
    for (int v : lanes.get())
        EXPECT(v == sum32);
    return DONE();
}
