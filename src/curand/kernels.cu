// SPDX-License-Identifier: Apache-2.0
// The kernels of libcurand: each generator's states are seeded by one and used by others, one for each distribution.
//
// The order of numbers is NVIDIA's: the sequences of a generator stand in a ring, and a unit of UNIT consecutive
// numbers comes from each in turn. A launch begins at sequence `first` of the ring, `skip` numbers into its unit.
#include <curand_kernel.h>
#include <type_traits>

typedef unsigned long long Word;
struct Ring {
    unsigned int count, first, skip;
};
struct Shape { // of a distribution
    double a, b;
    const void *table; // of a prepared one
};

// apart: in the seeded order each has a seed of its own in place of a sequence of its own.
template <int UNIT, class S>
static __device__ void seed_ring(S *states, unsigned int count, Word seed, Word offset, bool own_seeds)
{
    unsigned int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= count)
        return;
    Word units = offset / UNIT, whole = units / count, place = units % count;
    Word skip = whole * UNIT + (t < place ? UNIT : t == place ? offset % UNIT : 0);
    if (own_seeds)
        curand_init(seed + t * 3133713ull, 0, skip, &states[t]);
    else
        curand_init(seed, t, skip, &states[t]);
}
// F::numbers(state, shape, out) makes F::N numbers.
template <int UNIT, class F, class S, class T>
static __device__ void fill_ring(S *states, Ring ring, T *out, Word n, Shape shape)
{
    unsigned int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= ring.count)
        return;
    S s = states[t];
    Word end = n + ring.skip;
    for (Word unit = (t + ring.count - ring.first) % ring.count; unit * UNIT < end; unit += ring.count) {
        for (int i = 0; i < UNIT; i += F::N) {
            Word at = unit * UNIT + i;
            if (at < ring.skip || at >= end)
                continue;
            T v[F::N];
            F::numbers(&s, shape, v);
            for (int k = 0; k < F::N; k++)
                out[at - ring.skip + k] = v[k];
        }
    }
    states[t] = s;
}
// MTGP32: a block for each state, 256 numbers at a time. What is begun of them is computed again by the next launch.
template <class F, class T>
static __device__ void fill_blocks(curandStateMtgp32_t *states, Ring ring, T *out, Word n, Shape shape)
{
    curandStateMtgp32_t *s = &states[blockIdx.x];
    Word end = n + ring.skip;
    for (Word unit = (blockIdx.x + ring.count - ring.first) % ring.count; unit * 256 < end; unit += ring.count) {
        int before = s->offset;
        T v[1];
        F::numbers(s, shape, v);
        Word at = unit * 256 + threadIdx.x;
        if (at >= ring.skip && at < end)
            out[at - ring.skip] = v[0];
        if (unit * 256 + 256 > end && threadIdx.x == 0)
            s->offset = before;
        __syncthreads();
    }
}

// Sobol's sequences: n / dimensions numbers of each dimension, one after the other, from `offset` on. A thread makes a
// few that follow each other.
enum { SOBOL_RUN = 32 };
template <class S, class D, class C>
static __device__ void begin(D &vectors, const C *constants, Word d, Word offset, S *s)
{
    if constexpr (std::is_same<S, curandStateScrambledSobol32_t>() || std::is_same<S, curandStateScrambledSobol64_t>())
        curand_init(vectors, constants[d], offset, s);
    else
        curand_init(vectors, offset, s);
}
template <class F, class S, class D, class C, class T>
static __device__ void fill_dimensions(const D *vectors, const C *constants, unsigned int dimensions, Word offset,
                                       T *out, Word n, Shape shape)
{
    Word each = n / dimensions, runs = (each + SOBOL_RUN - 1) / SOBOL_RUN;
    for (Word r = blockIdx.x * (Word)blockDim.x + threadIdx.x; r < runs * dimensions;
         r += (Word)gridDim.x * blockDim.x) {
        Word d = r / runs, first = r % runs * SOBOL_RUN, last = min(first + SOBOL_RUN, each);
        S s;
        begin(const_cast<D &>(vectors[d]), constants, d, offset + first, &s);
        for (Word i = first; i < last; i++)
            F::numbers(&s, shape, &out[d * each + i]);
    }
}

// MT19937: 624 words of 8192 sequences. They lie in the order in which they go out as numbers: 78 rounds of eight words
// of each sequence. The first round takes eight words from all over the state; between these lie stretches of 56, of
// which seven rounds take every seventh word.
enum {
    MT_N = 624,
    MT_M = 397,
    MT_DEGREE = 19937,
    MT_SEQUENCES = 8192,
    MT_UNIT = 8,
    MT_GROUP = 64,
    MT_ROUND = MT_SEQUENCES * MT_UNIT
};
struct MtPlaces {
    unsigned int at[MT_N];
    constexpr MtPlaces() : at()
    {
        const int alone[MT_UNIT] = {0, 113, 170, 283, 340, 397, 510, 567};
        int before = 0;
        for (int i = 0; i < MT_N; i++) {
            if (before < MT_UNIT && i == alone[before]) {
                at[i] = (unsigned int)before++;
                continue;
            }
            int among = i - before, round = 1 + among / 56 * 7 + among % 7;
            at[i] = (unsigned int)(round * MT_ROUND + among % 56 / 7);
        }
    }
};
static __device__ const MtPlaces mt_places = MtPlaces();

// The state of sequence `first + 64 * y + x` from the words that begin its group: a sum of those that the polynomial
// names.
extern "C" __global__ void mt19937_step(unsigned int *states, const unsigned int *sums, const unsigned int *steps,
                                        unsigned int first)
{
    enum { EACH = 4, THREADS = 160 };
    const unsigned int *x = sums + blockIdx.y * (MT_N + MT_DEGREE) + threadIdx.x;
    const unsigned int *poly = steps + blockIdx.x * MT_N;
    bool last = threadIdx.x + (EACH - 1) * THREADS < MT_N;
    unsigned int sum[EACH] = {};
    for (int i = 0; i < MT_N; i++) {
        for (unsigned int bits = poly[i]; bits; bits &= bits - 1) {
            const unsigned int *from = x + i * 32 + __ffs((int)bits) - 1;
            for (int e = 0; e < EACH - 1; e++)
                sum[e] ^= from[e * THREADS];
            if (last)
                sum[EACH - 1] ^= from[(EACH - 1) * THREADS];
        }
    }
    unsigned int sequence = first + blockIdx.y * MT_GROUP + blockIdx.x;
    for (int e = 0; e < EACH; e++) {
        unsigned int word = threadIdx.x + e * THREADS;
        if (word < MT_N)
            states[mt_places.at[word] + sequence * MT_UNIT] = sum[e];
    }
}
extern "C" __global__ void mt19937_next(unsigned int *states, unsigned int first, unsigned int end)
{
    unsigned int sequence = first + blockIdx.x * blockDim.x + threadIdx.x;
    if (sequence >= end)
        return;
    unsigned int *s = states + sequence * MT_UNIT, now = s[mt_places.at[0]];
    for (int i = 0; i < MT_N; i++) {
        unsigned int next = s[mt_places.at[i < MT_N - 1 ? i + 1 : 0]];
        unsigned int y = (now & 0x80000000u) | (next & 0x7fffffffu);
        s[mt_places.at[i]] =
            s[mt_places.at[i < MT_N - MT_M ? i + MT_M : i + MT_M - MT_N]] ^ y >> 1 ^ (y & 1 ? 0x9908b0dfu : 0);
        now = next;
    }
}
struct MtWord { // stands for a state that has one number left
    unsigned int word;
};
static __device__ unsigned int curand(MtWord *s)
{
    unsigned int y = s->word;
    y ^= y >> 11;
    y ^= y << 7 & 0x9d2c5680u;
    y ^= y << 15 & 0xefc60000u;
    return y ^ y >> 18;
}
// Halfway between two words here, and rounded once.
static __device__ double curand_uniform_double(MtWord *s)
{
    return _curand_uniform_double_excluding_one(curand(s));
}
static __device__ float curand_uniform(MtWord *s)
{
    return (float)curand_uniform_double(s);
}
static __device__ float curand_normal(MtWord *s)
{
    return _curand_normal_icdf(curand(s));
}
static __device__ double curand_normal_double(MtWord *s)
{
    return _curand_normal_icdf_double(curand(s));
}
template <class F, class T> static __device__ void fill_words(const unsigned int *from, T *out, Word n, Shape shape)
{
    for (Word i = blockIdx.x * (Word)blockDim.x + threadIdx.x; i < n; i += (Word)gridDim.x * blockDim.x) {
        MtWord s = {from[i]};
        F::numbers(&s, shape, &out[i]);
    }
}

struct Bits {
    enum { N = 1 };
    template <class S, class T> static __device__ void numbers(S *s, Shape, T *v)
    {
        v[0] = curand(s);
    }
};
struct Uniform {
    enum { N = 1 };
    template <class S> static __device__ void numbers(S *s, Shape, float *v)
    {
        v[0] = curand_uniform(s);
    }
    template <class S> static __device__ void numbers(S *s, Shape, double *v)
    {
        v[0] = curand_uniform_double(s);
    }
    static __device__ void numbers(curandStatePhilox4_32_10_t *s, Shape, double *v)
    {
        unsigned int x = curand(s), y = curand(s);
        v[0] = _curand_uniform_double_hq(x, y);
    }
};
struct Normal {
    enum { N = 2 };
    template <class S> static __device__ void numbers(S *s, Shape shape, float *v)
    {
        float2 x = curand_normal2(s);
        v[0] = (float)shape.a + (float)shape.b * x.x;
        v[1] = (float)shape.a + (float)shape.b * x.y;
    }
    template <class S> static __device__ void numbers(S *s, Shape shape, double *v)
    {
        double2 x = curand_normal2_double(s);
        v[0] = shape.a + shape.b * x.x;
        v[1] = shape.a + shape.b * x.y;
    }
};
struct LogNormal {
    enum { N = 2 };
    template <class S> static __device__ void numbers(S *s, Shape shape, float *v)
    {
        Normal::numbers(s, shape, v);
        v[0] = expf(v[0]);
        v[1] = expf(v[1]);
    }
    template <class S> static __device__ void numbers(S *s, Shape shape, double *v)
    {
        Normal::numbers(s, shape, v);
        v[0] = exp(v[0]);
        v[1] = exp(v[1]);
    }
};
struct NormalOne { // by the inverse
    enum { N = 1 };
    template <class S> static __device__ void numbers(S *s, Shape shape, float *v)
    {
        v[0] = (float)shape.a + (float)shape.b * curand_normal(s);
    }
    template <class S> static __device__ void numbers(S *s, Shape shape, double *v)
    {
        v[0] = shape.a + shape.b * curand_normal_double(s);
    }
};
struct LogNormalOne {
    enum { N = 1 };
    template <class S> static __device__ void numbers(S *s, Shape shape, float *v)
    {
        NormalOne::numbers(s, shape, v);
        v[0] = expf(v[0]);
    }
    template <class S> static __device__ void numbers(S *s, Shape shape, double *v)
    {
        NormalOne::numbers(s, shape, v);
        v[0] = exp(v[0]);
    }
};
// The device functions' own way, where a number may take any number of steps.
struct Poisson {
    enum { N = 1 };
    template <class S> static __device__ void numbers(S *s, Shape shape, unsigned int *v)
    {
        v[0] = curand_poisson(s, shape.a);
    }
};
// By a prepared table, by the inverse of the distribution function, and by rounding: one step each.
struct PoissonTable {
    enum { N = 1 };
    template <class S> static __device__ void numbers(S *s, Shape shape, unsigned int *v)
    {
        v[0] = _curand_M2_double(curand(s), (curandDistributionM2Shift_t)shape.table);
    }
};
struct PoissonInverse {
    enum { N = 1 };
    template <class S> static __device__ void numbers(S *s, Shape shape, unsigned int *v)
    {
        const curandDistributionShift_st *sums = (const curandDistributionShift_st *)shape.table;
        double u = _curand_uniform_double_excluding_one(curand(s));
        unsigned int low = 0, high = sums->length - 1; // the first sum that is not below u
        while (low < high) {
            unsigned int middle = (low + high) / 2;
            if (u > sums->probability[middle])
                low = middle + 1;
            else
                high = middle;
        }
        v[0] = sums->shift + low;
    }
};
struct PoissonRound {
    enum { N = 1 };
    template <class S> static __device__ void numbers(S *s, Shape shape, unsigned int *v)
    {
        v[0] = (unsigned int)(sqrt(shape.a) * curand_normal_double(s) + shape.a + 0.5);
    }
    // Single precision here.
    static __device__ void numbers(curandStateXORWOW_t *s, Shape shape, unsigned int *v)
    {
        v[0] = (unsigned int)(sqrt(shape.a) * curand_normal(s) + shape.a + 0.5);
    }
    static __device__ void numbers(curandStatePhilox4_32_10_t *s, Shape shape, unsigned int *v)
    {
        v[0] = (unsigned int)(sqrt(shape.a) * curand_normal(s) + shape.a + 0.5);
    }
};

#define RING(name, S, UNIT, PAIRS)                                                                                     \
    extern "C" __global__ void name##_seed(S *states, unsigned int count, Word seed, Word offset)                      \
    {                                                                                                                  \
        seed_ring<UNIT>(states, count, seed, offset, false);                                                           \
    }                                                                                                                  \
    FILL(name, S, UNIT, bits, Bits, unsigned int)                                                                      \
    FILL(name, S, UNIT, uniform, Uniform, float)                                                                       \
    FILL(name, S, UNIT, uniform_double, Uniform, double)                                                               \
    FILL(name, S, PAIRS, normal, Normal, float)                                                                        \
    FILL(name, S, PAIRS, normal_double, Normal, double)                                                                \
    FILL(name, S, PAIRS, log_normal, LogNormal, float)                                                                 \
    FILL(name, S, PAIRS, log_normal_double, LogNormal, double)                                                         \
    FILL(name, S, UNIT, poisson, Poisson, unsigned int)                                                                \
    FILL(name, S, UNIT, poisson_table, PoissonTable, unsigned int)                                                     \
    FILL(name, S, UNIT, poisson_round, PoissonRound, unsigned int)
#define FILL(name, S, UNIT, kind, F, T)                                                                                \
    extern "C" __global__ void name##_##kind(S *states, Ring ring, T *out, Word n, Shape shape)                        \
    {                                                                                                                  \
        fill_ring<UNIT, F>(states, ring, out, n, shape);                                                               \
    }
RING(xorwow, curandStateXORWOW_t, 1, 2)
extern "C" __global__ void xorwow_seed_each(curandStateXORWOW_t *states, unsigned int count, Word seed, Word offset)
{
    seed_ring<1>(states, count, seed, offset, true);
}
RING(mrg32k3a, curandStateMRG32k3a_t, 1, 2)
RING(philox, curandStatePhilox4_32_10_t, 4, 4)
#define FILL_BLOCKS(kind, F, T)                                                                                        \
    extern "C" __global__ void mtgp32_##kind(curandStateMtgp32_t *states, Ring ring, T *out, Word n, Shape shape)      \
    {                                                                                                                  \
        fill_blocks<F>(states, ring, out, n, shape);                                                                   \
    }
FILL_BLOCKS(bits, Bits, unsigned int)
FILL_BLOCKS(uniform, Uniform, float)
FILL_BLOCKS(uniform_double, Uniform, double)
FILL_BLOCKS(normal, NormalOne, float)
FILL_BLOCKS(normal_double, NormalOne, double)
FILL_BLOCKS(log_normal, LogNormalOne, float)
FILL_BLOCKS(log_normal_double, LogNormalOne, double)
FILL_BLOCKS(poisson, Poisson, unsigned int)
FILL_BLOCKS(poisson_table, PoissonTable, unsigned int)
FILL_BLOCKS(poisson_inverse, PoissonInverse, unsigned int)
FILL_BLOCKS(poisson_round, PoissonRound, unsigned int)
#define FILL_WORDS(kind, F, T)                                                                                         \
    extern "C" __global__ void mt19937_##kind(const unsigned int *from, T *out, Word n, Shape shape)                   \
    {                                                                                                                  \
        fill_words<F>(from, out, n, shape);                                                                            \
    }
FILL_WORDS(bits, Bits, unsigned int)
FILL_WORDS(uniform, Uniform, float)
FILL_WORDS(uniform_double, Uniform, double)
FILL_WORDS(normal, NormalOne, float)
FILL_WORDS(normal_double, NormalOne, double)
FILL_WORDS(log_normal, LogNormalOne, float)
FILL_WORDS(log_normal_double, LogNormalOne, double)
FILL_WORDS(poisson_table, PoissonTable, unsigned int)
FILL_WORDS(poisson_round, PoissonRound, unsigned int)
#define FILL_SOBOL(name, S, width, kind, F, T)                                                                         \
    extern "C" __global__ void name##width##_##kind(const curandDirectionVectors##width##_t *vectors,                  \
                                                    const Word##width *constants, unsigned int dimensions,             \
                                                    Word offset, T *out, Word n, Shape shape)                          \
    {                                                                                                                  \
        fill_dimensions<F, curandState##S##width##_t>(vectors, constants, dimensions, offset, out, n, shape);          \
    }
#define SOBOL(name, S, width)                                                                                          \
    FILL_SOBOL(name, S, width, bits, Bits, Word##width)                                                                \
    FILL_SOBOL(name, S, width, uniform, Uniform, float)                                                                \
    FILL_SOBOL(name, S, width, uniform_double, Uniform, double)                                                        \
    FILL_SOBOL(name, S, width, normal, NormalOne, float)                                                               \
    FILL_SOBOL(name, S, width, normal_double, NormalOne, double)                                                       \
    FILL_SOBOL(name, S, width, log_normal, LogNormalOne, float)                                                        \
    FILL_SOBOL(name, S, width, log_normal_double, LogNormalOne, double)                                                \
    FILL_SOBOL(name, S, width, poisson, Poisson, unsigned int)                                                         \
    FILL_SOBOL(name, S, width, poisson_table, PoissonTable, unsigned int)                                              \
    FILL_SOBOL(name, S, width, poisson_inverse, PoissonInverse, unsigned int)                                          \
    FILL_SOBOL(name, S, width, poisson_round, PoissonRound, unsigned int)
typedef unsigned int Word32;
typedef Word Word64;
SOBOL(sobol, Sobol, 32)
SOBOL(sobol, Sobol, 64)
SOBOL(scrambled_sobol, ScrambledSobol, 32)
SOBOL(scrambled_sobol, ScrambledSobol, 64)
