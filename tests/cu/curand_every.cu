// SPDX-License-Identifier: Apache-2.0
// nvcc: -lcurand

// widths: 8 32

// Every function of cuRAND's device interface with every state that has it: numbers are in their range, and not all the same. Which numbers they
// are is told by the other programs; src/curand/device.def lists the names.
#include "check.h"
#include <curand.h>
#include <curand_kernel.h>
#include <curand_mtgp32_host.h>
#include <curand_mtgp32dc_p_11213.h>

enum { KINDS = 8, EACH = 40 };

// Counts what is out of range. A uniform number is in (0, 1].
struct Range {
    int wrong, n;
    double least, most;
    __device__ void uniform(double x)
    {
        wrong += !(x > 0 && x <= 1);
        note(x);
    }
    __device__ void normal(double x)
    {
        wrong += !(fabs(x) < 10);
        note(x);
    }
    __device__ void positive(double x)
    {
        wrong += !(x >= 0 && x < 1e6);
        note(x);
    }
    __device__ void note(double x)
    {
        least = n ? fmin(least, x) : x;
        most = n ? fmax(most, x) : x;
        n++;
    }
};

template <class S> __device__ void single(S *s, curandDiscreteDistribution_t d, Range *r)
{
    for (int i = 0; i < EACH; i++) {
        r->positive((double)(curand(s) >> 16 & 1023));
        r->uniform(curand_uniform(s));
        r->uniform(curand_uniform_double(s));
        r->normal(curand_normal(s));
        r->normal(curand_normal_double(s));
        r->positive(curand_log_normal(s, 0.0f, 1.0f));
        r->positive(curand_log_normal_double(s, 0.0, 1.0));
        r->positive(curand_poisson(s, 3.0));
        r->positive(curand_discrete(s, d));
    }
}

template <class S> __device__ void twice(S *s, Range *r)
{
    float2 a = curand_normal2(s), b = curand_log_normal2(s, 0.0f, 1.0f);
    double2 c = curand_normal2_double(s), d = curand_log_normal2_double(s, 0.0, 1.0);
    r->normal(a.x);
    r->normal(a.y);
    r->positive(b.x);
    r->positive(b.y);
    r->normal(c.x);
    r->normal(c.y);
    r->positive(d.x);
    r->positive(d.y);
}

__device__ void four_times(curandStatePhilox4_32_10_t *s, curandDiscreteDistribution_t d, Range *r)
{
    uint4 bits = curand4(s), poisson = curand_poisson4(s, 4.0), discrete = curand_discrete4(s, d);
    float4 u = curand_uniform4(s), n = curand_normal4(s), l = curand_log_normal4(s, 0.0f, 1.0f);
    auto ud = curand_uniform4_double(s);
    auto nd = curand_normal4_double(s);
    auto ld = curand_log_normal4_double(s, 0.0, 1.0);
    double2 u2 = curand_uniform2_double(s);
    uint4 block = curand_Philox4x32_10(make_uint4(1, 2, 3, 4), make_uint2(5, 6));
    r->positive((bits.x ^ bits.w) & 1023);
    r->positive((block.x ^ block.w) & 1023);
    r->positive(poisson.x + poisson.w);
    r->positive(discrete.x + discrete.w);
    r->uniform(u.x);
    r->uniform(u.w);
    r->uniform(ud.x);
    r->uniform(ud.w);
    r->uniform(u2.x);
    r->normal(n.w);
    r->normal(nd.w);
    r->positive(l.w);
    r->positive(ld.w);
}

template <class S, class V> __device__ void quasi(S *s, const V *vectors, curandDiscreteDistribution_t d, Range *r)
{
    (void)vectors;
    skipahead(5u, s);
    single(s, d, r);
}

__global__ void numbers(curandDirectionVectors32_t *v, curandDirectionVectors64_t *w, curandDiscreteDistribution_t d,
                        Range *r)
{
    curandStateXORWOW_t x;
    curandStatePhilox4_32_10_t p;
    curandStateMRG32k3a_t m;
    curandStateSobol32_t s;
    curandStateScrambledSobol32_t ss;
    curandStateSobol64_t t;
    curandStateScrambledSobol64_t tt;
    curand_init(1, 2, 3, &x);
    curand_init(1, 2, 3, &p);
    curand_init(1, 2, 3, &m);
    curand_init(v[0], 7u, &s);
    curand_init(v[0], 9u, 7u, &ss);
    curand_init(w[0], 7ull, &t);
    curand_init(w[0], 9ull, 7ull, &tt);
    skipahead(5ull, &x);
    skipahead(5ull, &p);
    skipahead(5ull, &m);
    skipahead_sequence(1ull, &x);
    skipahead_sequence(1ull, &p);
    skipahead_sequence(1ull, &m);
    skipahead_subsequence(1ull, &m);
    single(&x, d, r + 0);
    single(&p, d, r + 1);
    single(&m, d, r + 2);
    quasi(&s, v, d, r + 3);
    quasi(&ss, v, d, r + 4);
    quasi(&t, w, d, r + 5);
    quasi(&tt, w, d, r + 6);
    twice(&x, r + 0);
    twice(&p, r + 1);
    twice(&m, r + 2);
    four_times(&p, d, r + 1);
}

// All threads of a block take part.
__global__ void twisters(curandStateMtgp32_t *mt, curandDiscreteDistribution_t d, Range *out)
{
    Range r = {};
    single(mt, d, &r);
    r.positive((double)(curand_mtgp32_specific(mt, threadIdx.x, blockDim.x) & 1023));
    r.uniform(curand_mtgp32_single(mt) - 1 + 0x1p-24); // in [1, 2)
    r.uniform(curand_mtgp32_single_specific(mt, threadIdx.x, blockDim.x) - 1 + 0x1p-24);
    if (!threadIdx.x)
        *out = r;
}

int main()
{
    curandDirectionVectors32_t *vectors32, *v;
    curandDirectionVectors64_t *vectors64, *w;
    curandDiscreteDistribution_t d;
    EXPECT(!curandGetDirectionVectors32(&vectors32, CURAND_DIRECTION_VECTORS_32_JOEKUO6));
    EXPECT(!curandGetDirectionVectors64(&vectors64, CURAND_DIRECTION_VECTORS_64_JOEKUO6));
    EXPECT(!curandCreatePoissonDistribution(5.0, &d));
    OK(cudaMalloc(&v, sizeof *v));
    OK(cudaMalloc(&w, sizeof *w));
    OK(cudaMemcpy(v, vectors32[1], sizeof *v, cudaMemcpyHostToDevice));
    OK(cudaMemcpy(w, vectors64[1], sizeof *w, cudaMemcpyHostToDevice));
    Buffer<Range> out(KINDS);
    OK(cudaMemset(out.p, 0, KINDS * sizeof(Range)));
    numbers<<<1, 1>>>(v, w, d, out.p);
    mtgp32_kernel_params_t *parameters;
    curandStateMtgp32_t *states;
    OK(cudaMalloc(&parameters, sizeof *parameters));
    OK(cudaMalloc(&states, sizeof *states));
    EXPECT(!curandMakeMTGP32Constants(mtgp32dc_params_fast_11213, parameters));
    EXPECT(!curandMakeMTGP32KernelState(states, mtgp32dc_params_fast_11213, parameters, 1, 1234));
    twisters<<<1, 256>>>(states, d, out.p + 7);
    OK(cudaDeviceSynchronize());
    Range r[KINDS];
    OK(cudaMemcpy(r, out.p, sizeof r, cudaMemcpyDeviceToHost));
    for (int i = 0; i < KINDS; i++)
        EXPECT(r[i].wrong == 0 && r[i].n >= 9 * EACH && r[i].most - r[i].least > 2);
    EXPECT(!curandDestroyDistribution(d));
    return DONE();
}
