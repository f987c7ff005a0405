// SPDX-License-Identifier: Apache-2.0
// Rows of each thread's own in loops whose body is too long for compilers to unroll by much: all lengths around a line of memory, in
// place, onto rows that overlap, through restricted pointers, from places and in steps of many kinds, in blocks of rows, with rows
// a power of two apart. Rows end where the allocation does.
#include "check.h"

enum { ROWS = 75 };

template <class T> __host__ __device__ inline T mixed(T x, T y)
{
#pragma unroll
    for (int i = 0; i < 2; i++) {
        x = x * 5 + (y ^ (x >> 3));
        y = y * 3 + (x ^ (y << 2));
    }
    return x - y;
}

template <class T> __global__ void copy(const T *in, T *out, int rows, int n, int pitch)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < rows)
        for (int k = 0; k < n; k++)
            out[i * pitch + k] = mixed<T>(in[i * pitch + k], (T)k);
}

template <class T> __global__ void restricted(const T *__restrict__ in, T *__restrict__ out, int rows, int n, int pitch)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < rows)
        for (int k = 0; k < n; k++)
            out[i * pitch + k] = mixed<T>(in[i * pitch + k], (T)k);
}

template <class T> __global__ void plain(const T *__restrict__ in, T *__restrict__ out, int rows, int n, int pitch)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < rows)
        for (int k = 0; k < n; k++)
            out[i * pitch + k] = in[i * pitch + k] * 3 + 1;
}

// Three walks, the last one written in place; some threads take no part.
template <class T> __global__ void in_place(T *m, int rows, int n, int pitch)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows || i % 5 == 2)
        return;
    T most = 0, sum = 0;
    for (int k = 0; k < n; k++)
        most = m[i * pitch + k] > most ? m[i * pitch + k] : most;
    for (int k = 0; k < n; k++)
        sum += mixed<T>(m[i * pitch + k], most);
    for (int k = 0; k < n; k++)
        m[i * pitch + k] = mixed<T>(m[i * pitch + k], most) + sum;
}

// From a place that differs from block to block, in steps of two, down to the first, and again and again.
template <class T> __global__ void ways(T *m, int rows, int n, int pitch, int turns)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows)
        return;
    T *row = m + (size_t)i * pitch;
    for (int k = blockIdx.x; k < n; k++)
        row[k] = mixed<T>(row[k], 1);
    for (int k = 0; k < n; k += 2)
        row[k] = mixed<T>(row[k], 2);
    for (int k = n - 1; k >= 0; k--)
        row[k] = mixed<T>(row[k], (T)k);
    for (int t = 0; t < turns; t++)
        for (int k = 0; k < n; k++)
            row[k] = mixed<T>(row[k], (T)t);
}

// Rows as long as their thread's number says, and rows that are left where something is found.
template <class T> __global__ void lengths(T *m, int rows, int n, int pitch)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows)
        return;
    T *row = m + (size_t)i * pitch;
    for (int k = 0; k < i && k < n; k++)
        row[k] = mixed<T>(row[k], (T)k);
    for (int k = 0; k < n; k++) {
        row[k] = mixed<T>(row[k], 7);
        if (row[k] % 64 == 5)
            break;
    }
}

// A block of rows of threads: a row of the matrix for each of them.
template <class T> __global__ void by_rows(T *m, int n, int pitch)
{
    T *row = m + (size_t)(threadIdx.y * blockDim.x + threadIdx.x) * pitch,
      *first = m + (size_t)threadIdx.y * blockDim.x * pitch;
    for (int k = 0; k < n; k++)
        row[k] = mixed<T>(row[k], (T)k);
    __syncthreads();
    T sum = 0;
    for (int k = 0; k < n; k++)
        sum += mixed<T>(first[k], (T)k);
    if (threadIdx.x)
        row[0] += sum;
}

// Memory that ends with its last page.
template <class T> struct Memory {
    T *base, *p;
    std::vector<T> want;
    explicit Memory(size_t n) : want(n)
    {
        size_t bytes = (n * sizeof(T) + 4095) / 4096 * 4096;
        OK(cudaMallocManaged(&base, bytes));
        p = base + bytes / sizeof(T) - n;
        for (size_t i = 0; i < n; i++)
            p[i] = want[i] = (T)(i * 2654435761u % 1009);
    }
    ~Memory()
    {
        cudaFree(base);
    }
    Memory(const Memory &) = delete;
    void check() const
    {
        LAUNCHED();
        int wrong = 0;
        for (size_t i = 0; i < want.size(); i++)
            wrong += p[i] != want[i];
        EXPECT(wrong == 0);
    }
};

#define EACH(rows) <<<((rows) + 63) / 64, 64>>>

template <class T> static void dense(int n, int pitch)
{
    size_t size = (size_t)(ROWS - 1) * pitch + n;
    Memory<T> in(size), out(size), other(size), simple(size), m(size), w(size), l(size);
    copy<T> EACH(ROWS)(in.p, out.p, ROWS, n, pitch);
    restricted<T> EACH(ROWS)(in.p, other.p, ROWS, n, pitch);
    plain<T> EACH(ROWS)(in.p, simple.p, ROWS, n, pitch);
    in_place<T> EACH(ROWS)(m.p, ROWS, n, pitch);
    ways<T> EACH(ROWS)(w.p, ROWS, n, pitch, 2);
    lengths<T> EACH(ROWS)(l.p, ROWS, n, pitch);
    for (int i = 0; i < ROWS; i++) {
        size_t at = (size_t)i * pitch;
        T most = 0, sum = 0;
        for (int k = 0; k < n; k++) {
            out.want[at + k] = other.want[at + k] = mixed<T>(in.want[at + k], (T)k);
            simple.want[at + k] = in.want[at + k] * 3 + 1;
            most = m.want[at + k] > most ? m.want[at + k] : most;
        }
        for (int k = 0; k < n; k++)
            sum += mixed<T>(m.want[at + k], most);
        for (int k = 0; k < n && i % 5 != 2; k++)
            m.want[at + k] = mixed<T>(m.want[at + k], most) + sum;
        for (int k = 0; k < n; k++) {
            T x = w.want[at + k];
            x = k >= i / 64 ? mixed<T>(x, 1) : x;
            x = k % 2 ? x : mixed<T>(x, 2);
            w.want[at + k] = mixed<T>(mixed<T>(mixed<T>(x, (T)k), 0), 1);
        }
        for (int k = 0; k < n && k < i; k++)
            l.want[at + k] = mixed<T>(l.want[at + k], (T)k);
        for (int k = 0; k < n; k++) {
            l.want[at + k] = mixed<T>(l.want[at + k], 7);
            if (l.want[at + k] % 64 == 5)
                break;
        }
    }
    in.check(), out.check(), other.check(), simple.check(), m.check(), w.check(), l.check();
}

// What is written lies before or behind what is read, by less than a row.
template <class T> static void overlapping(int n, int distance)
{
    int pitch = n + 40;
    Memory<T> m((size_t)(ROWS + 1) * pitch);
    copy<T> EACH(ROWS)(m.p + 20, m.p + 20 + distance, ROWS, n, pitch);
    for (int i = 0; i < ROWS; i++)
        for (int k = 0; k < n; k++)
            m.want[i * pitch + 20 + distance + k] = mixed<T>(m.want[i * pitch + 20 + k], (T)k);
    m.check();
}

template <class T> static void block(int x, int y, int n)
{
    Memory<T> m((size_t)x * y * n);
    by_rows<T><<<1, dim3(x, y)>>>(m.p, n, n);
    for (int i = 0; i < x * y; i++)
        for (int k = 0; k < n; k++)
            m.want[i * n + k] = mixed<T>(m.want[i * n + k], (T)k);
    std::vector<T> first(y);
    for (int i = 0; i < y; i++)
        for (int k = 0; k < n; k++)
            first[i] += mixed<T>(m.want[(size_t)i * x * n + k], (T)k);
    for (int i = 0; i < x * y; i++)
        m.want[i * n] += i % x ? first[i / x] : 0;
    m.check();
}

template <class T> static void all()
{
    for (int n : {1, 2, 7, 15, 16, 17, 31, 33, 64, 100})
        dense<T>(n, n);
    dense<T>(0, 3);
    dense<T>(40, 64);
    dense<T>(130, 1024);
    for (int distance : {-17, -16, -8, -3, -1, 0, 1, 2, 8, 15, 16, 17})
        overlapping<T>(50, distance);
    block<T>(8, 8, 37);
    block<T>(40, 3, 20);
}

int main()
{
    all<unsigned>();
    all<unsigned long long>();
    return DONE();
}
