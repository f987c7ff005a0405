// SPDX-License-Identifier: Apache-2.0
// Handles and plans. A handle is a number: a slot of a table in its lower bits, and how often the slot was used before in its upper
// ones, so that a handle that was destroyed is told from one that lives.
#include "cufft/plan.h"
#include <pthread.h>
#include <stdlib.h>

// --- handles ---

enum { SLOT_BITS = 20, SLOTS = 1 << SLOT_BITS, USES = 1 << (31 - SLOT_BITS) };

struct slot {
    struct plan *plan;
    unsigned uses;
    int next_free;
};

static struct {
    pthread_mutex_t lock;
    struct slot *slot;
    int count, room;
    int first_free, last_free; // slots that were destroyed, the longest ago first; 0: none
} table = {.lock = PTHREAD_MUTEX_INITIALIZER, .count = 1};

// A slot that is free, 0: none. Destroyed ones wait until there are some, so that old handles stay known for long.
static int slot_take(void)
{
    enum { KEPT = 64 };
    if (table.first_free && (table.count > KEPT || table.count == table.room)) {
        int i = table.first_free;
        table.first_free = table.slot[i].next_free;
        if (!table.first_free)
            table.last_free = 0;
        return i;
    }
    if (table.count >= table.room) {
        int room = table.room ? 2 * table.room : 32;
        struct slot *more = room <= SLOTS ? realloc(table.slot, (size_t)room * sizeof *more) : NULL;
        if (!more)
            return 0;
        table.slot = more;
        table.room = room;
    }
    table.slot[table.count] = (struct slot){0};
    return table.count++;
}

static bool handle_add(struct plan *p)
{
    pthread_mutex_lock(&table.lock);
    int i = slot_take();
    if (i) {
        table.slot[i].plan = p;
        p->id = i | (int)(table.slot[i].uses % USES) << SLOT_BITS;
    }
    pthread_mutex_unlock(&table.lock);
    return i != 0;
}

// The plan of a handle, which is no longer one where `take`.
static struct plan *handle_get(cufftHandle handle, bool take)
{
    struct plan *p = NULL;
    int i = handle & (SLOTS - 1);
    pthread_mutex_lock(&table.lock);
    if (handle > 0 && i > 0 && i < table.count && table.slot[i].plan && table.slot[i].plan->id == handle)
        p = table.slot[i].plan;
    if (p && take) {
        table.slot[i].plan = NULL;
        table.slot[i].uses++;
        table.slot[i].next_free = 0;
        if (table.last_free)
            table.slot[table.last_free].next_free = i;
        else
            table.first_free = i;
        table.last_free = i;
    }
    pthread_mutex_unlock(&table.lock);
    return p;
}

struct plan *transform_find(cufftHandle handle)
{
    return handle_get(handle, false);
}

// --- plans ---

static const long long property_defaults[PLAN_PROPERTIES] = {0, 1};

cufftResult transform_create(cufftHandle *handle)
{
    if (!handle)
        return CUFFT_INVALID_VALUE;
    struct plan *p = calloc(1, sizeof *p);
    if (!p)
        return CUFFT_ALLOC_FAILED;
    p->automatic = true;
    for (int i = 0; i < PLAN_PROPERTIES; i++)
        p->property[i] = property_defaults[i];
    cufftResult r = cudaGetDevice(&p->device) ? CUFFT_INTERNAL_ERROR : CUFFT_SUCCESS;
    if (!r && !handle_add(p))
        r = CUFFT_ALLOC_FAILED;
    if (r) {
        free(p);
        return r;
    }
    *handle = p->id;
    return CUFFT_SUCCESS;
}

static void state_release(struct native_state *native)
{
    struct plan_state *s = (struct plan_state *)native;
    fft_plan_destroy(s->fft);
    free(s);
}

static void state_drop(struct plan_state *s)
{
    if (s && __atomic_fetch_sub(&s->native.refs, 1, __ATOMIC_ACQ_REL) == 1)
        state_release(&s->native);
}

static struct plan_state *state_create(const struct fft_desc *d)
{
    struct plan_state *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->native = (struct native_state){1, state_release};
    s->fft = fft_plan_create(d);
    if (s->fft)
        return s;
    free(s);
    return NULL;
}

// The context of a call may be another thread's first: memory is the plan's device's.
static cufftResult work_allocate(struct plan *p)
{
    if (!p->automatic || p->work || !p->work_bytes)
        return CUFFT_SUCCESS;
    if (cudaMalloc(&p->own, p->work_bytes)) {
        cudaGetLastError();
        p->own = NULL;
        return CUFFT_ALLOC_FAILED;
    }
    p->work = p->own;
    return CUFFT_SUCCESS;
}

static cufftResult make(struct plan *p, const struct spec *s, size_t *bytes)
{
    struct plan_state *state = state_create(&s->d);
    if (!state)
        return CUFFT_ALLOC_FAILED;
    p->kind = s->d.kind;
    p->scalar = s->d.scalar;
    p->work_bytes = fft_plan_work(state->fft);
    cufftResult r = work_allocate(p);
    if (r) {
        state_drop(state);
        return r;
    }
    p->state = state;
    *bytes = p->work_bytes;
    return CUFFT_SUCCESS;
}

cufftResult transform_make(cufftHandle handle, struct spec s, size_t *bytes)
{
    if (s.refused)
        return s.refused;
    if (!bytes)
        return CUFFT_INVALID_VALUE;
    struct plan *p = transform_find(handle);
    if (!p || p->state)
        return CUFFT_INVALID_PLAN;
    return s.unfit ? s.unfit : make(p, &s, bytes);
}

cufftResult transform_new(cufftHandle *handle, struct spec s)
{
    cufftHandle h;
    size_t bytes;
    if (!handle)
        return CUFFT_INVALID_VALUE;
    cufftResult r = s.refused ? s.refused : s.unfit;
    if (!r)
        r = transform_create(&h);
    if (r)
        return r;
    r = transform_make(h, s, &bytes);
    if (r)
        transform_destroy(h);
    else
        *handle = h;
    return r;
}

// The work area is freed when the work under way is done; tables when nobody has them any more.
cufftResult transform_destroy(cufftHandle handle)
{
    if (handle == CUFFT_PLAN_NULL)
        return CUFFT_SUCCESS;
    struct plan *p = handle_get(handle, true);
    if (!p)
        return CUFFT_INVALID_PLAN;
    cudaError_t e = p->own ? cudaFree(p->own) : cudaSuccess;
    state_drop(p->state);
    free(p);
    return e ? CUFFT_INTERNAL_ERROR : CUFFT_SUCCESS;
}

// --- sizes ---

cufftResult transform_estimate(struct spec s, size_t *bytes)
{
    if (s.refused || s.unfit)
        return s.refused ? s.refused : s.unfit;
    if (!bytes)
        return CUFFT_INVALID_VALUE;
    struct fft_plan *p = fft_plan_create(&s.d);
    if (!p)
        return CUFFT_ALLOC_FAILED;
    *bytes = fft_plan_work(p);
    fft_plan_destroy(p);
    return CUFFT_SUCCESS;
}

cufftResult transform_size_of(cufftHandle handle, struct spec s, size_t *bytes)
{
    if (s.refused)
        return s.refused;
    if (!bytes)
        return CUFFT_INVALID_VALUE;
    return transform_find(handle) ? transform_estimate(s, bytes) : CUFFT_INVALID_PLAN;
}

cufftResult transform_size(cufftHandle handle, size_t *bytes)
{
    if (!bytes)
        return CUFFT_INVALID_VALUE;
    struct plan *p = transform_find(handle);
    if (!p)
        return CUFFT_INVALID_PLAN;
    *bytes = p->work_bytes;
    return CUFFT_SUCCESS;
}

// --- what is set ---

cufftResult transform_set_work(cufftHandle handle, void *work)
{
    struct plan *p = transform_find(handle);
    if (!p)
        return CUFFT_INVALID_PLAN;
    if (p->own && p->own != work) {
        cudaFree(p->own);
        p->own = NULL;
    }
    p->work = work;
    return CUFFT_SUCCESS;
}

cufftResult transform_set_auto(cufftHandle handle, int automatic)
{
    struct plan *p = transform_find(handle);
    if (!p)
        return CUFFT_INVALID_PLAN;
    p->automatic = automatic != 0;
    return CUFFT_SUCCESS;
}

cufftResult transform_set_stream(cufftHandle handle, cudaStream_t stream)
{
    struct plan *p = transform_find(handle);
    if (!p)
        return CUFFT_INVALID_PLAN;
    p->stream = stream;
    return CUFFT_SUCCESS;
}

static int property_index(cufftProperty property)
{
    int i = (int)property - 1;
    return i >= 0 && i < PLAN_PROPERTIES ? i : -1;
}

// Properties are for the planning functions, so that they are set before these. They change nothing here.
cufftResult transform_set_property(cufftHandle handle, cufftProperty property, long long value)
{
    static const long long least[PLAN_PROPERTIES] = {0, 1}, most[PLAN_PROPERTIES] = {1, INT32_MAX};
    struct plan *p = transform_find(handle);
    int i = property_index(property);
    if (!p)
        return CUFFT_INVALID_PLAN;
    if (i < 0 || value < least[i] || value > most[i])
        return CUFFT_INVALID_VALUE;
    if (p->state)
        return CUFFT_NOT_SUPPORTED;
    p->property[i] = value;
    return CUFFT_SUCCESS;
}

cufftResult transform_get_property(cufftHandle handle, cufftProperty property, long long *value)
{
    struct plan *p = transform_find(handle);
    int i = property_index(property);
    if (!p)
        return CUFFT_INVALID_PLAN;
    if (i < 0 || !value)
        return CUFFT_INVALID_VALUE;
    *value = p->property[i];
    return CUFFT_SUCCESS;
}

cufftResult transform_reset_property(cufftHandle handle, cufftProperty property)
{
    int i = property_index(property);
    if (i < 0)
        return transform_find(handle) ? CUFFT_INVALID_VALUE : CUFFT_INVALID_PLAN;
    return transform_set_property(handle, property, property_defaults[i]);
}
