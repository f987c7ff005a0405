// SPDX-License-Identifier: Apache-2.0
// Tables that threads fill along diagonals, through shared memory: what a thread stores, its neighbours read on the next turn
// or the one after. In blocks of up to a gang such values may stay in registers; here are the cases where that is right and
// those where something comes between: other stores to the same cells, stores that only some threads make, borders,
// blocks of more than one gang. Everything is compared with the same recurrence on the host.
#include "check.h"

template <class T> __host__ __device__ T cell(T corner, T up, T left, T cost)
{
    T a = corner + cost, b = (up > left ? up : left) - T(3);
    return a > b ? a : b;
}

template <class T> static std::vector<T> numbers(int n, unsigned seed)
{
    std::vector<T> v(n);
    for (T &x : v)
        x = T(int(random_next(seed) % 15) - 5);
    return v;
}

template <class T> static int unequal(const std::vector<T> &a, const std::vector<T> &b)
{
    int n = a.size() != b.size();
    for (size_t i = 0; i < a.size() && i < b.size(); i++)
        n += a[i] != b[i];
    return n;
}

// One loop over all diagonals of an N x N tile, as many threads as columns. `cost` has a row and a column more, the border.
template <class T, int N> __global__ void tile(const T *cost, T *out)
{
    __shared__ T s[N + 1][N + 1];
    int t = threadIdx.x, size = (N + 1) * (N + 1);
    const T *in = cost + blockIdx.x * size;
    s[0][t + 1] = in[t + 1];
    s[t + 1][0] = in[(t + 1) * (N + 1)];
    if (t == 0)
        s[0][0] = in[0];
    __syncthreads();
    for (int d = 0; d < 2 * N - 1; d++) {
        int x = t + 1, y = d - t + 1;
        if (y >= 1 && y <= N)
            s[y][x] = cell(s[y - 1][x - 1], s[y - 1][x], s[y][x - 1], in[y * (N + 1) + x]);
        __syncthreads();
    }
#pragma unroll 1
    for (int y = 0; y <= N; y++) {
        out[blockIdx.x * size + y * (N + 1) + t + 1] = s[y][t + 1];
        if (t == 0)
            out[blockIdx.x * size + y * (N + 1)] = s[y][0];
    }
}

// The same in two loops with counters that run up and down, which compilers unroll.
template <class T, int N> __global__ void halves(const T *cost, T *out)
{
    __shared__ T s[N + 1][N + 1], c[N][N];
    int t = threadIdx.x, size = (N + 1) * (N + 1);
    const T *in = cost + blockIdx.x * size;
    s[0][t + 1] = in[t + 1];
    s[t + 1][0] = in[(t + 1) * (N + 1)];
    if (t == 0)
        s[0][0] = in[0];
#pragma unroll 1
    for (int y = 0; y < N; y++)
        c[y][t] = in[(y + 1) * (N + 1) + t + 1];
    __syncthreads();
    for (int m = 0; m < N; m++) {
        if (t <= m) {
            int x = t + 1, y = m - t + 1;
            s[y][x] = cell(s[y - 1][x - 1], s[y - 1][x], s[y][x - 1], c[y - 1][x - 1]);
        }
        __syncthreads();
    }
    for (int m = N - 2; m >= 0; m--) {
        if (t <= m) {
            int x = t + N - m, y = N - t;
            s[y][x] = cell(s[y - 1][x - 1], s[y - 1][x], s[y][x - 1], c[y - 1][x - 1]);
        }
        __syncthreads();
    }
#pragma unroll 1
    for (int y = 0; y <= N; y++) {
        out[blockIdx.x * size + y * (N + 1) + t + 1] = s[y][t + 1];
        if (t == 0)
            out[blockIdx.x * size + y * (N + 1)] = s[y][0];
    }
}

template <class T, int N> static void test_tile()
{
    enum { BLOCKS = 3, SIZE = (N + 1) * (N + 1) };
    std::vector<T> cost = numbers<T>(BLOCKS * SIZE, N), want = cost;
    for (int b = 0; b < BLOCKS; b++)
        for (int y = 1; y <= N; y++)
            for (int x = 1; x <= N; x++) {
                T *s = &want[b * SIZE + y * (N + 1) + x];
                *s = cell(s[-N - 2], s[-N - 1], s[-1], *s);
            }
    Buffer<T> in(cost), out(cost.size());
    tile<T, N><<<BLOCKS, N>>>(in, out);
    LAUNCHED();
    EXPECT(unequal(out.get(), want) == 0);
    OK(cudaMemset(out, 0, sizeof(T) * out.n));
    halves<T, N><<<BLOCKS, N>>>(in, out);
    LAUNCHED();
    EXPECT(unequal(out.get(), want) == 0);
}

// A table of many tiles, the blocks of a launch along one of its diagonals: what a block reads and writes lies in rows far apart,
// which are asked for while the block before it makes its steps.
template <int N> __global__ void table(int *score, const int *cost, int n, int first, int diagonal)
{
    __shared__ int s[N + 1][N + 1], c[N][N];
    int t = threadIdx.x, bx = first + blockIdx.x, by = diagonal - bx, stride = n + 1, corner = by * N * stride + bx * N;
    s[0][t + 1] = score[corner + t + 1];
    s[t + 1][0] = score[corner + (t + 1) * stride];
    if (t == 0)
        s[0][0] = score[corner];
    for (int y = 0; y < N; y++)
        c[y][t] = cost[(by * N + y) * n + bx * N + t];
    __syncthreads();
    for (int d = 0; d < 2 * N - 1; d++) {
        int x = t + 1, y = d - t + 1;
        if (y >= 1 && y <= N)
            s[y][x] = cell(s[y - 1][x - 1], s[y - 1][x], s[y][x - 1], c[y - 1][x - 1]);
        __syncthreads();
    }
    for (int y = 1; y <= N; y++)
        score[corner + y * stride + t + 1] = s[y][t + 1];
}

template <int N> static void test_table()
{
    enum { TILES = 5, SIDE = N * TILES, STRIDE = SIDE + 1 };
    std::vector<int> cost = numbers<int>(SIDE * SIDE, N), want(STRIDE * STRIDE);
    for (int i = 0; i < STRIDE; i++)
        want[i] = want[i * STRIDE] = -3 * i;
    Buffer<int> in(cost), score(want);
    for (int y = 1; y < STRIDE; y++)
        for (int x = 1; x < STRIDE; x++) {
            int *s = &want[y * STRIDE + x];
            *s = cell(s[-STRIDE - 1], s[-STRIDE], s[-1], cost[(y - 1) * SIDE + x - 1]);
        }
    for (int d = 0; d < 2 * TILES - 1; d++) {
        int first = d < TILES ? 0 : d - TILES + 1, count = d < TILES ? d + 1 : 2 * TILES - 1 - d;
        table<N><<<count, N>>>(score, in, SIDE, first, d);
    }
    LAUNCHED();
    EXPECT(unequal(score.get(), want) == 0);
}

// Rows that are read by neighbours on both sides and two away, with a border that is not written: a band in shared memory
// that each turn moves down. What a turn stores depends on `some`: only threads whose value is odd, or all.
enum { TURNS = 23 };
template <int N, bool SOME> __global__ void band(const int *in, int *out)
{
    __shared__ int s[TURNS + 2][N + 4];
    int t = threadIdx.x;
#pragma unroll 1
    for (int y = 0; y < TURNS + 2; y++)
        for (int x = t; x < N + 4; x += N)
            s[y][x] = in[(y * 7 + x) % 64] + blockIdx.x;
    __syncthreads();
    for (int y = 2; y < TURNS + 2; y++) {
        int v = s[y - 1][t + 1] + 2 * s[y - 1][t + 3] - s[y - 2][t] - s[y - 2][t + 2] + s[y][t + 2];
        if (!SOME || (v & 1))
            s[y][t + 2] = v % 1000;
        __syncthreads();
    }
#pragma unroll 1
    for (int y = 0; y < TURNS + 2; y++)
        out[(blockIdx.x * (TURNS + 2) + y) * N + t] = s[y][t + 2];
}

template <int N, bool SOME> static void test_band()
{
    std::vector<int> in = numbers<int>(64, 3), want;
    for (int b = 0; b < 2; b++) {
        std::vector<int> s((TURNS + 2) * (N + 4));
        for (int y = 0; y < TURNS + 2; y++)
            for (int x = 0; x < N + 4; x++)
                s[y * (N + 4) + x] = in[(y * 7 + x) % 64] + b;
        for (int y = 2; y < TURNS + 2; y++)
            for (int t = 0; t < N; t++) {
                int *p = &s[y * (N + 4) + t + 2], *up = p - (N + 4), *far = up - (N + 4);
                int v = up[-1] + 2 * up[1] - far[-2] - far[0] + *p;
                if (!SOME || (v & 1))
                    *p = v % 1000;
            }
        for (int y = 0; y < TURNS + 2; y++)
            want.insert(want.end(), &s[y * (N + 4) + 2], &s[y * (N + 4) + 2] + N);
    }
    Buffer<int> from(in), out(want.size());
    band<N, SOME><<<2, N>>>(from, out);
    LAUNCHED();
    EXPECT(unequal(out.get(), want) == 0);
}

// Something comes between a store and the load on the next turn.
enum between { SHIFTED, ONE_PLACE, ATOMIC, POINTER, TWICE, BETWEENS };

template <int N, between B> __global__ void disturbed(const int *in, int *out, int turns, int place)
{
    __shared__ int s[N + 64];
    int t = threadIdx.x, *generic = place >= 0 ? s : out;
    s[t] = in[t];
    if (t == 0)
        s[N] = in[N];
    __syncthreads();
    int v = 0;
    for (int i = 0; i < turns; i++) {
        v = s[t + 1] * 3 + s[t];
        __syncthreads();
        s[t] = v % 1009;
        __syncthreads();
        if (B == SHIFTED && (i & 1))
            s[(t + 1) % N] = v % 7; // the neighbour's cell
        if (B == ONE_PLACE && t == i % N)
            s[place] = i;
        if (B == ATOMIC)
            atomicAdd(&s[(t + i) % N], i);
        if (B == POINTER)
            generic[(t + place) % N] += 5;
        if (B == TWICE)
            s[t] = v % 1009 + 1;
        __syncthreads();
    }
    out[t] = v;
    out[N + t] = s[t];
}

template <int N, between B> static void test_disturbed()
{
    enum { LOOPS = 11, PLACE = N / 2 };
    std::vector<int> in = numbers<int>(N + 1, B + 9), s = in, v(N), want;
    for (int i = 0; i < LOOPS; i++) {
        for (int t = 0; t < N; t++)
            v[t] = s[t + 1] * 3 + s[t];
        for (int t = 0; t < N; t++)
            s[t] = v[t] % 1009;
        for (int t = 0; t < N; t++) {
            if (B == SHIFTED && (i & 1))
                s[(t + 1) % N] = v[t] % 7;
            if (B == ONE_PLACE && t == i % N)
                s[PLACE] = i;
            if (B == ATOMIC)
                s[(t + i) % N] += i;
            if (B == POINTER)
                s[(t + PLACE) % N] += 5;
            if (B == TWICE)
                s[t] = v[t] % 1009 + 1;
        }
    }
    want = v;
    want.insert(want.end(), s.begin(), s.begin() + N);
    Buffer<int> from(in), out(2 * N);
    disturbed<N, B><<<1, N>>>(from, out, LOOPS, PLACE);
    LAUNCHED();
    EXPECT(unequal(out.get(), want) == 0);
}

// The loop is entered again and again; what it left in registers belongs to the time before.
template <int N> __global__ void again(const unsigned *in, unsigned *out, int times)
{
    __shared__ unsigned s[N + 1][N + 1];
    int t = threadIdx.x;
    unsigned sum = 0;
    for (int k = 0; k < times; k++) {
#pragma unroll 1
        for (int y = 0; y <= N; y++) {
            s[y][t] = in[y + k];
            s[y][N] = in[y];
        }
        __syncthreads();
        for (int i = k; i < N; i++) {
            s[i + 1][t] = s[i][t + 1] + s[i][t] * 2 - (i > k ? s[i - 1][t] : 1);
            __syncthreads();
        }
        sum = sum * 5 + s[N][t] % 1000;
        __syncthreads();
    }
    out[t] = sum;
}

template <int N> static void test_again()
{
    std::vector<unsigned> in = numbers<unsigned>(N + 9, 77), want(N);
    for (int k = 0; k < 4; k++) {
        unsigned s[N + 1][N + 1];
        for (int y = 0; y <= N; y++) {
            for (int t = 0; t < N; t++)
                s[y][t] = in[y + k];
            s[y][N] = in[y];
        }
        for (int i = k; i < N; i++)
            for (int t = 0; t < N; t++)
                s[i + 1][t] = s[i][t + 1] + s[i][t] * 2 - (i > k ? s[i - 1][t] : 1);
        for (int t = 0; t < N; t++)
            want[t] = want[t] * 5 + s[N][t] % 1000;
    }
    Buffer<unsigned> from(in), out(N);
    again<N><<<1, N>>>(from, out, 4);
    LAUNCHED();
    EXPECT(unequal(out.get(), want) == 0);
}

// Barriers of a block that is one gang: what another thread wrote is seen, also where this thread wrote before it.
__global__ void exchanged(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x, n = blockDim.x;
    s[t] = t;
    __syncthreads();
    if (t + 1 < n)
        s[t + 1] = 100 + t;
    __syncthreads();
    out[blockIdx.x * n + t] = s[t];
}

// Threads that have left do not store any more, and what they stored is there.
__global__ void leaving(int *out, int stay)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = t * 10;
    if (t >= stay) {
        s[t] = t * 11;
        return;
    }
    for (int i = 0; i < 6; i++) {
        __syncthreads();
        int v = s[t + 1] + i;
        __syncthreads();
        s[t] = v;
    }
    out[t] = s[t];
}

static void test_barriers()
{
    for (int n = 2; n <= 64; n = n < 8 ? n + 3 : n * 2) {
        Buffer<int> out(2 * n);
        exchanged<<<2, n>>>(out);
        LAUNCHED();
        std::vector<int> got = out.get();
        for (int i = 0; i < 2 * n; i++)
            EXPECT(got[i] == (i % n ? 99 + i % n : 0));
        int stay = n / 2, s[65];
        leaving<<<1, n>>>(out, stay);
        LAUNCHED();
        got = out.get();
        for (int t = 0; t < n; t++)
            s[t] = t >= stay ? t * 11 : t * 10;
        for (int i = 0; i < 6; i++)
            for (int t = 0; t < stay; t++)
                s[t] = s[t + 1] + i;
        for (int t = 0; t < stay; t++)
            EXPECT(got[t] == s[t]);
    }
}

int main()
{
    test_tile<int, 16>();
    test_tile<int, 5>();
    test_tile<int, 32>();
    test_tile<int, 40>();
    test_tile<float, 16>();
    test_tile<double, 12>();
    test_tile<short, 16>();
    test_table<8>();
    test_table<16>();
    test_table<24>();
    test_table<32>();
    test_band<16, false>();
    test_band<16, true>();
    test_band<7, true>();
    test_band<40, true>();
    test_disturbed<16, SHIFTED>();
    test_disturbed<16, ONE_PLACE>();
    test_disturbed<16, ATOMIC>();
    test_disturbed<16, POINTER>();
    test_disturbed<16, TWICE>();
    test_disturbed<8, SHIFTED>();
    test_again<16>();
    test_again<24>();
    test_barriers();
    return DONE();
}
