// SPDX-License-Identifier: Apache-2.0
// Fourier transforms: cuFFT, FFTW as FFTW_MEASURE plans it, and pocketfft where bench/run has compiled it (pocketfft.cpp).
#include "libraries.h"
#include <cuda_runtime_api.h>
#include <cufft.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

double fft_plan_most;

enum { DIMS = 3 };
static const struct transform {
    const char *name;
    int dims, size[DIMS], batch;
    bool real;
} transforms[] = {
    {"1000 of 1024", 1, {1024}, 1000, false},
    {"2^20", 1, {1 << 20}, 1, false},
    {"1024 x 1024", 2, {1024, 1024}, 1, false},
    {"real 128^3", 3, {128, 128, 128}, 1, true},
    {"10007", 1, {10007}, 1, false},
    {"64 of 10007", 1, {10007}, 64, false},
    {"1000 x 1000", 2, {1000, 1000}, 1, false},
    {"1000 of 1000", 1, {1000}, 1000, false},
    {"4096 of 128", 1, {128}, 4096, false},
    {"65536 of 16", 1, {16}, 65536, false},
    {"2000 of 259", 1, {259}, 2000, false},
};
enum { TRANSFORMS = sizeof transforms / sizeof *transforms };

struct fft {
    const struct transform *t;
    char type;
    struct data in, out;
    cufftHandle plan;
    bool planned;
    void *fftw;
};

static size_t size_in(const struct transform *t) // numbers of it, and so of the output: complex ones are two
{
    size_t n = (size_t)t->batch;
    for (int i = 0; i < t->dims; i++)
        n *= (size_t)t->size[i];
    return t->real ? n : 2 * n;
}

static size_t size_out(const struct transform *t)
{
    const size_t last = (size_t)t->size[t->dims - 1];
    return t->real ? size_in(t) / last * (last / 2 + 1) * 2 : size_in(t);
}

static void fft_close(void *state)
{
    struct fft *f = state;
    if (f->planned)
        cufftDestroy(f->plan);
    data_free(&f->in);
    data_free(&f->out);
    free(f);
}

static struct fft *fft_open(const struct row *r, bool device)
{
    struct fft *f = calloc(1, sizeof *f);
    if (!f)
        return NULL;
    f->t = &transforms[r->kind];
    f->type = r->type;
    if (data_make(&f->in, device, r->type, size_in(f->t), 3) && data_make(&f->out, device, r->type, size_out(f->t), 0))
        return f;
    fft_close(f);
    return NULL;
}

static void *ours_open(const struct row *r)
{
    struct fft *f = fft_open(r, true);
    if (!f)
        return NULL;
    const bool wide = f->type == 'D';
    cufftType kind = f->t->real ? (wide ? CUFFT_D2Z : CUFFT_R2C) : wide ? CUFFT_Z2Z : CUFFT_C2C;
    struct timespec from, to;
    clock_gettime(CLOCK_MONOTONIC, &from);
    f->planned =
        !cufftPlanMany(&f->plan, f->t->dims, (int *)(size_t)f->t->size, NULL, 1, 0, NULL, 1, 0, kind, f->t->batch);
    clock_gettime(CLOCK_MONOTONIC, &to);
    double t = (double)(to.tv_sec - from.tv_sec) + 1e-9 * (double)(to.tv_nsec - from.tv_nsec);
    fft_plan_most = t > fft_plan_most ? t : fft_plan_most;
    if (f->planned)
        return f;
    fft_close(f);
    return NULL;
}

static void ours_run(void *state)
{
    struct fft *f = state;
    const bool wide = f->type == 'D';
    if (f->t->real && wide)
        cufftExecD2Z(f->plan, f->in.at, f->out.at);
    else if (f->t->real)
        cufftExecR2C(f->plan, f->in.at, f->out.at);
    else if (wide)
        cufftExecZ2Z(f->plan, f->in.at, f->out.at, CUFFT_FORWARD);
    else
        cufftExecC2C(f->plan, f->in.at, f->out.at, CUFFT_FORWARD);
}

static void ours_wait(void *state)
{
    (void)state;
    cudaDeviceSynchronize();
}

static void fft_sample(void *state, double *out)
{
    data_sample(&((struct fft *)state)->out, out);
}

// ---- FFTW, a library for each type
typedef void *plan_complex_fn(int, const int *, int, void *, const int *, int, int, void *, const int *, int, int, int,
                              unsigned);
typedef void *plan_real_fn(int, const int *, int, void *, const int *, int, int, void *, const int *, int, int,
                           unsigned);
static struct fftw {
    void *library;
    plan_complex_fn *complex;
    plan_real_fn *real;
    void (*execute)(void *), (*destroy)(void *);
} fftws[2];

static void *fftw_name(void *library, bool wide, const char *name)
{
    char full[64];
    snprintf(full, sizeof full, "fftw%s_%s", wide ? "" : "f", name);
    return library ? dlsym(library, full) : NULL;
}

static struct fftw *fftw_find(bool wide)
{
    struct fftw *w = &fftws[wide];
    if (w->library)
        return w;
    w->library = dlopen(wide ? "libfftw3.so.3" : "libfftw3f.so.3", RTLD_NOW | RTLD_GLOBAL);
    w->complex = (plan_complex_fn *)fftw_name(w->library, wide, "plan_many_dft");
    w->real = (plan_real_fn *)fftw_name(w->library, wide, "plan_many_dft_r2c");
    w->execute = (void (*)(void *))fftw_name(w->library, wide, "execute");
    w->destroy = (void (*)(void *))fftw_name(w->library, wide, "destroy_plan");
    void *threads =
        bench_threads() > 1 ? dlopen(wide ? "libfftw3_threads.so.3" : "libfftw3f_threads.so.3", RTLD_NOW) : NULL;
    int (*init)(void) = (int (*)(void))fftw_name(threads, wide, "init_threads");
    void (*with)(int) = (void (*)(int))fftw_name(threads, wide, "plan_with_nthreads");
    if (init && with && init())
        with(bench_threads());
    return w;
}

static void fftw_close(void *state)
{
    struct fft *f = state;
    if (f->fftw)
        fftw_find(f->type == 'D')->destroy(f->fftw);
    fft_close(f);
}

// FFTW_MEASURE, which writes on the data.
static void *fftw_plan(const struct fftw *w, struct fft *f)
{
    enum { FORWARD = -1, MEASURE = 0 };
    const struct transform *t = f->t;
    int in = (int)size_in(t) / t->batch / (t->real ? 1 : 2), out = (int)size_out(t) / t->batch / 2;
    return t->real ? w->real(t->dims, t->size, t->batch, f->in.at, NULL, 1, in, f->out.at, NULL, 1, out, MEASURE)
                   : w->complex(t->dims, t->size, t->batch, f->in.at, NULL, 1, in, f->out.at, NULL, 1, out, FORWARD,
                                MEASURE);
}

static void *fftw_open(const struct row *r)
{
    const struct fftw *w = fftw_find(r->type == 'D');
    struct fft *f = w->complex && w->real && w->execute && w->destroy ? fft_open(r, false) : NULL;
    if (!f)
        return NULL;
    struct data fresh;
    f->fftw = fftw_plan(w, f);
    if (!f->fftw || !data_make(&fresh, false, r->type, size_in(f->t), 3)) {
        fftw_close(f);
        return NULL;
    }
    memcpy(f->in.at, fresh.at, fresh.n * (r->type == 'D' ? sizeof(double) : sizeof(float)));
    data_free(&fresh);
    return f;
}

static void fftw_run(void *state)
{
    struct fft *f = state;
    fftws[f->type == 'D'].execute(f->fftw);
}

// ---- pocketfft
typedef void pocketfft_fn(int dims, const int *size, int batch, int real, int wide, int threads, const void *in,
                          void *out);
static pocketfft_fn *pocketfft;

static void *pocketfft_open(const struct row *r)
{
    const char *path = getenv("BENCH_POCKETFFT_LIBRARY");
    void *library = path ? dlopen(path, RTLD_NOW) : NULL;
    pocketfft = library ? (pocketfft_fn *)dlsym(library, "pocketfft_run") : NULL;
    return pocketfft ? fft_open(r, false) : NULL;
}

static void pocketfft_run(void *state)
{
    struct fft *f = state;
    pocketfft(f->t->dims, f->t->size, f->t->batch, f->t->real, f->type == 'D', bench_threads(), f->in.at, f->out.at);
}

static void fft_row(int index, struct row *out)
{
    out->kind = index % TRANSFORMS;
    out->type = index < TRANSFORMS ? 'S' : 'D';
    snprintf(out->name, sizeof out->name, "fft %c %s", out->type == 'S' ? 'f' : 'd', transforms[out->kind].name);
}

const struct topic topic_fft = {
    .name = "fft",
    .tolerance = 1e2,
    .forms =
        {{.name = "cuFFT",
          .open = ours_open,
          .run = ours_run,
          .wait = ours_wait,
          .sample = fft_sample,
          .close = fft_close},
         {.name = "FFTW", .most = 1.3, .open = fftw_open, .run = fftw_run, .sample = fft_sample, .close = fftw_close},
         {.name = "pocketfft",
          .most = 1.1,
          .open = pocketfft_open,
          .run = pocketfft_run,
          .sample = fft_sample,
          .close = fft_close}},
    .count = 2 * TRANSFORMS,
    .row = fft_row};
