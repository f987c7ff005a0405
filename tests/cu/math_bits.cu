// SPDX-License-Identifier: Apache-2.0
// widths: 8 32

// The mathematical functions of the device library give the same bits on every machine: a hash for each over fixed
// arguments. The hashes were recorded on an H200, where this program as our nvcc compiles it runs through NVIDIA's
// driver (HEDDLE_DEVICE=gpu). `math_bits record` prints them, `math_bits dump FILE` writes all results.
#include "check.h"
#include <string>

typedef unsigned long long Word;
enum { COUNT = 16384 };

static __device__ Word bits(float f)
{
    return f != f ? 0x7FC00000u : __float_as_uint(f);
}
static __device__ Word bits(double d)
{
    return d != d ? 0x7FF8000000000000ull : (Word)__double_as_longlong(d);
}
static __device__ Word bits(int i)
{
    return (Word)(long long)i;
}
static __device__ Word bits(long long i)
{
    return (Word)i;
}
static __device__ Word bits(long i)
{
    return (Word)i;
}
static __device__ Word mixed(Word i)
{
    i = (i ^ i >> 30) * 0xBF58476D1CE4E5B9ull;
    i = (i ^ i >> 27) * 0x94D049BB133111EBull;
    return i ^ i >> 31;
}
// A quarter are any bits, the others numbers up to 1, 8 and 128 and, for the doubles, 1024.
static __device__ void argument(unsigned int i, int which, float *x)
{
    Word m = mixed(i + which * 0x100000ull);
    *x = i & 3 ? (float)((int)(unsigned int)m) * ((i & 3) == 1   ? 4.656612873077393e-10f
                                                  : (i & 3) == 2 ? 3.725290298461914e-9f
                                                                 : 5.960464477539063e-8f)
               : __uint_as_float((unsigned int)m);
}
static __device__ void argument(unsigned int i, int which, double *x)
{
    Word m = mixed(i + which * 0x100000ull + 0x1000000ull);
    *x = i & 3 ? (double)(long long)m * ((i & 3) == 1   ? 1.0842021724855044e-19
                                         : (i & 3) == 2 ? 8.673617379884035e-19
                                                        : 1.1102230246251565e-16)
               : __longlong_as_double((long long)m);
}
template <class T> static __device__ Word pair(T a, T b)
{
    return bits(a) * 0x9E3779B97F4A7C15ull ^ bits(b);
}

// F(name, result) with x, y, z and the integers i (the number of the argument) and n (-40 to 40). S stands for the
// suffix.
#define TRIGONOMETRIC(F, S)                                                                                            \
    F(sin##S, bits(sin##S(x)))                                                                                         \
    F(cos##S, bits(cos##S(x)))                                                                                         \
    F(tan##S, bits(tan##S(x)))                                                                                         \
    F(sinpi##S, bits(sinpi##S(x)))                                                                                     \
    F(cospi##S, bits(cospi##S(x)))                                                                                     \
    F(asin##S, bits(asin##S(x)))                                                                                       \
    F(acos##S, bits(acos##S(x)))                                                                                       \
    F(atan##S, bits(atan##S(x)))                                                                                       \
    F(atan2##S, bits(atan2##S(x, y)))
#define HYPERBOLIC(F, S)                                                                                               \
    F(sinh##S, bits(sinh##S(x)))                                                                                       \
    F(cosh##S, bits(cosh##S(x)))                                                                                       \
    F(tanh##S, bits(tanh##S(x)))                                                                                       \
    F(asinh##S, bits(asinh##S(x)))                                                                                     \
    F(acosh##S, bits(acosh##S(x)))                                                                                     \
    F(atanh##S, bits(atanh##S(x)))
#define EXPONENTIAL(F, S)                                                                                              \
    F(exp##S, bits(exp##S(x)))                                                                                         \
    F(exp2##S, bits(exp2##S(x)))                                                                                       \
    F(exp10##S, bits(exp10##S(x)))                                                                                     \
    F(expm1##S, bits(expm1##S(x)))                                                                                     \
    F(log##S, bits(log##S(x)))                                                                                         \
    F(log2##S, bits(log2##S(x)))                                                                                       \
    F(log10##S, bits(log10##S(x)))                                                                                     \
    F(log1p##S, bits(log1p##S(x)))                                                                                     \
    F(logb##S, bits(logb##S(x)))                                                                                       \
    F(ilogb##S, bits(ilogb##S(x)))                                                                                     \
    F(pow##S, bits(pow##S(x, y)))                                                                                      \
    F(ldexp##S, bits(ldexp##S(x, n)))
#define ROOT(F, S)                                                                                                     \
    F(sqrt##S, bits(sqrt##S(x)))                                                                                       \
    F(cbrt##S, bits(cbrt##S(x)))                                                                                       \
    F(rcbrt##S, bits(rcbrt##S(x)))                                                                                     \
    F(hypot##S, bits(hypot##S(x, y)))                                                                                  \
    F(rhypot##S, bits(rhypot##S(x, y)))                                                                                \
    F(divide##S, bits(x / y))                                                                                          \
    F(fma##S, bits(fma##S(x, y, z)))
// rsqrtf is the hardware's own approximation and not here.
#define DOUBLE_ROOT(F, S) F(rsqrt##S, bits(rsqrt##S(x)))
#define ERROR(F, S)                                                                                                    \
    F(erf##S, bits(erf##S(x)))                                                                                         \
    F(erfc##S, bits(erfc##S(x)))                                                                                       \
    F(erfcx##S, bits(erfcx##S(x)))                                                                                     \
    F(erfinv##S, bits(erfinv##S(x)))                                                                                   \
    F(erfcinv##S, bits(erfcinv##S(x)))                                                                                 \
    F(normcdf##S, bits(normcdf##S(x)))                                                                                 \
    F(normcdfinv##S, bits(normcdfinv##S(x)))
#define SPECIAL(F, S)                                                                                                  \
    F(tgamma##S, bits(tgamma##S(x)))                                                                                   \
    F(lgamma##S, bits(lgamma##S(x)))                                                                                   \
    F(j0##S, bits(j0##S(x)))                                                                                           \
    F(j1##S, bits(j1##S(x)))                                                                                           \
    F(y0##S, bits(y0##S(x)))                                                                                           \
    F(y1##S, bits(y1##S(x)))                                                                                           \
    F(cyl_bessel_i0##S, bits(cyl_bessel_i0##S(x)))                                                                     \
    F(cyl_bessel_i1##S, bits(cyl_bessel_i1##S(x)))
#define ROUNDING(F, S)                                                                                                 \
    F(ceil##S, bits(ceil##S(x)))                                                                                       \
    F(floor##S, bits(floor##S(x)))                                                                                     \
    F(trunc##S, bits(trunc##S(x)))                                                                                     \
    F(rint##S, bits(rint##S(x)))                                                                                       \
    F(round##S, bits(round##S(x)))                                                                                     \
    F(nearbyint##S, bits(nearbyint##S(x)))                                                                             \
    F(llrint##S, bits(llrint##S(x)))                                                                                   \
    F(llround##S, bits(llround##S(x)))                                                                                 \
    F(lrint##S, bits(lrint##S(x)))                                                                                     \
    F(lround##S, bits(lround##S(x)))                                                                                   \
    F(fmod##S, bits(fmod##S(x, y)))                                                                                    \
    F(remainder##S, bits(remainder##S(x, y)))                                                                          \
    F(nextafter##S, bits(nextafter##S(x, y)))                                                                          \
    F(fdim##S, bits(fdim##S(x, y)))                                                                                    \
    F(fmax##S, bits(fmax##S(x, y)))                                                                                    \
    F(fmin##S, bits(fmin##S(x, y)))                                                                                    \
    F(copysign##S, bits(copysign##S(x, y)))
#define SEVERAL(F, S)                                                                                                  \
    F(sincos##S, (sincos##S(x, &u, &v), pair(u, v)))                                                                   \
    F(sincospi##S, (sincospi##S(x, &u, &v), pair(u, v)))                                                               \
    F(frexp##S, (u = frexp##S(x, &k), bits(u) ^ bits(k) << 1))                                                         \
    F(modf##S, (u = modf##S(x, &v), pair(u, v)))                                                                       \
    F(remquo##S, (u = remquo##S(x, y, &k), bits(u) ^ (bits(k) & 7) << 1))                                              \
    F(norm3d##S, bits(norm3d##S(x, y, z)))                                                                             \
    F(rnorm3d##S, bits(rnorm3d##S(x, y, z)))                                                                           \
    F(norm4d##S, bits(norm4d##S(x, y, z, x)))                                                                          \
    F(rnorm4d##S, bits(rnorm4d##S(x, y, z, x)))                                                                        \
    F(jn##S, bits(jn##S(n & 7, x)))                                                                                    \
    F(yn##S, bits(yn##S(n & 7, x)))

#define RESULT(name, result) out[COUNT * at++ + i] = (result);
#define NAME(name, result)   #name,
#define LIST(list, T, S)                                                                                               \
    __global__ void T##_##list(Word *out)                                                                              \
    {                                                                                                                  \
        unsigned int i = blockIdx.x * blockDim.x + threadIdx.x, at = 0;                                                \
        T x, y, z, u = 0, v = 0;                                                                                       \
        int n = (int)(mixed(i) % 81) - 40, k = 0;                                                                      \
        argument(i, 0, &x);                                                                                            \
        argument(i, 1, &y);                                                                                            \
        argument(i, 2, &z);                                                                                            \
        (void)y, (void)z, (void)u, (void)v, (void)n, (void)k;                                                          \
        list(RESULT, S)                                                                                                \
    }                                                                                                                  \
    static const std::vector<const char *> T##_##list##_names = {list(NAME, S)};
#define BOTH(list)                                                                                                     \
    LIST(list, float, f)                                                                                               \
    LIST(list, double, )
BOTH(TRIGONOMETRIC)
BOTH(HYPERBOLIC)
BOTH(EXPONENTIAL)
BOTH(ROOT)
LIST(DOUBLE_ROOT, double, )
BOTH(ERROR)
BOTH(SPECIAL)
BOTH(ROUNDING)
BOTH(SEVERAL)

static FILE *dump;
static bool recording;
static const struct {
    const char *name;
    Word hash;
} recorded[] = {
#include "math_recorded.h"
};
static void run(const std::vector<const char *> &names, void (*kernel)(Word *))
{
    Buffer<Word> out(names.size() * COUNT);
    kernel<<<COUNT / 128, 128>>>(out);
    LAUNCHED();
    std::vector<Word> v = out.get();
    for (size_t k = 0; k < names.size(); k++) {
        Word h = 14695981039346656037ull;
        for (size_t i = 0; i < COUNT; i++)
            h = (h ^ h >> 29 ^ v[k * COUNT + i]) * 1099511628211ull;
        if (recording)
            std::printf("    {\"%s\", 0x%016llxull},\n", names[k], h);
        if (dump) {
            std::fprintf(dump, "%s\n", names[k]);
            std::fwrite(&v[k * COUNT], sizeof(Word), COUNT, dump);
        }
        if (recording || dump)
            continue;
        bool same = false;
        for (auto &r : recorded)
            same |= !std::strcmp(names[k], r.name) && r.hash == h;
        if (!same)
            std::fprintf(stderr, "%s differs\n", names[k]);
        EXPECT(same);
    }
}
#define RUN(list)                                                                                                      \
    run(float_##list##_names, float_##list);                                                                           \
    run(double_##list##_names, double_##list);
int main(int argc, char **argv)
{
    recording = argc > 1 && !std::strcmp(argv[1], "record");
    if (argc > 2 && !std::strcmp(argv[1], "dump") && !(dump = std::fopen(argv[2], "wb")))
        return 2;
    RUN(TRIGONOMETRIC)
    RUN(HYPERBOLIC)
    RUN(EXPONENTIAL)
    RUN(ROOT)
    run(double_DOUBLE_ROOT_names, double_DOUBLE_ROOT);
    RUN(ERROR)
    RUN(SPECIAL)
    RUN(ROUNDING)
    RUN(SEVERAL)
    if (dump && std::fclose(dump))
        return 2;
    return recording || dump ? 0 : DONE();
}
