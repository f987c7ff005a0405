// SPDX-License-Identifier: Apache-2.0
// The intrinsics that name their rounding (__fadd_rz, __fma_ru, __drcp_rd ...) against the host's arithmetic in that
// rounding mode, bit by bit: random bits, numbers close to each other, and corner cases.
#include "check.h"
#include <cfenv>

enum { COUNT = 4096, OPERATIONS = 7, MODES = 4 };

#define OPERATIONS_OF(p, fma)                                                                                          \
    O(p##add, x, y) O(p##sub, x, y) O(p##mul, x, y) O(p##div, x, y) O(p##rcp, x) O(p##sqrt, x) O(fma, x, y, z)
template <class T> struct Input {
    T x, y, z;
};
#define O(f, ...)                                                                                                      \
    to[at++] = f##_rn(__VA_ARGS__), to[at++] = f##_rz(__VA_ARGS__), to[at++] = f##_ru(__VA_ARGS__),                    \
    to[at++] = f##_rd(__VA_ARGS__);
static __device__ void all(float x, float y, float z, float *to)
{
    int at = 0;
    OPERATIONS_OF(__f, __fmaf)
}
static __device__ void all(double x, double y, double z, double *to)
{
    int at = 0;
    OPERATIONS_OF(__d, __fma)
}
#undef O
template <class T> __global__ void run(const Input<T> *in, T *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    T r[OPERATIONS * MODES];
    all(in[i].x, in[i].y, in[i].z, r);
    for (int k = 0; k < OPERATIONS * MODES; k++)
        out[i * OPERATIONS * MODES + k] = r[k];
}

template <class T> static T host(int operation, volatile T x, volatile T y, volatile T z)
{
    volatile T one = 1, r;
    switch (operation) {
    case 0:
        r = x + y;
        break;
    case 1:
        r = x - y;
        break;
    case 2:
        r = x * y;
        break;
    case 3:
        r = x / y;
        break;
    case 4:
        r = one / x;
        break;
    case 5:
        r = std::sqrt((T)x);
        break;
    default:
        r = std::fma((T)x, (T)y, (T)z);
        break;
    }
    return r;
}
template <class T, class Bits> static void check(int exponent_bits, const char *kind)
{
    const T corners[] = {0, -(T)0, 1, -1, (T)INFINITY, -(T)INFINITY, (T)NAN, (T)1.5, (T)3, (T)1e-30, (T)1e30};
    std::vector<Input<T>> in;
    for (T x : corners)
        for (T y : corners)
            in.push_back({x, y, x});
    unsigned long long state = 88172645463325252ull;
    auto random = [&] {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        Bits b = (Bits)(state >> (64 - 8 * sizeof(T)));
        return b;
    };
    while (in.size() < COUNT) {
        Bits v[3];
        for (Bits &b : v) {
            b = random();
            if (in.size() % 2) { // close to 1
                int fraction = (int)(8 * sizeof(T)) - 1 - exponent_bits;
                Bits exponent = ((Bits)1 << (exponent_bits - 1)) - 3 + (Bits)(random() >> (8 * sizeof(T) - 3)) % 5;
                b = (b >> (8 * sizeof(T) - 1) << (8 * sizeof(T) - 1)) | exponent << fraction |
                    (b & (((Bits)1 << fraction) - 1));
            } else if (in.size() % 8 == 0) {
                b = b >> (exponent_bits + 1) | (b & 1) << (8 * sizeof(T) - 1); // subnormal
            }
        }
        Input<T> i;
        std::memcpy(&i, v, sizeof(i));
        in.push_back(i);
    }
    Buffer<Input<T>> words(in);
    Buffer<T> out(COUNT * OPERATIONS * MODES);
    run<T><<<COUNT / 128, 128>>>(words, out);
    LAUNCHED();
    std::vector<T> got = out.get();
    const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_UPWARD, FE_DOWNWARD};
    for (int f = 0; f < OPERATIONS; f++) {
        for (int m = 0; m < MODES; m++) {
            int bad = 0;
            for (int i = 0; i < COUNT; i++) {
                std::fesetround(modes[m]);
                T want = host<T>(f, in[i].x, in[i].y, in[i].z);
                std::fesetround(FE_TONEAREST);
                T is = got[(i * OPERATIONS + f) * MODES + m];
                if (std::memcmp(&is, &want, sizeof(T)) && !(is != is && want != want) && !bad++)
                    std::printf("%s operation %d mode %d: %a %a %a: %a, not %a\n", kind, f, m, (double)in[i].x,
                                (double)in[i].y, (double)in[i].z, (double)is, (double)want);
            }
            EXPECT(bad == 0);
        }
    }
}

int main()
{
    check<float, unsigned int>(8, "float");
    check<double, unsigned long long>(11, "double");
    return DONE();
}
