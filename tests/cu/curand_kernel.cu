// SPDX-License-Identifier: Apache-2.0
// cuRAND's generators in kernels against what NVIDIA's compiler, headers and an H200 give: a hash of all bits for each
// function whose arithmetic is exact. `curand_kernel record` prints the hashes.
// widths: 32
#include "check.h"
#include <curand_kernel.h>
#include <curand_mtgp32_host.h>
#include <string>

enum { THREADS = 96, CALLS = 24 };

// Seeds, subsequences and offsets: plain ones, large ones, and any.
struct Start {
    unsigned long long seed, subsequence, offset;
    unsigned int vectors32[32];
    unsigned long long vectors64[64];
};
// Direction vectors of no dimension of Sobol's sequence, but of the same form: bit 31 - i is the last that is set.
template <class W> static void directions(W *v, unsigned long long seed)
{
    int bits = 8 * sizeof(W);
    for (int i = 0; i < bits; i++) {
        seed = seed * 6364136223846793005ull + 1442695040888963407ull;
        v[i] = ((W)1 << (bits - 1 - i)) | (i ? (W)(seed >> 3) << (bits - i) : (W)0);
    }
}
static std::vector<Start> starts()
{
    std::vector<Start> v;
    unsigned long long x = 88172645463325252ull;
    for (int i = 0; i < THREADS; i++) {
        unsigned long long r[3];
        for (unsigned long long &y : r) {
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
            y = x;
        }
        Start s = {r[0], r[1], r[2], {}, {}};
        if (i < 32)
            s = {i < 16 ? 1234ull : (unsigned long long)i - 16,
                 (unsigned long long)i,
                 i < 8 ? 0ull : (unsigned long long)i,
                 {},
                 {}};
        else if (i < 40)
            s = {r[0] & 0xFFFFFFFFu, r[1] >> 40, r[2] >> 44, {}, {}};
        else if (i < 48)
            s = {~0ull, i & 1 ? ~0ull : r[1], i & 2 ? ~0ull : 0ull, {}, {}};
        directions(s.vectors32, s.seed);
        directions(s.vectors64, s.seed);
        v.push_back(s);
    }
    return v;
}

// What is asked of a generator in each call. Its words go out as 64-bit numbers.
#define WORDS(name, State, n, ...)                                                                                     \
    struct name {                                                                                                      \
        typedef State T;                                                                                               \
        enum { N = n };                                                                                                \
        static __device__ void call(T *s, unsigned long long *out, int round)                                          \
        {                                                                                                              \
            (void)round;                                                                                               \
            __VA_ARGS__                                                                                                \
        }                                                                                                              \
    };
#define FLOAT(x)  (unsigned long long)__float_as_uint(x)
#define DOUBLE(x) (unsigned long long)__double_as_longlong(x)
#define BASIC(prefix, State)                                                                                           \
    WORDS(prefix##_basic, State, 3, {                                                                                  \
        out[0] = curand(s);                                                                                            \
        out[1] = FLOAT(curand_uniform(s));                                                                             \
        out[2] = DOUBLE(curand_uniform_double(s));                                                                     \
    })
#define SKIPPING(prefix, State, more)                                                                                  \
    WORDS(prefix##_skip, State, 1, {                                                                                   \
        skipahead(round < 12 ? (unsigned long long)round : 0x9E3779B97F4A7C15ull * round, s);                          \
        more out[0] = curand(s);                                                                                       \
    })
BASIC(xorwow, curandStateXORWOW_t)
BASIC(philox, curandStatePhilox4_32_10_t)
BASIC(mrg, curandStateMRG32k3a_t)
BASIC(sobol32, curandStateSobol32_t)
BASIC(scrambled32, curandStateScrambledSobol32_t)
BASIC(sobol64, curandStateSobol64_t)
BASIC(scrambled64, curandStateScrambledSobol64_t)
BASIC(mtgp, curandStateMtgp32_t)
SKIPPING(xorwow, curandStateXORWOW_t, if (round % 3 == 0) skipahead_sequence(round * 77777777777ull, s);)
SKIPPING(philox, curandStatePhilox4_32_10_t, if (round % 3 == 0) skipahead_sequence(round * 77777777777ull, s);)
SKIPPING(mrg, curandStateMRG32k3a_t, if (round % 3 == 0) skipahead_sequence(round * 77777777777ull, s);
         if (round % 5 == 0) skipahead_subsequence(round * 77777777777ull, s);)
SKIPPING(sobol32, curandStateSobol32_t, )
SKIPPING(scrambled32, curandStateScrambledSobol32_t, )
SKIPPING(sobol64, curandStateSobol64_t, )
SKIPPING(scrambled64, curandStateScrambledSobol64_t, )
WORDS(philox_curand4, curandStatePhilox4_32_10_t, 4, {
    if (round % 4 == 1)
        curand(s);
    uint4 v = curand4(s);
    out[0] = v.x, out[1] = v.y, out[2] = v.z, out[3] = v.w;
})
WORDS(philox_uniform4, curandStatePhilox4_32_10_t, 4, {
    float4 v = curand_uniform4(s);
    out[0] = FLOAT(v.x), out[1] = FLOAT(v.y), out[2] = FLOAT(v.z), out[3] = FLOAT(v.w);
})
WORDS(philox_uniform2_double, curandStatePhilox4_32_10_t, 2, {
    double2 v = curand_uniform2_double(s);
    out[0] = DOUBLE(v.x), out[1] = DOUBLE(v.y);
})
WORDS(mtgp_specific, curandStateMtgp32_t, 1,
      out[0] = curand_mtgp32_specific(s, (unsigned char)threadIdx.x, (unsigned char)THREADS);)

template <class T> static __device__ void begin(T *s, Start &a)
{
    curand_init(a.seed, a.subsequence, a.offset, s);
}
static __device__ void begin(curandStateMRG32k3a_t *s, Start &a)
{
    curand_init(a.seed, a.subsequence & ((1ull << 51) - 1), a.offset, s); // there are no more
}
static __device__ void begin(curandStateSobol32_t *s, Start &a)
{
    curand_init(a.vectors32, (unsigned int)a.offset, s);
}
static __device__ void begin(curandStateScrambledSobol32_t *s, Start &a)
{
    curand_init(a.vectors32, (unsigned int)a.subsequence, (unsigned int)a.offset, s);
}
static __device__ void begin(curandStateSobol64_t *s, Start &a)
{
    curand_init(a.vectors64, a.offset, s);
}
static __device__ void begin(curandStateScrambledSobol64_t *s, Start &a)
{
    curand_init(a.vectors64, a.subsequence, a.offset, s);
}
template <class F> __global__ void words(Start *start, unsigned long long *out)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    typename F::T state;
    begin(&state, start[t]);
    for (int i = 0; i < CALLS; i++)
        F::call(&state, out + (t * CALLS + i) * F::N, i);
}
template <class F> __global__ void block_words(curandStateMtgp32_t *states, unsigned long long *out)
{
    int n = blockDim.x * blockDim.y, t = threadIdx.y * blockDim.x + threadIdx.x;
    for (int i = 0; i < CALLS; i++)
        F::call(&states[blockIdx.x], out + ((blockIdx.x * CALLS + i) * n + t) * F::N, i);
}

static unsigned long long hash(const std::vector<unsigned long long> &v)
{
    unsigned long long h = 14695981039346656037ull;
    for (unsigned long long x : v)
        for (int i = 0; i < 8; i++)
            h = (h ^ (x >> (8 * i) & 255)) * 1099511628211ull;
    return h;
}
static bool recording;
static const struct {
    const char *name;
    unsigned long long hash;
} recorded[] = {
    {"xorwow_basic", 0x5366bc002010506bull},
    {"xorwow_skip", 0x8c96370d1b3ab7d0ull},
    {"philox_basic", 0xd934eb5c5094e7e3ull},
    {"philox_skip", 0xe10ebaf243a9511eull},
    {"philox_curand4", 0xdd0bcc9409ec6dacull},
    {"philox_uniform4", 0xfc912a66bac1f825ull},
    {"philox_uniform2_double", 0x7ad7b121b7b2eb58ull},
    {"mrg_basic", 0xc42f16862d6e8552ull},
    {"mrg_skip", 0xad4f43175d6b4fc6ull},
    {"sobol32_basic", 0x8278a643eb5f0c7dull},
    {"sobol32_skip", 0x79f887f7dd243457ull},
    {"scrambled32_basic", 0x1f292ba21cc67099ull},
    {"scrambled32_skip", 0xfff03858ad628223ull},
    {"sobol64_basic", 0x930719910100e65full},
    {"sobol64_skip", 0x12866793437b33bfull},
    {"scrambled64_basic", 0x1bb1c24cfb394de9ull},
    {"scrambled64_skip", 0x66099e34da25001bull},
    {"mtgp_256", 0xd5816ae485207f41ull},
    {"mtgp_96", 0x2ce7a4bdce185540ull},
    {"mtgp_32x4", 0x08805e29ec48f44cull},
    {"mtgp_specific", 0x415726e346c78516ull},
    {"mtgp_array", 0x15489d302db57e96ull},
    {"mtgp_parameters", 0xab62103662e16fc8ull},
};
static void compare(const char *name, const std::vector<unsigned long long> &v)
{
    unsigned long long h = hash(v);
    if (recording) {
        std::printf("    {\"%s\", 0x%016llxull},\n", name, h);
        return;
    }
    bool same = false;
    for (auto &r : recorded)
        same |= !std::strcmp(r.name, name) && r.hash == h;
    if (!same)
        std::fprintf(stderr, "%s differs: 0x%016llx\n", name, h);
    EXPECT(same);
}
template <class F> static void run(const char *name)
{
    Buffer<Start> start(starts());
    Buffer<unsigned long long> out(THREADS * CALLS * F::N);
    words<F><<<3, THREADS / 3>>>(start, out);
    LAUNCHED();
    compare(name, out.get());
}
template <class F> static void run_blocks(const char *name, dim3 block, int blocks, unsigned long long seed)
{
    Buffer<mtgp32_kernel_params_t> params(1);
    Buffer<curandStateMtgp32_t> states(blocks);
    EXPECT(curandMakeMTGP32Constants(mtgp32dc_params_fast_11213, params) == CURAND_STATUS_SUCCESS);
    EXPECT(curandMakeMTGP32KernelState(states, mtgp32dc_params_fast_11213, params, blocks, seed) ==
           CURAND_STATUS_SUCCESS);
    Buffer<unsigned long long> out(blocks * CALLS * block.x * block.y * F::N);
    block_words<F><<<blocks, block>>>(states, out);
    LAUNCHED();
    compare(name, out.get());
}
static void seed_by_array()
{
    std::vector<unsigned long long> all;
    unsigned int state[MTGPDC_N], keys[400];
    unsigned char text[] = "a seed of letters";
    for (int i = 0; i < 400; i++)
        keys[i] = 2654435761u * (unsigned int)i;
    for (int length : {1, 3, 351, 400}) {
        mtgp32_init_by_array(state, &mtgp32dc_params_fast_11213[length % 200], keys, length);
        all.insert(all.end(), state, state + MTGPDC_N);
    }
    mtgp32_init_by_str(state, &mtgp32dc_params_fast_11213[7], text);
    all.insert(all.end(), state, state + MTGPDC_N);
    compare("mtgp_array", all);
    std::vector<unsigned long long> bytes;
    for (const mtgp32_params_fast_t &p : mtgp32dc_params_fast_11213)
        for (size_t i = 0; i < sizeof(p); i++)
            bytes.push_back(reinterpret_cast<const unsigned char *>(&p)[i]);
    compare("mtgp_parameters", bytes);
}

#define RUN(name) run<name>(#name)
int main(int argc, char **argv)
{
    recording = argc > 1 && !std::strcmp(argv[1], "record");
    RUN(xorwow_basic);
    RUN(xorwow_skip);
    RUN(philox_basic);
    RUN(philox_skip);
    RUN(philox_curand4);
    RUN(philox_uniform4);
    RUN(philox_uniform2_double);
    RUN(mrg_basic);
    RUN(mrg_skip);
    RUN(sobol32_basic);
    RUN(sobol32_skip);
    RUN(scrambled32_basic);
    RUN(scrambled32_skip);
    RUN(sobol64_basic);
    RUN(sobol64_skip);
    RUN(scrambled64_basic);
    RUN(scrambled64_skip);
    run_blocks<mtgp_basic>("mtgp_256", dim3(256), 200, 1234);
    run_blocks<mtgp_basic>("mtgp_96", dim3(96), 3, 0x123456789ABCDEFull);
    run_blocks<mtgp_basic>("mtgp_32x4", dim3(32, 4), 3, 7);
    run_blocks<mtgp_specific>("mtgp_specific", dim3(THREADS), 5, 5);
    seed_by_array();
    return recording ? 0 : DONE();
}
