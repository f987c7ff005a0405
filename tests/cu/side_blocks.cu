// SPDX-License-Identifier: Apache-2.0
// Narrow blocks that walk through memory in large steps, of which several side by side may be run as one: each must see its
// own number on every turn, whatever the grid's shape, where blocks leave at once, early or late, and each must run once.
#include "check.h"

__device__ __host__ static inline unsigned mix(unsigned x)
{
    x ^= x >> 15;
    x *= 0x2c1b3c6du;
    x ^= x >> 12;
    return x * 0x297a2d39u;
}

typedef std::vector<unsigned> Numbers;

static Numbers random_numbers(size_t n)
{
    Numbers v(n);
    for (size_t i = 0; i < n; i++)
        v[i] = mix((unsigned)i + 777);
    return v;
}

// One thread: its first cell, how often it steps from plane to plane, and what it has at the end. Blocks differ in all.
struct Walk {
    int w, h, depth;
    __device__ __host__ unsigned number(dim3 block, dim3 grid) const
    {
        return (block.z * grid.y + block.y) * grid.x + block.x;
    }
    __device__ __host__ bool goes(unsigned x, unsigned y, unsigned number) const
    {
        return x >= 1 && x + 1 < (unsigned)w && y < (unsigned)h && number % 7 != 3;
    }
    __device__ __host__ int first(unsigned x, unsigned y, unsigned z) const
    {
        return (int)((z * depth * h + y) * w + x);
    }
    __device__ __host__ unsigned cell(unsigned value, unsigned sum, dim3 block) const
    {
        return mix(value + sum + block.x * 101 + block.y * 37 + block.z);
    }
};

__global__ void walk(const unsigned *in, unsigned *out, unsigned *ends, Walk k)
{
    unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    unsigned number = k.number(blockIdx, gridDim), sum = number;
    if (!k.goes(x, y, number))
        return;
    int i = k.first(x, y, blockIdx.z), end = i;
    for (int z = number % 5 ? (int)(number % 4) : k.depth; z < k.depth; z++, i += k.w * k.h) {
        sum = sum * 3 + in[i - 1] + in[i + 1];
        out[i] += k.cell(in[i], sum, blockIdx);
    }
    ends[end] += sum ^ blockIdx.x << 8;
}

static void test_walk(int w, int h, int depth, dim3 block, unsigned slabs)
{
    enum { TIMES = 12 }; // the first grids measure, those that follow are cut into parts
    Walk k = {w, h, depth};
    dim3 grid((w + block.x - 1) / block.x, (h + block.y - 1) / block.y, slabs);
    size_t cells = (size_t)w * h * depth * slabs;
    Numbers in = random_numbers(cells), out(cells), ends(cells);
    Buffer<unsigned> a(in), b(cells), c(cells);
    for (int t = 0; t < TIMES; t++)
        walk<<<grid, block>>>(a, b, c, k);
    LAUNCHED();
    for (unsigned z = 0; z < slabs; z++)
        for (unsigned y = 0; y < (unsigned)h; y++)
            for (unsigned x = 0; x < (unsigned)w; x++) {
                dim3 at(x / block.x, y / block.y, z);
                unsigned number = k.number(at, grid), sum = number;
                if (!k.goes(x, y, number))
                    continue;
                int i = k.first(x, y, z), end = i;
                for (int p = number % 5 ? (int)(number % 4) : depth; p < depth; p++, i += w * h) {
                    sum = sum * 3 + in[(size_t)i - 1] + in[(size_t)i + 1];
                    out[(size_t)i] += TIMES * k.cell(in[(size_t)i], sum, at);
                }
                ends[(size_t)end] += TIMES * (sum ^ at.x << 8);
            }
    EXPECT(b.get() == out);
    EXPECT(c.get() == ends);
}

// Each thread leaves where its own column says so; then a second loop, backwards.
__global__ void until(const unsigned *in, unsigned *out, int columns, int rows)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x, r = 0;
    unsigned sum = blockIdx.x;
    if (c >= columns)
        return;
    rows -= blockIdx.x % 3;
#pragma unroll 1
    for (; r < rows && in[r * columns + c] % 16 != 3; r++)
        sum = sum * 5 + in[r * columns + c];
    out[2 * c] = sum + (unsigned)r;
#pragma unroll 1
    for (r = rows - 1; r >= 0; r--)
        sum = sum * 7 + in[r * columns + c] + blockIdx.x;
    out[2 * c + 1] = sum;
}

static void test_until(int columns, int rows, int threads)
{
    Numbers in = random_numbers((size_t)columns * rows), want(2 * (size_t)columns);
    Buffer<unsigned> a(in), b(want.size());
    until<<<(columns + threads - 1) / threads, threads>>>(a, b, columns, rows);
    LAUNCHED();
    for (int c = 0; c < columns; c++) {
        unsigned block = (unsigned)(c / threads), sum = block;
        int r = 0, end = rows - (int)(block % 3);
        for (; r < end && in[(size_t)(r * columns + c)] % 16 != 3; r++)
            sum = sum * 5 + in[(size_t)(r * columns + c)];
        want[2 * (size_t)c] = sum + (unsigned)r;
        for (r = end - 1; r >= 0; r--)
            sum = sum * 7 + in[(size_t)(r * columns + c)] + block;
        want[2 * (size_t)c + 1] = sum;
    }
    EXPECT(b.get() == want);
}

// Shared memory is the block's own, without any barrier too.
__global__ void own(const unsigned *in, unsigned *out, int columns, int rows, int one)
{
    __shared__ unsigned mine[128];
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    mine[threadIdx.x + 64] = blockIdx.x * 1000;
#pragma unroll 1
    for (int r = 0; r < rows; r++)
        mine[threadIdx.x + (r & one) * 64] = mine[threadIdx.x + (~r & one) * 64] * 3 + in[r * columns + c];
    out[c] = mine[threadIdx.x + (~rows & one) * 64];
}

static void test_own(int blocks, int rows)
{
    int columns = 64 * blocks;
    Numbers in = random_numbers((size_t)columns * rows), want((size_t)columns);
    Buffer<unsigned> a(in), b(want.size());
    own<<<blocks, 64>>>(a, b, columns, rows, 1);
    LAUNCHED();
    for (int c = 0; c < columns; c++) {
        unsigned x = (unsigned)(c / 64 * 1000);
        for (int r = 0; r < rows; r++)
            x = x * 3 + in[(size_t)(r * columns + c)];
        want[(size_t)c] = x;
    }
    EXPECT(b.get() == want);
}

int main()
{
    const int widths[] = {2, 30, 33, 70, 129, 160, 290, 321, 550}; // of 1 to 18 blocks
    for (int w : widths)
        test_walk(w, 19, 9, dim3(32, 8), 1);
    test_walk(128, 128, 20, dim3(32, 8), 1);
    test_walk(100, 21, 6, dim3(16, 8), 3);
    test_walk(90, 12, 5, dim3(64, 4), 5);
    test_walk(200, 30, 7, dim3(8, 16), 2);
    test_walk(120, 25, 6, dim3(24, 10), 2); // rows that are no multiple of a gang
    test_walk(300, 3, 40, dim3(32, 1), 2);
    for (int t : {32, 64, 128})
        for (int columns : {20, 64, 500, 1999})
            test_until(columns, 37, t);
    for (int blocks : {1, 3, 16, 37})
        test_own(blocks, 20);
    return DONE();
}
