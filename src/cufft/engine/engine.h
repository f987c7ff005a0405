// SPDX-License-Identifier: Apache-2.0
// What plans are made of. A scalar is a float or a double; steps and offsets count scalars.
#ifndef HEDDLE_CUFFT_ENGINE_ENGINE_H
#define HEDDLE_CUFFT_ENGINE_ENGINE_H
#include "cufft/engine/fft.h"
#include "cufft/engine/number.h"

// Tables of a plan, freed with it.
struct fft_pool {
    void **block;
    size_t count;
};

// Aligned to 64. NULL: there is no memory.
void *pool_alloc(struct fft_pool *p, size_t bytes);
void pool_fini(struct fft_pool *p);

// One pass of Stockham's algorithm: from [l1][radix][ido] to [radix][l1][ido], so that no pass permutes.
struct fft_pass {
    unsigned radix;
    size_t ido, l1;
    void *twiddle; // [ido - 1][radix - 1], complex
    void *wheel;   // cos and sin of 2 pi i / radix, [2][radix]; for odd radices
};

// The transform of a smooth size as passes.
struct fft_chain {
    size_t n;
    unsigned count;
    struct fft_pass pass[FFT_MAX_FACTORS];
};

// How lines of n complex numbers are transformed. In lanes: a line in each lane of vectors. Single: a line by itself, which is
// contiguous, with its own parts in the lanes.
enum line_mode {
    LINE_CHAIN,       // lanes: one chain
    LINE_BLOCK,       // lanes: n = a b, columns then rows, each of which fits the first cache
    LINE_INNER,       // single: n = a b, with a transposition of vectors between
    LINE_BLUE_LANES,  // lanes: Bluestein, over a line in lanes
    LINE_BLUE_SINGLE, // single: Bluestein, over a single line
};

struct fft_line {
    size_t n;
    enum line_mode mode;
    struct fft_chain a, b;
    void *twist;           // factors between a and b
    struct fft_line *conv; // Bluestein's convolution: its length, chirp [n], filter [conv->n]
    void *chirp, *filter;
    size_t scratch; // bytes
};

enum { BUFFER_IN, BUFFER_OUT, BUFFER_WORK };

// One side of a phase's lines: element k is at offset + k step; its imaginary part `imag` further, where that is not 0.
struct fft_place {
    int buffer;
    int64_t offset, step, imag;
    enum fft_scalar scalar; // where the phase converts
};

struct fft_loop {
    uint64_t n;
    int64_t in, out;
};

enum { FFT_MAX_LOOPS = 8 };

enum phase_kind {
    PHASE_LANES,
    PHASE_SINGLE,
    PHASE_MOVE, // element by element, in chunks
};

// Between real lines of n and complex ones of n / 2 + 1. An even line is a complex one of half the length.
enum real_mode { REAL_NONE, REAL_FORWARD_EVEN, REAL_FORWARD_ODD, REAL_BACKWARD_EVEN, REAL_BACKWARD_ODD };

// What a phase that moves does with an element. n is the line's length, h = n / 2, z the complex line of half the length.
enum move_kind {
    MOVE_COPY,       // out = in, with scalars of other types
    MOVE_UNPACK,     // out[k], k <= h, of z: the last step of a real transform
    MOVE_PACK,       // z[k], k < h, of in: the first step of one backwards
    MOVE_REAL,       // out[k] = in[k] + 0 i
    MOVE_HERMITIAN,  // out[k], k < n, of in[k], k <= h
    MOVE_FILL_CHIRP, // table[k] = exp(-pi i k^2 / n)
    MOVE_FILL_FILTER, // out[k], k < span: the chirp's conjugate at k and -k, over span, since nobody divides after the inverse
    MOVE_KEEP,        // table[k] = in[k]
    MOVE_CHIRP_IN,  // out[k] = chirp[k] in[k], then zeros
    MOVE_FILTER,    // out[k] = filter[k] in[k]
    MOVE_CHIRP_OUT, // out[k] = chirp[k] in[k]
};

enum { MOVE_CHUNK = 2048 };

struct fft_phase {
    enum phase_kind kind;
    enum real_mode real;
    enum move_kind move;
    bool flip;                   // against the direction of the call
    const struct fft_line *line; // complex, of n or of n / 2
    uint64_t n;                  // logical length
    uint64_t span;               // of a phase that moves: elements that are written
    struct fft_place in, out;
    unsigned loops;
    struct fft_loop loop[FFT_MAX_LOOPS]; // loop 0 goes over the lanes
    uint64_t parts;
    // A factor exp(-2 pi i j k / whole) for element k of line j of loop 0: the step between two phases of one long line.
    // Of phases that pack and unpack: exp(-2 pi i k / n) for element k, and those of the lanes are in the second row.
    const struct roots *twist;
    const void *twist_lanes; // [n][lanes], the factors of lines 0, 1, ...
    const void *table;       // factors of the real modes [n / 2 + 1], chirp or filter
    // Tables that are too long to be made with the plan are made by its first execution. `ready`: the phase is part of that, forwards
    // whatever the call, and has nothing to do when the flag is set. `done`: the phase sets it. Executions that meet write the same.
    const unsigned *ready;
    unsigned *done;
};

// Code for one scalar type and one kind of processor.
struct fft_kernel {
    unsigned lanes;
    size_t scalar; // bytes
    bool (*line_init)(struct fft_pool *p, struct fft_line *l, size_t n, enum line_mode mode);
    // exp(-2 pi i k / n), k < count, as scalars of the kernel's type
    void *(*roots)(struct fft_pool *p, uint64_t n, uint64_t count);
    void *(*twist_lanes)(struct fft_pool *p, const struct roots *whole, uint64_t n);
    // buffer: the call's in, out, work
    void (*run)(const struct fft_phase *ph, char *const buffer[3], bool backward, uint64_t first, uint64_t count,
                void *scratch);
};

extern const struct fft_kernel fft_plain_float, fft_plain_double;
#ifdef __x86_64__
extern const struct fft_kernel fft_avx2_float, fft_avx2_double, fft_avx512_float, fft_avx512_double;
#endif
const struct fft_kernel *fft_kernel_choose(bool is_double);
// fft_plan_create with a kernel that was chosen, which this processor must be able to run.
struct fft_plan *fft_plan_create_for(const struct fft_desc *d, const struct fft_kernel *k);
// The conversions of PHASE_MOVE's MOVE_COPY, for any two scalar types.
void fft_copy_run(const struct fft_phase *ph, char *const buffer[3], uint64_t first, uint64_t count);
// Where line number `line` of the phase begins on both sides.
static inline void phase_line(const struct fft_phase *ph, uint64_t line, unsigned from, int64_t *in, int64_t *out)
{
    for (unsigned d = from; d < ph->loops; d++) {
        uint64_t i = line % ph->loop[d].n;
        line /= ph->loop[d].n;
        *in += (int64_t)i * ph->loop[d].in;
        *out += (int64_t)i * ph->loop[d].out;
    }
}
#endif
