// SPDX-License-Identifier: Apache-2.0
// A plan while it is built: phases of two variants, out of place and in place.
#ifndef HEDDLE_CUFFT_ENGINE_PLAN_H
#define HEDDLE_CUFFT_ENGINE_PLAN_H
#include "cufft/engine/engine.h"
#include "base/vec.h"

struct fft_variant {
    struct VEC(struct fft_phase) phases;
};

// A table that both variants use.
enum table_kind { TABLE_REAL, TABLE_TWIST, TABLE_CHIRP, TABLE_FILTER, TABLE_READY };
struct fft_table {
    enum table_kind kind;
    uint64_t n, m;
    const void *data;
};

struct fft_plan {
    const struct fft_kernel *kernel;
    struct fft_desc desc;
    struct fft_pool pool;
    struct fft_variant variant[2]; // [1]: in place
    struct VEC(struct fft_line *) lines;
    struct VEC(struct roots *) roots;
    struct VEC(struct fft_table) tables;
    uint64_t work; // scalars
    size_t scratch;
};

// Where phases are added.
struct build {
    struct fft_plan *plan;
    struct fft_variant *variant;
    uint64_t used; // of the work area, in scalars
    bool failed;
};

// A transform of lines, all alike.
struct axis {
    uint64_t n;
    enum real_mode real;
    bool flip;
    const unsigned *ready; // as a phase's
    struct fft_place in, out;
    unsigned loops;
    struct fft_loop loop[FFT_MAX_LOOPS];
};

// The phases of an axis.
void axis_emit(struct build *b, const struct axis *a);
// A copy of `span` elements of each line.
void copy_emit(struct build *b, const struct axis *a, uint64_t span);
// Scalars of the work area; the caller sets `used` back when they are no longer needed.
uint64_t work_take(struct build *b, uint64_t scalars);
#endif
