// SPDX-License-Identifier: Apache-2.0
// Additions to places of global memory that the data name: a worker may add them up in a copy of its own before they go to
// memory, unless the thread could see the difference.
#include "check.h"

enum { N = 40000, BINS = 300, LARGE = 9000 };

struct Cell {
    float sum;
    int count;
    double wide;
    unsigned long long total;
};

__device__ int device_bins[BINS];
static unsigned hash(unsigned x)
{
    x *= 2654435761u;
    return x ^ x >> 15;
}

__global__ void plain(const unsigned *in, int *bins, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&bins[in[i] % BINS], 1);
}

// The input is read behind the addition, and not through __restrict__.
__global__ void in_loop(unsigned *in, int *bins, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        if (in[i] & 1)
            atomicAdd(&bins[in[i] % BINS], (int)(in[i] >> 20));
}

__global__ void records(const unsigned *in, Cell *cells, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        Cell *c = &cells[in[i] % BINS];
        atomicAdd(&c->sum, 0.5f);
        atomicAdd(&c->count, 1);
        atomicAdd(&c->wide, 0.25);
        atomicAdd(&c->total, 1ull << 40);
    }
}

// What a thread adds to is what it raises on its next step: other members of one record, but not of the next one.
__global__ void along_list(const int *next, int *pairs, int steps)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll 1
    for (int i = 0; i < steps; i++) {
        k = next[k];
        atomicAdd(&pairs[2 * k + 2], 5);
        atomicMax(&pairs[2 * k], 10);
    }
}

// What a thread adds to its neighbour raises behind the barrier: members of different threads' records.
__global__ void neighbours(const int *next, int *pairs)
{
    int *pair = pairs + 2 * next[blockIdx.x * blockDim.x + threadIdx.x];
    atomicAdd(&pair[2], 5);
    __syncthreads();
    atomicMax(&pair[0], 10);
}

__global__ void variable(const unsigned *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&device_bins[in[i] % BINS], 1);
}

// Some places are within the copy, some behind it, some before its start.
__global__ void far(const unsigned *in, int *middle, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&middle[(int)(in[i] % LARGE) - 1000], 1);
}

// A thread sees its own additions: through the same pointer, through another one to the same memory, and after a barrier.
__global__ void see_own(const unsigned *perm, int *cells, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        atomicAdd(&cells[perm[i]], 5);
        out[i] = cells[perm[i]];
    }
}
__global__ void see_through(const unsigned *perm, int *cells, int *same, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        atomicAdd(&cells[perm[i]], 5);
        out[i] = same[perm[i]];
    }
}
__global__ void see_others(const unsigned *perm, int *cells, int *out)
{
    atomicAdd(&cells[perm[threadIdx.x]], 5);
    __syncthreads();
    out[threadIdx.x] = cells[threadIdx.x];
}
__global__ void write_over(const unsigned *perm, int *cells, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        atomicAdd(&cells[perm[i]], 5);
        cells[perm[i]] = 7;
    }
}

// All sums go through shared memory and a barrier, behind which other memory is read and written.
__global__ void behind_barrier(unsigned *in, int *bins, int *out, int n)
{
    __shared__ unsigned tile[128];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    tile[threadIdx.x] = i < n ? in[i] : 0;
    __syncthreads();
    if (i < n)
        atomicAdd(&bins[tile[127 - threadIdx.x] % BINS], 1);
    __syncthreads();
    if (i < n)
        out[i] = (int)tile[threadIdx.x] + (int)in[i];
}

template <class T> static T *fresh(size_t n)
{
    T *p;
    OK(cudaMallocManaged(&p, n * sizeof(T)));
    for (size_t i = 0; i < n; i++)
        p[i] = T();
    return p;
}

int main()
{
    unsigned *in = fresh<unsigned>(N), *perm = fresh<unsigned>(N);
    for (unsigned i = 0; i < N; i++) {
        in[i] = hash(i);
        perm[i] = (i * 7919u) % N; // 7919 and N have no divisor in common
    }
    std::vector<int> want(LARGE);
    int *bins = fresh<int>(BINS);
    for (int i = 0; i < N; i++)
        want[in[i] % BINS]++;
    for (int round = 1; round < 4; round++) {
        plain<<<(N + 127) / 128, 128>>>(in, bins, N);
        LAUNCHED();
        for (int b = 0; b < BINS; b++)
            EXPECT(bins[b] == round * want[b]);
    }
    int *loop = fresh<int>(BINS);
    std::vector<int> sums(BINS);
    in_loop<<<7, 96>>>(in, loop, N);
    LAUNCHED();
    for (int i = 0; i < N; i++)
        sums[in[i] % BINS] += in[i] & 1 ? (int)(in[i] >> 20) : 0;
    for (int b = 0; b < BINS; b++)
        EXPECT(loop[b] == sums[b]);

    Cell *cells = fresh<Cell>(BINS);
    records<<<7, 96>>>(in, cells, N);
    variable<<<(N + 63) / 64, 64>>>(in, N);
    LAUNCHED();
    int seen[BINS];
    OK(cudaMemcpyFromSymbol(seen, device_bins, sizeof seen));
    for (int b = 0; b < BINS; b++) {
        EXPECT(cells[b].sum == 0.5f * (float)want[b] && cells[b].count == want[b]);
        EXPECT(cells[b].wide == 0.25 * want[b] && cells[b].total == (unsigned long long)want[b] << 40);
        EXPECT(seen[b] == want[b]);
    }

    int *large = fresh<int>(LARGE);
    far<<<(N + 127) / 128, 128>>>(in, large + 1000, N);
    LAUNCHED();
    memset(want.data(), 0, LARGE * sizeof(int));
    for (int i = 0; i < N; i++)
        want[in[i] % LARGE]++;
    for (int b = 0; b < LARGE; b++)
        EXPECT(large[b] == want[b]);

    int *own = fresh<int>(N), *out = fresh<int>(N);
    see_own<<<(N + 127) / 128, 128>>>(perm, own, out, N);
    LAUNCHED();
    for (int i = 0; i < N; i++)
        EXPECT(out[i] == 5 && own[i] == 5);
    see_through<<<(N + 127) / 128, 128>>>(perm, own, own, out, N);
    LAUNCHED();
    for (int i = 0; i < N; i++)
        EXPECT(out[i] == 10 && own[i] == 10);
    unsigned *small = fresh<unsigned>(256);
    for (unsigned i = 0; i < 256; i++)
        small[i] = i * 77 % 256;
    see_others<<<1, 256>>>(small, own, out);
    LAUNCHED();
    for (int i = 0; i < 256; i++)
        EXPECT(out[i] == 15 && own[i] == 15);
    write_over<<<(N + 127) / 128, 128>>>(perm, own, N);
    LAUNCHED();
    for (int i = 0; i < N; i++)
        EXPECT(own[i] == 7);

    enum { LISTS = 64, STEPS = 10, ROOM = STEPS + 2 };
    int *next = fresh<int>(LISTS * (ROOM + 1)), *pairs = fresh<int>(2 * LISTS * (ROOM + 1));
    for (int i = 0; i < LISTS * (ROOM + 1); i++)
        next[i] = i < LISTS ? LISTS + i * ROOM : i + 1;
    along_list<<<2, LISTS / 2>>>(next, pairs, STEPS);
    LAUNCHED();
    for (int l = 0; l < LISTS; l++)
        for (int i = 0; i <= STEPS; i++)
            EXPECT(pairs[2 * (LISTS + l * ROOM + i)] == (i < STEPS ? 10 : 5));

    enum { ROW = 32 };
    for (int i = 0; i < LISTS / 4 * ROW; i++)
        next[i] = i / ROW * (ROW + 1) + i % ROW;
    memset(pairs, 0, 2 * LISTS * (ROOM + 1) * sizeof(int));
    neighbours<<<LISTS / 4, ROW>>>(next, pairs);
    LAUNCHED();
    for (int i = 0; i < LISTS / 4 * (ROW + 1); i++)
        EXPECT(pairs[2 * i] == (i % (ROW + 1) < ROW ? 10 : 5));

    memset(bins, 0, BINS * sizeof(int));
    behind_barrier<<<(N + 127) / 128, 128>>>(in, bins, out, N);
    LAUNCHED();
    memset(want.data(), 0, BINS * sizeof(int));
    for (int i = 0; i < N; i++) {
        int from = i / 128 * 128 + 127 - i % 128;
        want[(from < N ? in[from] : 0) % BINS]++;
        EXPECT(out[i] == (int)(2 * in[i]));
    }
    for (int b = 0; b < BINS; b++)
        EXPECT(bins[b] == want[b]);
    return DONE();
}
