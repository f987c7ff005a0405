// The kernels of libcurand: each generator's states are seeded by one and used by others, one for each distribution.
//
// The order of numbers is NVIDIA's: the sequences of a generator stand in a ring, and a unit of UNIT consecutive
// numbers comes from each in turn. A launch begins at sequence `first` of the ring, `skip` numbers into its unit.
#include <curand_kernel.h>

typedef unsigned long long Word;
struct Ring {
    unsigned int count, first, skip;
};
struct Shape { // of a distribution
    double a, b;
};

// apart: in the seeded order each has a seed of its own in place of a sequence of its own.
template <int UNIT, class S>
static __device__ void seed_ring(S *states, unsigned int count, Word seed, Word offset, bool apart)
{
    unsigned int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= count)
        return;
    Word units = offset / UNIT, whole = units / count, place = units % count;
    Word skip = whole * UNIT + (t < place ? UNIT : t == place ? offset % UNIT : 0);
    if (apart)
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

// Sobol's sequences: n / dimensions numbers of each dimension, one after the other, from `offset` on. A thread makes a few that follow
// each other.
enum { SOBOL_RUN = 32 };
template <class F, class S, class D, class T>
static __device__ void fill_dimensions(const D *vectors, unsigned int dimensions, Word offset, T *out, Word n, Shape shape)
{
    Word each = n / dimensions, runs = (each + SOBOL_RUN - 1) / SOBOL_RUN;
    for (Word r = blockIdx.x * (Word)blockDim.x + threadIdx.x; r < runs * dimensions; r += (Word)gridDim.x * blockDim.x) {
        Word d = r / runs, first = r % runs * SOBOL_RUN, last = min(first + SOBOL_RUN, each);
        S s;
        curand_init(const_cast<D &>(vectors[d]), offset + first, &s);
        for (Word i = first; i < last; i++)
            F::numbers(&s, shape, &out[d * each + i]);
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
struct Poisson {
    enum { N = 1 };
    template <class S> static __device__ void numbers(S *s, Shape shape, unsigned int *v)
    {
        v[0] = curand_poisson(s, shape.a);
    }
    // Large means are rounded single-precision numbers here.
    static __device__ void numbers(curandStateXORWOW_t *s, Shape shape, unsigned int *v)
    {
        v[0] = shape.a > 4000 ? (unsigned int)(sqrt(shape.a) * curand_normal(s) + shape.a + 0.5)
                              : curand_poisson(s, shape.a);
    }
    static __device__ void numbers(curandStatePhilox4_32_10_t *s, Shape shape, unsigned int *v)
    {
        v[0] = shape.a > 4000 ? (unsigned int)(sqrt(shape.a) * curand_normal(s) + shape.a + 0.5)
                              : curand_poisson(s, shape.a);
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
    FILL(name, S, UNIT, poisson, Poisson, unsigned int)
#define FILL(name, S, UNIT, kind, F, T)                                                                                \
    extern "C" __global__ void name##_##kind(S *states, Ring ring, T *out, Word n, Shape shape)                        \
    {                                                                                                                  \
        fill_ring<UNIT, F>(states, ring, out, n, shape);                                                               \
    }
RING(xorwow, curandStateXORWOW_t, 1, 2)
extern "C" __global__ void xorwow_seed_apart(curandStateXORWOW_t *states, unsigned int count, Word seed, Word offset)
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
#define FILL_SOBOL(bits, kind, F, T)                                                                                   \
    extern "C" __global__ void sobol##bits##_##kind(const curandDirectionVectors##bits##_t *vectors,                   \
                                                    unsigned int dimensions, Word offset, T *out, Word n, Shape shape) \
    {                                                                                                                  \
        fill_dimensions<F, curandStateSobol##bits##_t>(vectors, dimensions, offset, out, n, shape);                    \
    }
#define SOBOL(bits)                                                                                                    \
    FILL_SOBOL(bits, uniform, Uniform, float)                                                                          \
    FILL_SOBOL(bits, uniform_double, Uniform, double)                                                                  \
    FILL_SOBOL(bits, normal, NormalOne, float)                                                                         \
    FILL_SOBOL(bits, normal_double, NormalOne, double)                                                                 \
    FILL_SOBOL(bits, log_normal, LogNormalOne, float)                                                                  \
    FILL_SOBOL(bits, log_normal_double, LogNormalOne, double)                                                          \
    FILL_SOBOL(bits, poisson, Poisson, unsigned int)
SOBOL(32)
SOBOL(64)
FILL_SOBOL(32, bits, Bits, unsigned int)
FILL_SOBOL(64, bits, Bits, Word)
