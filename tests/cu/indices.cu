// SPDX-License-Identifier: Apache-2.0
// What the JIT finds out about indices: numbers of threads beyond 2^31, gathers and scatters by 32-bit indices with
// signs and scales, pointers that run through loops; and minima of every kind of NaN.
#include "check.h"

// The number of a thread wraps around in a grid as large as this: divisions then differ between the lanes of a warp.
__global__ void far(int *out, unsigned first)
{
    if (blockIdx.x < first)
        return;
    int i = blockIdx.x * blockDim.x + threadIdx.x, k = (blockIdx.x - first) * blockDim.x + threadIdx.x;
    out[2 * k] = i / 32;
    out[2 * k + 1] = i % 32;
}

static void far_threads()
{
    const unsigned block = 1024, first = (1u << 31) / block, blocks = 2;
    Buffer<int> out(2 * block * blocks);
    far<<<first + blocks, block>>>(out, first);
    LAUNCHED();
    auto h = out.get();
    for (unsigned k = 0; k < block * blocks; k++) {
        int i = (int)(first * block + k);
        EXPECT(h[2 * k] == i / 32);
        EXPECT(h[2 * k + 1] == i % 32);
    }
}

template <class T> __global__ void gather(const T *in, const int *index, T *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[i] = in[index[i]];                              // signs
        out[n + index[n + i]] = in[(unsigned)index[n + i]]; // a scatter; no sign
        __shared__ T s[256];
        s[threadIdx.x * 37 % 256] = out[i];
        __syncthreads();
        out[2 * n + i] = s[(threadIdx.x * 37 + 74) % 256];
    }
}

template <class T> static void gathers()
{
    const int n = 1024, low = 300;
    std::vector<T> in(n + low);
    std::vector<int> index(2 * n);
    for (int i = 0; i < n + low; i++)
        in[i] = (T)(i * 3 + 1);
    for (int i = 0; i < n; i++) {
        index[i] = (i * 7919) % n - (i % 3 ? low : 0);
        index[n + i] = (i * 331) % n;
    }
    Buffer<T> d(in), out(3 * n);
    Buffer<int> x(index);
    gather<T><<<n / 256, 256>>>(d.p + low, x, out, n);
    LAUNCHED();
    auto h = out.get();
    for (int i = 0; i < n; i++) {
        EXPECT(h[i] == in[low + index[i]]);
        EXPECT(h[n + index[n + i]] == in[low + index[n + i]]);
        EXPECT(h[2 * n + i] == h[i / 256 * 256 + (i + 2) % 256]);
    }
}

// Rows of any length; the pointers run.
__global__ void rows(const float *value, const int *first, float *out, int n)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= n)
        return;
    float sum = 0;
    for (int k = first[row] + lane; k < first[row + 1]; k += 32)
        sum += value[k];
    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, d);
    if (lane == 0)
        out[row] = sum;
}

static void row_sums()
{
    const int n = 100;
    std::vector<int> first(n + 1);
    std::vector<float> value;
    for (int r = 0; r < n; r++) {
        for (int k = 0; k < r * 13 % 97; k++)
            value.push_back((float)(r + k));
        first[r + 1] = (int)value.size();
    }
    Buffer<float> v(value), out(n);
    Buffer<int> f(first);
    rows<<<(n + 7) / 8, 256>>>(v, f, out, n);
    LAUNCHED();
    auto h = out.get();
    for (int r = 0; r < n; r++) {
        float sum = 0;
        for (int k = first[r]; k < first[r + 1]; k++)
            sum += value[k];
        EXPECT(h[r] == sum);
    }
}

template <class T> __global__ void extremes(const T *in, T *out, int n)
{
    int i = threadIdx.x;
    for (int k = 0; k < n; k++) {
        out[2 * (i * n + k)] = fmin(in[i], in[k]);
        out[2 * (i * n + k) + 1] = fmax(in[i], in[k]);
    }
}

// -0 is below +0; one NaN, of whichever kind, gives the other operand; two give a NaN.
template <class T> static void all_extremes(const std::vector<T> &in)
{
    int n = (int)in.size();
    Buffer<T> d(in), out(2 * n * n);
    extremes<T><<<1, n>>>(d, out, n);
    LAUNCHED();
    auto h = out.get();
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) {
            T a = in[i], b = in[k], lo = h[2 * (i * n + k)], hi = h[2 * (i * n + k) + 1];
            if (std::isnan(a) && std::isnan(b)) {
                EXPECT(std::isnan(lo) && std::isnan(hi));
                continue;
            }
            bool a_first = std::isnan(b) || (!std::isnan(a) && (a < b || (a == b && std::signbit(a))));
            bool a_last = std::isnan(b) || (!std::isnan(a) && (a > b || (a == b && !std::signbit(a))));
            T least = a_first ? a : b, most = a_last ? a : b;
            EXPECT(!std::memcmp(&lo, &least, sizeof lo));
            EXPECT(!std::memcmp(&hi, &most, sizeof hi));
        }
}

template <class T, class B> static T from_bits(B bits)
{
    T x;
    std::memcpy(&x, &bits, sizeof x);
    return x;
}

int main()
{
    far_threads();
    gathers<float>();
    gathers<int>();
    gathers<double>();
    gathers<short>();
    row_sums();
    all_extremes<float>({0.0f, -0.0f, 1.0f, -1.0f, INFINITY, -INFINITY, 1e-40f, -1e-40f, NAN,
                         from_bits<float>(0xffc00001u), from_bits<float>(0x7fa00000u), from_bits<float>(0xff800001u)});
    all_extremes<double>({0.0, -0.0, 1.0, -1.0, INFINITY, -INFINITY, 1e-310, -1e-310, NAN,
                          from_bits<double>(0x7ff4000000000000ull), from_bits<double>(0xfff0000000000001ull)});
    return DONE();
}
