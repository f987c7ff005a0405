// SPDX-License-Identifier: Apache-2.0
// Lanes that are not active execute nothing that traps, faults or never ends, also where a value is the same for a
// whole row of a block (threadIdx.y, threadIdx.z) and is computed once for the row: every operation that can is behind
// a test which some rows do not pass, with operands there that it would not survive. And a loop that all lanes leave at
// once, by tests of which each holds for some of them.
#include "check.h"

typedef unsigned u32;
typedef long long i64;
typedef unsigned long long u64;
typedef __int128 i128;
typedef unsigned __int128 u128;

enum { ROWS = 64, WILD = 1000000000 };

struct Row {   // of a row: what its threads compute with
    i64 n, d;  // d: 0 or -1 where it must not divide
    int index; // WILD where it must not be used
    int step;  // 0 where the loop must not run
    int *p;    // wild where it must not be followed
};

// One number for each thread: the row's and the thread's own.
__device__ __host__ int mix(u64 x, u32 t)
{
    return (int)(x ^ x >> 29) * 31 + (int)t;
}

template <class T> __device__ __host__ u64 quotients(T n, T d)
{
    return (u64)(n / d) * 7 + (u64)(n % d);
}

// Both operands are the row's.
__device__ __host__ u64 divided(const Row &r)
{
    u64 s = 1;
    if (r.d > 0 || r.d < -1) {
        s += quotients<short>((short)r.n, (short)r.d) +
             quotients<unsigned short>((unsigned short)r.n, (unsigned short)r.d);
        s += 3 * quotients<int>((int)r.n, (int)r.d) + 5 * quotients<u32>((u32)r.n, (u32)r.d);
        s += 7 * quotients<i64>(r.n, r.d) + 9 * quotients<u64>((u64)r.n, (u64)r.d);
        s += quotients<signed char>((signed char)r.n, (signed char)r.d) +
             quotients<unsigned char>((unsigned char)r.n, (unsigned char)r.d);
    }
    return s;
}

__device__ __host__ u64 divided_wide(const Row &r)
{
    u64 s = 1;
    if (r.d > 0 || r.d < -1)
        s += quotients<i128>((i128)r.n * r.n, (i128)r.d) + 3 * quotients<u128>((u128)(u64)r.n << 40, (u128)(u64)r.d);
    return s;
}

// The divisor is the row's, the dividend the thread's.
__device__ __host__ u64 shared_divisor(const Row &r, u32 t)
{
    u64 s = 1;
    if (r.d > 0 || r.d < -1)
        s += quotients<int>((int)t - 5, (int)r.d) + quotients<u64>(t * 12345ull, (u64)r.d) +
             quotients<i128>((i128)t << 70, (i128)r.d);
    return s;
}

// The least number by -1, in all sizes.
__device__ __host__ u64 overflowing(const Row &r)
{
    i64 s = 1, d = r.d == -1 ? -1 : r.d + (r.d == 0);
    if (d != -1) {
        s += (int)(0x80000000u + (u32)r.index * 0) / (int)d + (i64)(0x8000000000000000ull) / d;
        s += (int)(0x80000000u + (u32)r.index * 0) % (int)d + (i64)(0x8000000000000000ull) % d;
    }
    return (u64)s;
}

__device__ __host__ u64 loaded(const Row &r, const int *table, const int4 *vectors)
{
    u64 s = 2;
    if (r.index < ROWS) {
        s += table[r.index] + ((const volatile int *)table)[(r.index + 1) % ROWS] + *r.p;
        s += ((const unsigned char *)table)[(i64)r.index * 2] + vectors[r.index].x * 3 + vectors[r.index].w;
        s += (u64)((const double *)vectors)[(i64)r.index];
    }
    return s;
}

__device__ __host__ u64 looped(const Row &r)
{
    u64 s = 3;
    if (r.step != 0)
        for (int k = 0; k < 100; k += r.step)
            s = s * 5 + (u64)k;
    for (i64 d = r.d < 0 ? 0 : r.d; d; d >>= 1)
        s += (u64)(r.n % d);
    i64 x = 360360, y = r.d < 0 ? 12 : r.d + 8;
    while (y) {
        i64 z = x % y;
        x = y, y = z;
    }
    return s + (u64)x;
}

__device__ u32 thread_number()
{
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}

__device__ const Row &own_row(const Row *rows)
{
    return rows[threadIdx.z * blockDim.y + threadIdx.y];
}

__global__ void divide(const Row *rows, int *out)
{
    u32 t = thread_number();
    const Row &r = own_row(rows);
    out[4 * t] = mix(divided(r), t);
    out[4 * t + 1] = mix(divided_wide(r), t);
    out[4 * t + 2] = mix(shared_divisor(r, t), t);
    out[4 * t + 3] = mix(overflowing(r), t);
}

__global__ void load(const Row *rows, const int *table, const int4 *vectors, int *out)
{
    u32 t = thread_number();
    out[t] = mix(loaded(own_row(rows), table, vectors), t);
}

__global__ void loop(const Row *rows, int *out)
{
    u32 t = thread_number();
    out[t] = mix(looped(own_row(rows)), t);
}

// To the row's own place, in global and shared memory, plain and atomic: the lowest lane's value stays, which is the
// row's.
__global__ void store(const Row *rows, int *sums, int *out)
{
    __shared__ int cell[ROWS], count[ROWS];
    u32 t = thread_number(), y = threadIdx.z * blockDim.y + threadIdx.y;
    const Row &r = own_row(rows);
    if (threadIdx.x == 0)
        cell[y] = count[y] = 0;
    __syncthreads();
    if (r.index < ROWS) {
        sums[r.index] = r.index * 3;
        *(volatile int *)&sums[ROWS + (i64)r.index] = r.step;
        cell[r.index] = r.index + 1;
        atomicAdd(&count[r.index], 1);
        atomicAdd(&sums[2 * ROWS + (i64)r.index], 2);
        atomicExch(&sums[3 * ROWS + (i64)r.index], r.step);
    }
    __syncthreads();
    out[t] = cell[y] * 1000 + count[y];
}

// Lanes below a[k] and lanes from b[k] on: at the end no lane is both. What the next turn would touch leads nowhere.
__global__ void window(const int *a, const int *b, const int *divisor, int *const *p, int *out)
{
    int i = (int)threadIdx.x, k = 0, s = 0;
    do {
        s += 1000 / divisor[k] + *p[k];
        k++;
    } while ((i < a[k]) & (i >= b[k]));
    out[threadIdx.x] = s * 16 + k;
}

static std::vector<Row> make_rows(int *table, bool device, int *at)
{
    std::vector<Row> rows(ROWS);
    for (int y = 0; y < ROWS; y++) {
        Row &r = rows[y];
        bool bad = y % 3 == 1;
        r.n = (i64)y * 0x123456789 - 0x7654321;
        r.d = bad ? (y % 2 ? 0 : -1) : y % 2 ? y + 2 : -(y + 2);
        r.index = bad ? WILD + y : y;
        r.step = bad ? 0 : 1 + y % 9;
        r.p = bad ? (int *)(u64)0x10 : (device ? at : table) + y % 7;
    }
    return rows;
}

static void try_shape(dim3 block)
{
    int table[2 * ROWS], n = (int)(block.x * block.y * block.z), ny = (int)(block.y * block.z);
    std::vector<int4> vectors(ROWS);
    for (int i = 0; i < 2 * ROWS; i++)
        table[i] = i * 0x1234567;
    for (int i = 0; i < ROWS; i++) {
        double d[2] = {i * 3.0, i * 5.0};
        std::memcpy(&vectors[i], d, sizeof d);
    }
    int *dt, *out, *sums;
    int4 *dv;
    Row *dr;
    OK(cudaMalloc(&dt, sizeof table));
    OK(cudaMalloc(&dv, ROWS * sizeof *dv));
    OK(cudaMalloc(&dr, ROWS * sizeof *dr));
    OK(cudaMalloc(&out, 4 * n * sizeof *out));
    OK(cudaMalloc(&sums, 4 * ROWS * sizeof *sums));
    OK(cudaMemcpy(dt, table, sizeof table, cudaMemcpyHostToDevice));
    OK(cudaMemcpy(dv, vectors.data(), ROWS * sizeof *dv, cudaMemcpyHostToDevice));
    std::vector<Row> rows = make_rows(table, true, dt), mine = make_rows(table, false, NULL);
    OK(cudaMemcpy(dr, rows.data(), ROWS * sizeof *dr, cudaMemcpyHostToDevice));
    std::vector<int> h(4 * n), s(4 * ROWS);
    divide<<<1, block>>>(dr, out);
    LAUNCHED();
    OK(cudaMemcpy(h.data(), out, 4 * n * sizeof(int), cudaMemcpyDeviceToHost));
    for (u32 t = 0; t < (u32)n; t++) {
        const Row &r = mine[t / block.x];
        EXPECT(h[4 * t] == mix(divided(r), t));
        EXPECT(h[4 * t + 1] == mix(divided_wide(r), t));
        EXPECT(h[4 * t + 2] == mix(shared_divisor(r, t), t));
        EXPECT(h[4 * t + 3] == mix(overflowing(r), t));
    }
    load<<<1, block>>>(dr, dt, dv, out);
    LAUNCHED();
    OK(cudaMemcpy(h.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost));
    for (u32 t = 0; t < (u32)n; t++)
        EXPECT(h[t] == mix(loaded(mine[t / block.x], table, vectors.data()), t));
    loop<<<1, block>>>(dr, out);
    LAUNCHED();
    OK(cudaMemcpy(h.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost));
    for (u32 t = 0; t < (u32)n; t++)
        EXPECT(h[t] == mix(looped(mine[t / block.x]), t));
    OK(cudaMemset(sums, 0, 4 * ROWS * sizeof *sums));
    store<<<1, block>>>(dr, sums, out);
    LAUNCHED();
    OK(cudaMemcpy(h.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost));
    OK(cudaMemcpy(s.data(), sums, 4 * ROWS * sizeof(int), cudaMemcpyDeviceToHost));
    for (int y = 0; y < ny; y++) {
        const Row &r = mine[y];
        bool good = r.index < ROWS;
        EXPECT(h[y * block.x] == (good ? (y + 1) * 1000 + (int)block.x : 0));
        EXPECT(s[y] == (good ? 3 * y : 0) && s[ROWS + y] == (good ? r.step : 0));
        EXPECT(s[2 * ROWS + y] == (good ? 2 * (int)block.x : 0) && s[3 * ROWS + y] == (good ? r.step : 0));
    }
    OK(cudaFree(dt));
    OK(cudaFree(dv));
    OK(cudaFree(dr));
    OK(cudaFree(out));
    OK(cudaFree(sums));
}

static void try_window(int turns)
{
    enum { N = 64, TURNS = 8 };
    int a[TURNS], b[TURNS], d[TURNS], *p[TURNS], *da, *db, *dd, *value, **dp, *out, h[N];
    OK(cudaMalloc(&value, sizeof *value));
    OK(cudaMemset(value, 0, sizeof *value));
    for (int k = 0; k < TURNS; k++) {
        a[k] = k < turns ? 1000 : 3; // then lanes 0, 1, 2 or lanes from 6 on
        b[k] = k < turns ? 0 : 6;
        d[k] = k < turns ? k + 1 : 0;
        p[k] = k < turns ? value : (int *)(u64)0x10;
    }
    OK(cudaMalloc(&da, sizeof a));
    OK(cudaMalloc(&db, sizeof b));
    OK(cudaMalloc(&dd, sizeof d));
    OK(cudaMalloc(&dp, sizeof p));
    OK(cudaMalloc(&out, sizeof h));
    OK(cudaMemcpy(da, a, sizeof a, cudaMemcpyHostToDevice));
    OK(cudaMemcpy(db, b, sizeof b, cudaMemcpyHostToDevice));
    OK(cudaMemcpy(dd, d, sizeof d, cudaMemcpyHostToDevice));
    OK(cudaMemcpy(dp, p, sizeof p, cudaMemcpyHostToDevice));
    window<<<1, N>>>(da, db, dd, dp, out);
    LAUNCHED();
    OK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
    int s = 0;
    for (int k = 0; k < turns; k++)
        s += 1000 / (k + 1);
    for (int i = 0; i < N; i++)
        EXPECT(h[i] == s * 16 + turns);
    OK(cudaFree(value));
    OK(cudaFree(da));
    OK(cudaFree(db));
    OK(cudaFree(dd));
    OK(cudaFree(dp));
    OK(cudaFree(out));
}

int main()
{
    dim3 shapes[] = {dim3(1, 64), dim3(2, 16), dim3(4, 16), dim3(8, 8),
                     dim3(16, 4), dim3(32, 4), dim3(3, 7),  dim3(2, 4, 4)};
    for (dim3 s : shapes)
        try_shape(s);
    try_window(1);
    try_window(4);
    return DONE();
}
