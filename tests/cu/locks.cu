// SPDX-License-Identifier: Apache-2.0
// Spin loops that make progress: a lock between lanes of a warp, between warps, between blocks, and flags.
#include "check.h"

__device__ int lock_word, guarded;
__device__ volatile int turn;

// As written for independent thread scheduling: the lock is held within the loop body by one lane at a time.
__global__ void locked_add(int times)
{
    for (int i = 0; i < times; i++) {
        bool done = false;
        while (!done) {
            if (atomicCAS(&lock_word, 0, 1) == 0) {
                int v = *(volatile int *)&guarded;
                *(volatile int *)&guarded = v + 1;
                __threadfence();
                atomicExch(&lock_word, 0);
                done = true;
            }
        }
    }
}

// The plain form, which hung on GPUs before Volta.
__global__ void plain_lock()
{
    while (atomicCAS(&lock_word, 0, 1) != 0)
        ;
    *(volatile int *)&guarded = *(volatile int *)&guarded + 1;
    __threadfence();
    atomicExch(&lock_word, 0);
}

// Semaphores: who finds too many inside puts back what it took. Who waits must not hold it meanwhile.
__device__ int places = 1, inside, most_inside, came;
__global__ void one_place()
{
    for (;;) {
        if (atomicSub(&places, 1) > 0)
            break;
        atomicAdd(&places, 1);
    }
    *(volatile int *)&guarded = *(volatile int *)&guarded + 1;
    __threadfence();
    atomicAdd(&places, 1);
}

__global__ void three_places()
{
    while (atomicAdd(&inside, 1) >= 3)
        atomicSub(&inside, 1);
    atomicMax(&most_inside, atomicAdd(&came, 1));
    atomicSub(&came, 1);
    __threadfence();
    atomicSub(&inside, 1);
    atomicAdd(&guarded, 1);
}

// Looks until it is alone: what comes first here is no try.
__global__ void alone()
{
    int n;
    do {
        atomicAdd(&inside, 1);
        n = atomicSub(&inside, 1);
    } while (n != 1);
    atomicAdd(&guarded, 1);
}

// A lock in a bit of a word that counts as well: what the exchange expects is what was found, without the lock's bit.
__device__ unsigned counting_lock;
__global__ void bit_lock()
{
    unsigned old = *(volatile unsigned *)&counting_lock;
    for (;;) {
        unsigned open = old & ~1u;
        old = atomicCAS(&counting_lock, open, open | 1u);
        if (old == open)
            break;
    }
    *(volatile int *)&guarded = *(volatile int *)&guarded + 1;
    __threadfence();
    atomicExch(&counting_lock, old + 2);
}

// The same; the exchange expects what was found and succeeds on a closed lock too, which changes nothing.
__global__ void bit_lock_found()
{
    unsigned old = *(volatile unsigned *)&counting_lock, expected;
    do {
        expected = old;
        old = atomicCAS(&counting_lock, expected, expected | 1u);
    } while (old != expected || (old & 1u));
    *(volatile int *)&guarded = *(volatile int *)&guarded + 1;
    __threadfence();
    atomicExch(&counting_lock, expected + 2);
}

// Blocks take turns, the highest index first: later blocks must run while earlier ones spin.
__global__ void in_turn(int *order)
{
    if (threadIdx.x == 0) {
        int mine = gridDim.x - 1 - blockIdx.x;
        while (turn != mine)
            ;
        order[mine] = blockIdx.x;
        __threadfence();
        turn = mine + 1;
    }
}

// The same by ordinary accesses, with a fence between them, and by each thread.
__device__ int plain_turn;
__global__ void in_turn_fenced(int *order)
{
    int me = blockIdx.x * blockDim.x + threadIdx.x, mine = gridDim.x * blockDim.x - 1 - me;
    while (plain_turn != mine)
        __threadfence();
    order[mine] = me;
    __threadfence();
    plain_turn = mine + 1;
}

// One warp waits for a flag that another sets.
__global__ void flags(int *out)
{
    __shared__ volatile int flag;
    if (threadIdx.x == 0)
        flag = 0;
    __syncthreads();
    if (threadIdx.x < 32) {
        while (flag == 0)
            ;
        out[threadIdx.x] = flag;
    } else if (threadIdx.x == 63) {
        flag = 7;
    }
}

// A thread looks at several flags, keeps what it saw in an array, and goes on when all are set.
__global__ void all_flags(int *flag, int *out, int n)
{
    int seen[16], least;
    if (threadIdx.x == blockDim.x - 1)
        for (int i = 0; i < n; i++)
            atomicExch(flag + i, i + 1);
    do {
        for (int i = 0; i < n; i++)
            seen[i] = ((volatile int *)flag)[i];
        least = seen[0];
        for (int i = n - 1; i > 0; i--)
            least = min(least, seen[i]);
    } while (least == 0);
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum = sum * 3 + seen[i];
    out[threadIdx.x] = sum;
}

int main()
{
    int v;
    locked_add<<<4, 64>>>(3);
    LAUNCHED();
    OK(cudaMemcpyFromSymbol(&v, guarded, sizeof v));
    EXPECT(v == 4 * 64 * 3);
    plain_lock<<<3, 64>>>();
    LAUNCHED();
    OK(cudaMemcpyFromSymbol(&v, guarded, sizeof v));
    EXPECT(v == 4 * 64 * 3 + 3 * 64);
    bit_lock<<<2, 64>>>();
    LAUNCHED();
    bit_lock_found<<<2, 64>>>();
    LAUNCHED();
    unsigned word;
    OK(cudaMemcpyFromSymbol(&word, counting_lock, sizeof word));
    EXPECT(word == 2 * 2 * 128);
    OK(cudaMemcpyFromSymbol(&v, guarded, sizeof v));
    EXPECT(v == 4 * 64 * 3 + 3 * 64 + 2 * 128);
    int before = v;
    one_place<<<3, 96>>>();
    LAUNCHED();
    three_places<<<3, 96>>>();
    LAUNCHED();
    alone<<<3, 96>>>();
    LAUNCHED();
    OK(cudaMemcpyFromSymbol(&v, guarded, sizeof v));
    EXPECT(v == before + 3 * 288);
    OK(cudaMemcpyFromSymbol(&v, most_inside, sizeof v));
    EXPECT(v <= 2);
    Buffer<int> order(20), out(32);
    in_turn<<<20, 32>>>(order);
    LAUNCHED();
    std::vector<int> o = order.get();
    bool right = true;
    for (int i = 0; i < 20; i++)
        right &= o[i] == 19 - i;
    EXPECT(right);
    Buffer<int> fenced(3 * 64);
    in_turn_fenced<<<3, 64>>>(fenced);
    LAUNCHED();
    o = fenced.get();
    for (int i = 0; i < 3 * 64; i++)
        EXPECT(o[i] == 3 * 64 - 1 - i);
    flags<<<1, 64>>>(out);
    LAUNCHED();
    for (int x : out.get())
        EXPECT(x == 7);
    Buffer<int> set(3);
    Buffer<int> sums(64);
    all_flags<<<1, 64>>>(set, sums, 3);
    LAUNCHED();
    for (int x : sums.get())
        EXPECT(x == 18);
    return DONE();
}
