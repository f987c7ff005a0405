// SPDX-License-Identifier: Apache-2.0
// Discrete Fourier transforms of any size, complex and real, in one to three dimensions, batched and strided, as cuFFT lays them
// out. A plan is a list of phases; a phase is a number of parts that are independent of each other; a phase begins when all parts
// of the one before have ended. Who runs the parts, and where, is the caller's business: the engine has no threads.
//
// Results are not scaled. Lines that lie in one batch do not influence each other, not even by rounding or NaN.
#ifndef HEDDLE_CUFFT_ENGINE_FFT_H
#define HEDDLE_CUFFT_ENGINE_FFT_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum fft_scalar { FFT_FLOAT, FFT_DOUBLE, FFT_HALF, FFT_BFLOAT };
enum fft_kind { FFT_C2C, FFT_R2C, FFT_C2R };
enum { FFT_MAX_RANK = 3 };

// Elements of one side, complex or real ones: element (i, j, k) of batch b is at b dist + ((i embed[1] + j) embed[2] + k) stride.
struct fft_layout {
    int64_t stride, dist, embed[FFT_MAX_RANK];
};

struct fft_desc {
    enum fft_kind kind;
    enum fft_scalar scalar;
    int rank;
    uint64_t n[FFT_MAX_RANK], batch;
    bool packed; // lines follow one another; the real side of a transform in place has room for the complex one
    struct fft_layout in, out; // where not packed
};

struct fft_plan;

// NULL: there is no memory for its tables.
struct fft_plan *fft_plan_create(const struct fft_desc *d);
void fft_plan_destroy(struct fft_plan *p);

// One execution. `in` and `out` are the same for a transform in place; `work` has fft_plan_work bytes, aligned to 64.
struct fft_call {
    void *in, *out, *work;
    bool backward; // of a complex transform
};

size_t fft_plan_work(const struct fft_plan *p);
// What each run that is under way at a time needs, aligned to 64; its contents need not last.
size_t fft_plan_scratch(const struct fft_plan *p);
unsigned fft_plan_phases(const struct fft_plan *p, bool in_place);
uint64_t fft_plan_parts(const struct fft_plan *p, bool in_place, unsigned phase);
// About how many operations a part has.
double fft_plan_part_operations(const struct fft_plan *p, bool in_place, unsigned phase);
void fft_plan_run(const struct fft_plan *p, const struct fft_call *c, unsigned phase, uint64_t first, uint64_t count,
                  void *scratch);
// All of it, here and now.
void fft_plan_run_all(const struct fft_plan *p, const struct fft_call *c, void *scratch);
#endif
