// SPDX-License-Identifier: Apache-2.0
// Loops that walk through memory in large steps, which the gangs of a block go through turn by turn: threads that leave
// early, late or never enter, sums and masks that live across turns, blocks that are no multiple of a gang, barriers
// around, loops one behind the other and in one another, walks through lists that name other places, and results that other
// threads' turns must not disturb.
#include "check.h"

__device__ __host__ static inline unsigned mix(unsigned x)
{
    x ^= x >> 15;
    x *= 0x2c1b3c6du;
    x ^= x >> 12;
    return x * 0x297a2d39u;
}

__global__ void grid_stride(const unsigned *in, unsigned *out, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        out[i] = mix(in[i]) + i;
}

__global__ void sums(const unsigned *in, unsigned *out, int n)
{
    int me = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned sum = 0, odd = 0;
    for (int i = me; i < n; i += gridDim.x * blockDim.x) {
        unsigned x = in[i];
        sum += x;
        if (x & 1)
            odd++;
    }
    out[2 * me] = sum;
    out[2 * me + 1] = odd;
}

// Threads at the edges have nothing to do, the others the same number of planes.
__global__ void planes(const float *in, float *out, int n, int depth)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || x >= n - 1 || y < 1 || y >= n - 1)
        return;
    int i = y * n + x;
    for (int z = 1; z < depth - 1; z++) {
        i += n * n;
        out[i] = in[i] + 2 * in[i - 1] + 3 * in[i + 1] + 4 * in[i - n] + 5 * in[i + n] + 6 * in[i - n * n] +
                 7 * in[i + n * n];
    }
}

// Each thread leaves where its own column says so.
__global__ void until(const unsigned *in, unsigned *out, int columns, int rows)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x, r = 0;
    unsigned sum = 0;
    if (c >= columns)
        return;
    while (r < rows && in[r * columns + c] % 16 != 3) {
        sum = sum * 5 + in[r * columns + c];
        r++;
    }
    out[2 * c] = (unsigned)r;
    out[2 * c + 1] = sum;
}

// A barrier before, between and behind, shared memory and its atomics within.
__global__ void counted(const unsigned *in, unsigned *out, int n)
{
    __shared__ unsigned bins[64], turns;
    if (threadIdx.x < 64)
        bins[threadIdx.x] = 0;
    if (threadIdx.x == 0)
        turns = 0;
    __syncthreads();
    unsigned mine = 0;
    for (int i = threadIdx.x; i < n; i += 4 * blockDim.x) {
        atomicAdd(&bins[in[i] & 63], 1);
        mine++;
    }
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += 8 * blockDim.x)
        atomicMax(&bins[in[i] & 63], i & 255);
    atomicAdd(&turns, mine);
    __syncthreads();
    if (threadIdx.x < 64)
        out[threadIdx.x] = bins[threadIdx.x];
    if (threadIdx.x == 64)
        out[64] = turns;
}

// A loop in a loop: the inner one begins anew for each row, with what the outer one carries.
__global__ void nested(const unsigned *in, unsigned *out, int columns, int rows, int rounds)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned all = c;
    if (c >= columns)
        return;
    for (int k = 0; k < rounds; k++) {
        unsigned sum = 1;
        for (int r = k; r < rows; r++)
            sum = sum * 3 + in[r * columns + c];
        if (sum & 1)
            all ^= sum;
        else
            all += k;
    }
    for (int r = rows - 1; r >= 0; r--)
        all = all * 7 + in[r * columns + c];
    out[c] = all;
}

// What a thread wrote on a turn it reads on the next.
__global__ void running(unsigned *io, int columns, int rows)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c < columns)
        for (int r = 1; r < rows; r++)
            io[r * columns + c] += io[(r - 1) * columns + c];
}

// double and 64-bit values, an address of its own for each row of a block
__global__ void wide(const double *in, double *out, long long pitch, int rows)
{
    int x = threadIdx.x, y = threadIdx.y;
    double sum = 0;
    long long at = y * 1000 + x;
    for (int r = 0; r < rows; r++, at += pitch)
        sum += in[at] * (r + 1);
    out[y * blockDim.x + x] = sum;
}

// Two loops, of which the second goes on with what the first one ends with; the last index of the first is used behind both.
__global__ void two_loops(const unsigned *in, unsigned *out, int n, int m)
{
    unsigned sum = 0, turns = 0, step = gridDim.x * blockDim.x, t = blockIdx.x * blockDim.x + threadIdx.x, i, last = 0;
    for (i = t; i < n; i += step) {
        sum += in[i];
        last = i;
    }
    for (unsigned k = t; k < m; k += step, turns++)
        sum = sum * 3 + in[k];
    out[t] = sum + 7 * i + 11 * last + 13 * turns;
}

typedef std::vector<unsigned> Numbers;

static Numbers random_numbers(size_t n)
{
    Numbers v(n);
    for (size_t i = 0; i < n; i++)
        v[i] = mix((unsigned)i + 12345);
    return v;
}

static void test_grid(int n, int blocks, int threads)
{
    Numbers in = random_numbers((size_t)n), sum(2 * (size_t)(blocks * threads)), want((size_t)n);
    Buffer<unsigned> a(in), b((size_t)n), c(sum.size());
    grid_stride<<<blocks, threads>>>(a, b, n);
    sums<<<blocks, threads>>>(a, c, n);
    LAUNCHED();
    for (int i = 0; i < n; i++) {
        int t = i % (blocks * threads);
        want[(size_t)i] = mix(in[(size_t)i]) + (unsigned)i;
        sum[2 * (size_t)t] += in[(size_t)i];
        sum[2 * (size_t)t + 1] += in[(size_t)i] & 1;
    }
    EXPECT(b.get() == want);
    EXPECT(c.get() == sum);
}

static void test_planes(int n, int depth, dim3 block)
{
    std::vector<float> in((size_t)(n * n * depth)), want(in.size(), -1);
    for (size_t i = 0; i < in.size(); i++)
        in[i] = (float)(mix((unsigned)i) % 1000);
    Buffer<float> a(in), b(want);
    planes<<<dim3((n + block.x - 1) / block.x, (n + block.y - 1) / block.y), block>>>(a, b, n, depth);
    LAUNCHED();
    for (int z = 1; z < depth - 1; z++)
        for (int y = 1; y < n - 1; y++)
            for (int x = 1; x < n - 1; x++) {
                const float *q = &in[(size_t)((z * n + y) * n + x)];
                want[(size_t)((z * n + y) * n + x)] =
                    q[0] + 2 * q[-1] + 3 * q[1] + 4 * q[-n] + 5 * q[n] + 6 * q[-n * n] + 7 * q[n * n];
            }
    EXPECT(b.get() == want);
}

static void test_columns(int columns, int rows, int threads)
{
    Numbers in = random_numbers((size_t)(columns * rows)), left(2 * (size_t)columns), deep((size_t)columns), add = in;
    int blocks = (columns + threads - 1) / threads, rounds = 3;
    Buffer<unsigned> a(in), b(left.size()), c(deep.size()), d(in);
    until<<<blocks, threads>>>(a, b, columns, rows);
    nested<<<blocks, threads>>>(a, c, columns, rows, rounds);
    running<<<blocks, threads>>>(d, columns, rows);
    LAUNCHED();
    for (int k = 0; k < columns; k++) {
        unsigned r = 0, sum = 0, all = (unsigned)k;
        for (; r < (unsigned)rows && in[r * (unsigned)columns + (unsigned)k] % 16 != 3; r++)
            sum = sum * 5 + in[r * (unsigned)columns + (unsigned)k];
        left[2 * (size_t)k] = r;
        left[2 * (size_t)k + 1] = sum;
        for (int t = 0; t < rounds; t++) {
            unsigned s = 1;
            for (int i = t; i < rows; i++)
                s = s * 3 + in[(size_t)(i * columns + k)];
            if (s & 1)
                all ^= s;
            else
                all += (unsigned)t;
        }
        for (int i = rows - 1; i >= 0; i--)
            all = all * 7 + in[(size_t)(i * columns + k)];
        deep[(size_t)k] = all;
        for (int i = 1; i < rows; i++)
            add[(size_t)(i * columns + k)] += add[(size_t)((i - 1) * columns + k)];
    }
    EXPECT(b.get() == left);
    EXPECT(c.get() == deep);
    EXPECT(d.get() == add);
}

static void test_counted(int n, int threads)
{
    Numbers in = random_numbers((size_t)n), bins(65);
    Buffer<unsigned> a(in), b(bins.size());
    counted<<<1, threads>>>(a, b, n);
    LAUNCHED();
    for (int i = 0; i < n; i++)
        if (i / threads % 4 == 0) {
            bins[in[(size_t)i] & 63]++;
            bins[64]++;
        }
    for (int i = 0; i < n; i++)
        if (i / threads % 8 == 0 && bins[in[(size_t)i] & 63] < (unsigned)(i & 255))
            bins[in[(size_t)i] & 63] = (unsigned)(i & 255);
    EXPECT(b.get() == bins);
}

// Little memory, which gangs go through one after the other, and much, which they go through together.
static void test_two_loops(int n, int m, int blocks, int threads)
{
    int most = n > m ? n : m;
    Numbers in = random_numbers(most), want(blocks * threads);
    Buffer<unsigned> a(in), b(want.size());
    two_loops<<<blocks, threads>>>(a, b, n, m);
    LAUNCHED();
    for (unsigned t = 0; t < want.size(); t++) {
        unsigned sum = 0, i = t, last = 0, turns = 0;
        for (; i < (unsigned)n; i += want.size()) {
            sum += in[i];
            last = i;
        }
        for (unsigned k = t; k < (unsigned)m; k += want.size(), turns++)
            sum = sum * 3 + in[k];
        want[t] = sum + 7 * i + 11 * last + 13 * turns;
    }
    EXPECT(b.get() == want);
}

static void test_wide(int rows)
{
    dim3 block(16, 8);
    long long pitch = 9001;
    std::vector<double> in((size_t)(pitch * rows + 9000)), want(128);
    for (size_t i = 0; i < in.size(); i++)
        in[i] = mix((unsigned)i) % 4096;
    Buffer<double> a(in), b(want.size());
    wide<<<1, block>>>(a, b, pitch, rows);
    LAUNCHED();
    for (unsigned t = 0; t < 128; t++)
        for (int r = 0; r < rows; r++)
            want[t] += in[(size_t)(t / 16 * 1000 + t % 16 + r * pitch)] * (r + 1);
    EXPECT(b.get() == want);
}

struct Point {
    double x, y, z, w;
};

// A list that all threads go through side by side names what each of them reads.
__global__ void by_list(const Point *p, const int *list, Point *out, int n, int turns)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Point me = p[i], sum = {0, 0, 0, 0};
    for (int k = 0; k < turns; k++) {
        Point other = p[list[k * n + i]];
        double d = me.x - other.x;
        if (d > 0 && d < 500) {
            sum.x += d;
            sum.y += me.y * other.y;
            sum.z += other.z;
        }
        sum.w += other.w - me.z;
    }
    out[i] = sum;
}

// The same until the list of a thread ends, and the values are in another list.
__global__ void to_the_end(const float *x, const int *list, const float *value, float *out, int n, int turns)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    if (i >= n)
        return;
    for (int k = 0; k < turns && list[k * n + i] >= 0; k++)
        sum += value[k * n + i] * x[list[k * n + i]];
    out[i] = sum;
}

static void test_lists(int n, int turns, int block)
{
    std::vector<Point> p(n), want(n, Point{0, 0, 0, 0});
    std::vector<int> list((size_t)n * turns), ends((size_t)n * turns);
    std::vector<float> x(n), value((size_t)n * turns), sums(n);
    for (int i = 0; i < n; i++) {
        unsigned r = mix(i);
        p[i] = Point{(double)(r % 1009), (double)(r / 7 % 11), (double)(r / 9 % 101), (double)(r / 3 % 13)};
        x[i] = (float)(r % 8);
    }
    for (int i = 0; i < n * turns; i++) {
        list[i] = (int)(mix(i + 5) % (unsigned)n);
        ends[i] = mix(i + 9) % 32 ? list[i] : -1;
        value[i] = (float)(i % 5);
    }
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < turns; k++) {
            const Point &other = p[list[k * n + i]];
            double d = p[i].x - other.x;
            if (d > 0 && d < 500) {
                want[i].x += d;
                want[i].y += p[i].y * other.y;
                want[i].z += other.z;
            }
            want[i].w += other.w - p[i].z;
        }
        for (int k = 0; k < turns && ends[k * n + i] >= 0; k++)
            sums[i] += value[k * n + i] * x[ends[k * n + i]];
    }
    Buffer<Point> points(p), out(n);
    Buffer<int> named(list), ending(ends);
    Buffer<float> xs(x), values(value), results(n);
    by_list<<<(n + block - 1) / block, block>>>(points, named, out, n, turns);
    to_the_end<<<(n + block - 1) / block, block>>>(xs, ending, values, results, n, turns);
    LAUNCHED();
    std::vector<Point> got = out.get();
    int wrong = 0;
    for (int i = 0; i < n; i++)
        wrong += got[i].x != want[i].x || got[i].y != want[i].y || got[i].z != want[i].z || got[i].w != want[i].w;
    EXPECT(wrong == 0);
    EXPECT(results.get() == sums);
}

int main()
{
    test_two_loops(700000, 20000, 8, 256);
    test_two_loops(20000, 700001, 8, 256);
    test_two_loops(600011, 700001, 7, 160);
    test_two_loops(3000, 5000, 9, 128);
    test_grid(100000, 8, 256);
    test_grid(400000, 8, 256);
    test_grid(100001, 7, 200); // the last gang of a block is a part of one
    test_grid(300, 2, 256);    // some threads have one turn, some none
    test_grid(5, 1, 128);
    test_planes(64, 9, dim3(32, 8));
    test_planes(50, 6, dim3(16, 16)); // blocks that reach beyond the edge
    test_planes(40, 3, dim3(24, 10)); // rows that are no multiple of a gang
    test_columns(1024, 40, 256);
    test_columns(1000, 33, 192);
    test_columns(300, 1, 100);
    test_counted(40000, 256);
    test_counted(7777, 160);
    test_wide(50);
    test_lists(3072, 40, 256);
    test_lists(1001, 17, 160);
    test_lists(100, 3, 64);
    return DONE();
}
