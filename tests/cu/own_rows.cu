// SPDX-License-Identifier: Apache-2.0
// Threads that read and write neighbouring elements of a row or a structure of their own: in loops, by index, under
// conditions, up to the last byte of an allocation, and in shared memory.
#include "check.h"

enum { ROWS = 1000, COLUMNS = 24 };

struct Large {
    float x, y, z, w;
    int a, b, c, d;
    double p, q;
};

__global__ void sum_rows(const float *m, float *out, int rows, int columns)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows)
        return;
    float s = 0;
#pragma unroll 4
    for (int k = 0; k < columns; k++)
        s += m[i * columns + k] * (float)(k + 1);
    out[i] = s;
}

__global__ void by_index(const float4 *f, const int4 *n, const double2 *d, const int *index, float *out, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    float4 u = f[index[i]];
    int4 v = n[index[i]];
    double2 w = d[index[i]];
    if (index[i] % 3) {
        float4 more = f[index[count - 1 - i]];
        u.x += more.w;
        u.z -= more.y;
    }
    out[i] = u.x + 2 * u.y + 3 * u.z + 4 * u.w + (float)(v.x + 2 * v.y + 3 * v.z + 4 * v.w) + (float)(w.x - w.y);
}

__global__ void structures(const Large *in, Large *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Large v = in[i];
    if (i % 5 == 2)
        out[i] = in[n - 1 - i];
    else
        out[i] = Large{v.w, v.z, v.y, v.x, v.d, v.c, v.b, v.a, v.q, v.p};
}

__global__ void in_shared(const float *in, float *out)
{
    __shared__ float tile[64][20];
    int t = threadIdx.x;
    for (int k = 0; k < 20; k++)
        tile[t][k] = in[t * 20 + k];
    __syncthreads();
    int row = (t * 29 + 5) % 64;
    float a = tile[row][4], b = tile[row][5], c = tile[row][6], d = tile[row][7];
    __syncthreads();
    tile[t][8] = d;
    tile[t][9] = c;
    tile[t][10] = b;
    tile[t][11] = a;
    __syncthreads();
    for (int k = 0; k < 20; k++)
        out[t * 20 + k] = tile[t][k];
}

// Rows that overlap: what a lane stores, another one stores too. Each place has one value, whoever comes last.
__global__ void overlapping(int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        for (int k = 0; k < 4; k++)
            out[2 * i + k] = 7 * (2 * i + k);
}

// Stores to two rows by turns, and to one place twice.
__global__ void by_turns(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int x = in[i];
    for (int k = 0; k < 4; k++) {
        out[9 * i + k] = x + k;
        out[9 * i + 4 + k] = x - k;
    }
    out[9 * i + 8] = 1;
    out[9 * i + 7] = 2;
    out[9 * i + 6] = 3;
    out[9 * i + 8] = x;
    out[9 * i + 5] = 4;
}

// One member of each record. The last thread's is the last of the allocation.
template <class T, int STRIDE> __global__ void one_member(const T *in, T *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[STRIDE * i] + in[STRIDE * (n - 1 - i)];
}

template <class T> static T *fresh(size_t n)
{
    T *p;
    OK(cudaMallocManaged(&p, n * sizeof(T)));
    return p;
}

template <class T, int STRIDE> static void check_members()
{
    int elements = 4 * 4096 / (int)sizeof(T), n = (elements - 1) / STRIDE + 1, before = elements - 1 - (n - 1) * STRIDE;
    T *in = fresh<T>(elements), *out = fresh<T>(n);
    for (int i = 0; i < elements; i++)
        in[i] = (T)(i % 53);
    one_member<T, STRIDE><<<(n + 127) / 128, 128>>>(in + before, out, n);
    LAUNCHED();
    for (int i = 0; i < n; i++)
        EXPECT(out[i] == (T)(in[before + STRIDE * i] + in[before + STRIDE * (n - 1 - i)]));
}

template <class T> static void check_strides()
{
    check_members<T, 2>();
    check_members<T, 3>();
    check_members<T, 4>();
    check_members<T, 5>();
}

int main()
{
    check_strides<float>();
    check_strides<double>();
    check_strides<unsigned char>();
    check_strides<short>();
    check_strides<long long>();
    // 24 KB and 96 000 bytes: the first ends where its last page does
    for (int rows : {256, (int)ROWS}) {
        float *m = fresh<float>(rows * COLUMNS), *out = fresh<float>(rows);
        for (int i = 0; i < rows * COLUMNS; i++)
            m[i] = (float)(i * 31 % 101);
        for (int columns : {(int)COLUMNS, COLUMNS - 1, 4, 3}) {
            sum_rows<<<(rows + 95) / 96, 96>>>(m + rows * (COLUMNS - columns), out, rows, columns);
            LAUNCHED();
            for (int i = 0; i < rows; i++) {
                float s = 0;
                for (int k = 0; k < columns; k++)
                    s += m[rows * (COLUMNS - columns) + i * columns + k] * (float)(k + 1);
                EXPECT(out[i] == s);
            }
        }
    }
    float4 *f = fresh<float4>(256);
    int4 *n = fresh<int4>(256);
    double2 *d = fresh<double2>(256);
    int *index = fresh<int>(ROWS);
    float *out = fresh<float>(64 * 20 > ROWS ? 64 * 20 : (int)ROWS);
    for (int i = 0; i < 256; i++) {
        f[i] = make_float4((float)i, (float)(2 * i), (float)(i % 7), (float)(i % 11));
        n[i] = make_int4(i, -i, 3 * i, i % 5);
        d[i] = make_double2(i * 4.0, i * 2.0);
    }
    for (int i = 0; i < ROWS; i++)
        index[i] = i % 10 ? i * 37 % 256 : 255;
    by_index<<<(ROWS + 63) / 64, 64>>>(f, n, d, index, out, ROWS);
    LAUNCHED();
    for (int i = 0; i < ROWS; i++) {
        float4 u = f[index[i]], more = f[index[ROWS - 1 - i]];
        int4 v = n[index[i]];
        double2 w = d[index[i]];
        if (index[i] % 3) {
            u.x += more.w;
            u.z -= more.y;
        }
        float want =
            u.x + 2 * u.y + 3 * u.z + 4 * u.w + (float)(v.x + 2 * v.y + 3 * v.z + 4 * v.w) + (float)(w.x - w.y);
        EXPECT(out[i] == want);
    }

    enum { COUNT = 512 }; // of 48 bytes: six whole pages
    Large *in = fresh<Large>(COUNT), *to = fresh<Large>(COUNT);
    for (int i = 0; i < COUNT; i++)
        in[i] = Large{i + .5f, i + .25f, i * 2.f, i * 3.f, i, i + 1, i + 2, i + 3, i * .125, i * .0625};
    structures<<<COUNT / 128, 128>>>(in, to, COUNT);
    LAUNCHED();
    for (int i = 0; i < COUNT; i++) {
        Large v = in[i], o = in[COUNT - 1 - i];
        Large want = i % 5 == 2 ? o : Large{v.w, v.z, v.y, v.x, v.d, v.c, v.b, v.a, v.q, v.p};
        EXPECT(to[i].x == want.x && to[i].y == want.y && to[i].z == want.z && to[i].w == want.w);
        EXPECT(to[i].a == want.a && to[i].b == want.b && to[i].c == want.c && to[i].d == want.d);
        EXPECT(to[i].p == want.p && to[i].q == want.q);
    }

    float *tile = fresh<float>(64 * 20);
    for (int i = 0; i < 64 * 20; i++)
        tile[i] = (float)i;
    in_shared<<<1, 64>>>(tile, out);
    LAUNCHED();
    for (int t = 0; t < 64; t++)
        for (int k = 0; k < 20; k++) {
            int row = (t * 29 + 5) % 64;
            EXPECT(out[t * 20 + k] == (k >= 8 && k < 12 ? tile[row * 20 + 15 - k] : tile[t * 20 + k]));
        }

    int *over = fresh<int>(2 * ROWS + 2);
    overlapping<<<(ROWS + 127) / 128, 128>>>(over, ROWS);
    LAUNCHED();
    for (int i = 0; i < 2 * ROWS + 2; i++)
        EXPECT(over[i] == 7 * i);
    int *turns = fresh<int>(9 * ROWS);
    by_turns<<<(ROWS + 127) / 128, 128>>>(index, turns, ROWS);
    LAUNCHED();
    for (int i = 0; i < ROWS; i++) {
        int x = index[i], want[9] = {x, x + 1, x + 2, x + 3, x, 4, 3, 2, x};
        for (int k = 0; k < 9; k++)
            EXPECT(turns[9 * i + k] == want[k]);
    }
    return DONE();
}
