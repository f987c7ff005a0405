// SPDX-License-Identifier: Apache-2.0
// Each thread walks through a row of its own: sums, sums in place, copies onto a row that overlaps, rows of different lengths,
// loops that end early. Rows end where the allocation does, so that whoever reads on is found out.
#include "check.h"
#include <vector>

enum { ROWS = 75 };

template <class T> __global__ void dot(const T *m, const T *x, T *out, int rows, int n, int pitch)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows)
        return;
    T s = 0;
    for (int k = 0; k < n; k++)
        s += m[i * pitch + k] * x[k];
    out[i] = s;
}

template <class T> __global__ void scale(T *m, int rows, int n, int pitch)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows || i % 7 == 3)
        return;
    T s = 0;
    for (int k = 0; k < n; k++)
        s += m[i * pitch + k];
    for (int k = 0; k < n; k++)
        m[i * pitch + k] = m[i * pitch + k] * 2 + s;
}

// What one turn stores the next ones read, at a distance.
template <class T> __global__ void onto_itself(T *m, int rows, int n, int pitch, int distance)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < rows)
        for (int k = 0; k < n; k++)
            m[i * pitch + k + distance] += m[i * pitch + k] + k;
}

template <class T, int DISTANCE> __global__ void onto_itself_by(T *m, int rows, int n, int pitch)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < rows)
        for (int k = 0; k < n; k++)
            m[i * pitch + k + DISTANCE] += m[i * pitch + k] + k;
}

// The same through two pointers.
template <class T> __global__ void copy(const T *from, T *to, int rows, int n, int pitch)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < rows)
        for (int k = 0; k < n; k++)
            to[i * pitch + k] = from[i * pitch + k] + k;
}

template <class T> __global__ void add_vector(T *m, const T *x, int rows, int n, int pitch)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < rows)
        for (int k = 0; k < n; k++)
            m[i * pitch + k] += x[k];
}

// Two rows are read and two written by turns.
template <class T>
__global__ void sums(const T *a, const T *b, const T *x, T *sum, T *difference, int rows, int n, int pitch)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < rows)
        for (int k = 0; k < n; k++) {
            sum[i * pitch + k] = a[i * pitch + k] + b[i * pitch + k] * x[k];
            difference[i * pitch + k] = a[i * pitch + k] - b[i * pitch + k];
        }
}

struct Record {
    int s[16];
};

// Whole records, again and again.
__global__ void add_records(Record *to, const Record *from, int n, int turns)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        for (int t = 0; t < turns; t++)
#pragma unroll
            for (int k = 0; k < 16; k++)
                to[i].s[k] += from[i].s[k] + k;
}

// Rows that an index names, every second thread, until something negative comes.
template <class T> __global__ void until(const T *m, const int *index, T *out, int rows, int n, int pitch)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows || i % 2)
        return;
    const T *row = m + (size_t)index[i] * pitch;
    T s = 0;
    for (int k = 0; k < n && row[k] >= 0; k++)
        s += row[k];
    out[i] = s;
}

template <class T>
__global__ void sparse(const int *start, const int *column, const T *value, const T *x, T *y, int rows)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows)
        return;
    T s = 0;
    for (int k = start[i]; k < start[i + 1]; k++)
        s += value[k] * x[column[k]];
    y[i] = s;
}

template <class T> __global__ void greatest(const T *m, int *out, int rows, int n, int pitch)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows)
        return;
    int at = 0;
    for (int k = 1; k < n; k++)
        if (m[i * pitch + k] > m[i * pitch + at])
            at = k;
    out[i] = at;
}

// Memory that ends with its last page.
template <class T> struct Memory {
    T *base, *p;
    explicit Memory(size_t n)
    {
        size_t bytes = (n * sizeof(T) + 4095) / 4096 * 4096;
        OK(cudaMallocManaged(&base, bytes));
        p = base + bytes / sizeof(T) - n;
    }
    ~Memory()
    {
        cudaFree(base);
    }
    Memory(const Memory &) = delete;
};

#define EACH(rows) <<<((rows) + 63) / 64, 64>>>

template <class T> static std::vector<T> fill(T *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        p[i] = (T)(int)(i * 37 % 23) - 3;
    return std::vector<T>(p, p + n);
}

template <class T> static void same(const T *p, const std::vector<T> &want)
{
    int wrong = 0;
    for (size_t i = 0; i < want.size(); i++)
        wrong += p[i] != want[i];
    EXPECT(wrong == 0);
}

template <class T> static void dense(int n, int pitch)
{
    size_t size = (size_t)(ROWS - 1) * pitch + n;
    Memory<T> m(size), x(n), out(ROWS), other(size);
    Memory<int> at(ROWS), index(ROWS);
    std::vector<T> a = fill(m.p, size), xs = fill(x.p, n), sums(ROWS), b;
    dot<T> EACH(ROWS)(m.p, x.p, out.p, ROWS, n, pitch);
    greatest<T> EACH(ROWS)(m.p, at.p, ROWS, n, pitch);
    LAUNCHED();
    for (int i = 0; i < ROWS; i++) {
        int best = 0;
        for (int k = 0; k < n; k++) {
            sums[i] += a[(size_t)i * pitch + k] * xs[k];
            best = a[(size_t)i * pitch + k] > a[(size_t)i * pitch + best] ? k : best;
        }
        EXPECT(at.p[i] == best);
    }
    same(out.p, sums);
    for (int i = 0; i < ROWS; i++)
        index.p[i] = i * 31 % ROWS;
    fill(out.p, ROWS);
    until<T> EACH(ROWS)(m.p, index.p, out.p, ROWS, n, pitch);
    LAUNCHED();
    for (int i = 0; i < ROWS; i += 2) {
        T s = 0;
        for (int k = 0; k < n && a[(size_t)(i * 31 % ROWS) * pitch + k] >= 0; k++)
            s += a[(size_t)(i * 31 % ROWS) * pitch + k];
        EXPECT(out.p[i] == s);
    }
    b = fill(other.p, size);
    copy<T> EACH(ROWS)(m.p, other.p, ROWS, n, pitch);
    scale<T> EACH(ROWS)(m.p, ROWS, n, pitch);
    add_vector<T> EACH(ROWS)(m.p, x.p, ROWS, n, pitch);
    LAUNCHED();
    for (int i = 0; i < ROWS; i++) {
        T *row = &a[(size_t)i * pitch], s = 0;
        for (int k = 0; k < n; k++) {
            b[(size_t)i * pitch + k] = row[k] + k;
            s += row[k];
        }
        for (int k = 0; k < n; k++)
            row[k] = (i % 7 == 3 ? row[k] : row[k] * 2 + s) + xs[k];
    }
    same(other.p, b);
    same(m.p, a);
}

template <class T> static void shifted(int n, int distance)
{
    int pitch = n + 20;
    size_t size = (size_t)ROWS * pitch + 20;
    Memory<T> m(size);
    std::vector<T> a = fill(m.p, size), b = a;
    onto_itself<T> EACH(ROWS)(m.p, ROWS, n, pitch, distance);
    LAUNCHED();
    for (int i = 0; i < ROWS; i++)
        for (int k = 0; k < n; k++)
            a[i * pitch + k + distance] += a[i * pitch + k] + k;
    same(m.p, a);
    for (int to : {distance, -distance}) {
        std::copy(b.begin(), b.end(), m.p);
        a = b;
        copy<T> EACH(ROWS - 1)(m.p + pitch, m.p + pitch + to, ROWS - 1, n, pitch);
        LAUNCHED();
        for (int i = 1; i < ROWS; i++)
            for (int k = 0; k < n; k++)
                a[i * pitch + to + k] = a[i * pitch + k] + k;
        same(m.p, a);
    }
}

// The rows that are read and those that are written at a distance from each other, 0 and overlapping ones too.
template <class T> static void two_and_two(int n, int distance)
{
    int pitch = 3 * n + 60;
    size_t size = (size_t)ROWS * pitch;
    Memory<T> m(size), x(n);
    std::vector<T> a = fill(m.p, size), xs(n);
    for (int k = 0; k < n; k++) // products are exact, whether they are rounded or not
        xs[k] = x.p[k] = (T)(k % 3 - 1);
    int place[] = {0, distance, n + 20, n + 20 + distance};
    sums<T> EACH(ROWS)(m.p + place[0], m.p + place[1], x.p, m.p + place[2], m.p + place[3], ROWS, n, pitch);
    sums<T> EACH(ROWS)(m.p + place[0], m.p + place[2], x.p, m.p + place[1], m.p + place[3], ROWS, n, pitch);
    LAUNCHED();
    for (int turn = 0; turn < 2; turn++)
        for (int i = 0; i < ROWS; i++)
            for (int k = 0; k < n; k++) {
                T *row = &a[(size_t)i * pitch + k];
                T *u = row, *v = row + place[turn ? 2 : 1], *to = row + place[turn ? 1 : 2], *other = row + place[3];
                *to = *u + *v * xs[k];
                *other = *u - *v;
            }
    same(m.p, a);
}

static void records(int distance)
{
    enum { TURNS = 3 };
    Memory<int> m(16 * ROWS * 2 + 64);
    std::vector<int> a = fill(m.p, 16 * ROWS * 2 + 64);
    int count = distance ? 1 : ROWS, away = distance ? distance : 16 * ROWS;
    add_records EACH(count)((Record *)(m.p + away), (Record *)m.p, count, TURNS);
    LAUNCHED();
    for (int t = 0; t < TURNS; t++)
        for (int i = 0; i < count; i++)
            for (int k = 0; k < 16; k++)
                a[away + 16 * i + k] += a[16 * i + k] + k;
    same(m.p, a);
}

template <class T, int DISTANCE> static void shifted_by(int n)
{
    int pitch = n + 20;
    size_t size = (size_t)ROWS * pitch;
    Memory<T> m(size);
    std::vector<T> a = fill(m.p, size);
    onto_itself_by<T, DISTANCE> EACH(ROWS)(m.p, ROWS, n, pitch);
    LAUNCHED();
    for (int i = 0; i < ROWS; i++)
        for (int k = 0; k < n; k++)
            a[i * pitch + k + DISTANCE] += a[i * pitch + k] + k;
    same(m.p, a);
}

// A vector that is added to all rows and is a piece of the first one: thread 0 alone, as others would race.
template <class T> static void own_vector(int n, int distance)
{
    Memory<T> m(n + 20);
    std::vector<T> a = fill(m.p, n + 20);
    add_vector<T> EACH(1)(m.p + distance, m.p, 1, n, 0);
    LAUNCHED();
    for (int k = 0; k < n; k++)
        a[k + distance] += a[k];
    same(m.p, a);
}

template <class T> static void lists(int low, int high)
{
    std::vector<int> start(1, 0);
    for (int i = 0; i < ROWS; i++)
        start.push_back(start.back() + low + i * 7919 % 101 % (high - low + 1));
    int n = start.back();
    Memory<int> s(ROWS + 1), column(n);
    Memory<T> value(n), x(50), y(ROWS);
    std::vector<T> v = fill(value.p, n), xs = fill(x.p, 50), want(ROWS);
    std::copy(start.begin(), start.end(), s.p);
    for (int i = 0; i < n; i++)
        column.p[i] = i * 31 % 50;
    sparse<T> EACH(ROWS)(s.p, column.p, value.p, x.p, y.p, ROWS);
    LAUNCHED();
    for (int i = 0; i < ROWS; i++)
        for (int k = start[i]; k < start[i + 1]; k++)
            want[i] += v[k] * xs[k * 31 % 50];
    same(y.p, want);
}

template <class T> static void all()
{
    for (int n : {1, 3, 4, 7, 8, 16, 25, 64}) {
        dense<T>(n, n);
        dense<T>(n, n + 5);
    }

    for (int distance : {0, 1, 3, 4, 7, 9, 16})
        for (int n : {8, 37})
            shifted<T>(n, distance), own_vector<T>(n, distance), two_and_two<T>(n, distance);
    shifted_by<T, 0>(37);
    shifted_by<T, 1>(37);
    shifted_by<T, 2>(37);
    shifted_by<T, 5>(37);
    shifted_by<T, 8>(37);
    lists<T>(0, 15);
    lists<T>(5, 5);
    lists<T>(0, 1);
    lists<T>(30, 90);
}

int main()
{
    all<float>();
    all<double>();
    all<int>();
    for (int distance : {0, 1, 5, 15, 16, 40})
        records(distance);
    return DONE();
}
