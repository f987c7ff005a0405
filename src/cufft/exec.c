// SPDX-License-Identifier: Apache-2.0
// Execution: a grid of native kernels for each phase of the plan, in the plan's stream.
#include "cufft/plan.h"
#include <pthread.h>
#include <stdlib.h>

// Several parts of the engine to a part of the grid, where they are small: about ten microseconds of work.
static const double PART_OPERATIONS = 1e5;

struct block {
    struct native_head head;
    const struct fft_plan *plan;
    struct fft_call call;
    unsigned phase;
    uint64_t parts, together;
};

// --- scratch memory of the threads that run parts: kept, since a part is short ---

static pthread_key_t scratch_key;
static pthread_once_t scratch_once = PTHREAD_ONCE_INIT;
static bool scratch_has_key;
static __thread struct {
    void *memory;
    size_t bytes;
} scratch;

static void scratch_make_key(void)
{
    scratch_has_key = !pthread_key_create(&scratch_key, free);
}

// NULL: there is no memory. A part that writes there ends its grid with an error.
static void *scratch_get(size_t bytes)
{
    if (scratch.bytes >= bytes)
        return scratch.memory;
    pthread_once(&scratch_once, scratch_make_key);
    free(scratch.memory);
    scratch.bytes = (bytes + 4095) / 4096 * 4096;
    scratch.memory = aligned_alloc(64, scratch.bytes);
    if (!scratch.memory)
        scratch.bytes = 0;
    if (scratch_has_key)
        pthread_setspecific(scratch_key, scratch.memory);
    return scratch.memory;
}

static void run(const void *block, uint64_t part)
{
    const struct block *b = block;
    uint64_t first = part * b->together, left = b->parts - first;
    void *memory = scratch_get(fft_plan_scratch(b->plan) + 64);
    fft_plan_run(b->plan, &b->call, b->phase, first, left < b->together ? left : b->together, memory);
}

static struct library_kernel kernel = LIBRARY_KERNEL("cufft_phase", run, struct block);

// --- launches ---

static cufftResult launch(struct plan *p, struct block *b, bool in_place)
{
    double operations = fft_plan_part_operations(b->plan, in_place, b->phase);
    b->parts = fft_plan_parts(b->plan, in_place, b->phase);
    b->together = operations < PART_OPERATIONS ? (uint64_t)(PART_OPERATIONS / (operations + 1)) + 1 : 1;
    while ((b->parts + b->together - 1) / b->together > INT32_MAX)
        b->together *= 2;
    cudaError_t e = library_launch(&kernel, p->stream, (b->parts + b->together - 1) / b->together,
                                   operations * (double)b->together, b);
    return e == cudaErrorMemoryAllocation ? CUFFT_ALLOC_FAILED : e ? CUFFT_EXEC_FAILED : CUFFT_SUCCESS;
}

static cufftResult check(struct plan *p, const void *in, const void *out, int direction)
{
    static const unsigned bytes[] = {[FFT_FLOAT] = 4, [FFT_DOUBLE] = 8, [FFT_HALF] = 2, [FFT_BFLOAT] = 2};
    int device;
    if (!in || !out || (p->kind == FFT_C2C && direction != CUFFT_FORWARD && direction != CUFFT_INVERSE))
        return CUFFT_INVALID_VALUE;
    if (p->kind == FFT_R2C && direction == CUFFT_INVERSE)
        return CUFFT_INVALID_VALUE;
    if (((uintptr_t)in | (uintptr_t)out) % bytes[p->scalar])
        return CUFFT_INVALID_VALUE;
    if (p->work_bytes && !p->work)
        return CUFFT_NO_WORKSPACE;
    if (cudaGetDevice(&device))
        return CUFFT_INTERNAL_ERROR;
    return device == p->device ? CUFFT_SUCCESS : CUFFT_INVALID_DEVICE;
}

static cufftResult exec(struct plan *p, void *in, void *out, int direction)
{
    cufftResult r = check(p, in, out, direction);
    struct block b = {.head.state = &p->state->native, .plan = p->state->fft};
    b.call = (struct fft_call){in, out, p->work, direction == CUFFT_INVERSE};
    unsigned phases = fft_plan_phases(b.plan, in == out);
    for (b.phase = 0; b.phase < phases && !r; b.phase++)
        r = launch(p, &b, in == out);
    return r;
}

cufftResult exec_any(cufftHandle handle, void *in, void *out, int direction)
{
    struct plan *p = transform_find(handle);
    return p && p->state ? exec(p, in, out, direction) : CUFFT_INVALID_PLAN;
}

cufftResult exec_typed(cufftHandle handle, cufftType type, void *in, void *out, int direction)
{
    struct plan *p = transform_find(handle);
    enum fft_kind kind;
    enum fft_scalar scalar;
    if (!p || !p->state)
        return CUFFT_INVALID_PLAN;
    if (!type_known(type, &kind, &scalar) || kind != p->kind || scalar != p->scalar)
        return CUFFT_INVALID_TYPE;
    return exec(p, in, out, direction);
}
