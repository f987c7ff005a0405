// SPDX-License-Identifier: Apache-2.0
// Contexts: primary ones, which are never freed and only become inactive, and explicit ones.
#include "driver/context/tell.h"
#include "driver/graph/graph.h"
#include "driver/texture/texture.h"
#include <stdlib.h>

static atomic_ullong next_id = 1;

static struct {
    pthread_mutex_t lock;
    struct context *context;
    unsigned retained, flags;
} primaries[DEVICE_LIMIT] = {[0 ... DEVICE_LIMIT - 1] = {.lock = PTHREAD_MUTEX_INITIALIZER}};

static struct fault_box *fault_box_new(void)
{
    struct fault_box *b = xcalloc(1, sizeof *b);
    atomic_init(&b->refs, 1);
    return b;
}

// NULL: there is no memory for it.
static struct context *context_new(int device, unsigned flags, bool primary)
{
    struct context *c = xcalloc(1, sizeof *c);
    c->device = device;
    c->flags = flags;
    c->primary = primary;
    c->id = atomic_fetch_add(&next_id, 1);
    atomic_init(&c->active, !primary);
    atomic_init(&c->attached, 1);
    atomic_init(&c->faults, fault_box_new());
    pthread_mutex_init(&c->lock, NULL);
    list_init(&c->streams);
    list_init(&c->events);
    list_init(&c->modules);
    list_init(&c->arrays);
    list_init(&c->texture_refs);
    limits_reset(c);
    c->legacy = stream_make(c, CU_STREAM_DEFAULT, 0);
    c->gone = order_line_sum();
    c->handle = c->legacy ? handle_create(HANDLE_CONTEXT, c) : NULL;
    if (c->handle)
        return c;
    if (c->legacy) {
        handle_take(c->legacy->handle, HANDLE_STREAM);
        stream_free(c->legacy);
    }
    order_line_free(c->gone);
    fault_box_release(atomic_load(&c->faults));
    pthread_mutex_destroy(&c->lock);
    free(c);
    return NULL;
}

// Waits, then frees everything in the context but its legacy stream.
static void context_clear(struct context *c)
{
    context_wait(c);
    for (;;) {
        pthread_mutex_lock(&c->lock);
        struct module *m =
            c->modules.next != &c->modules ? list_at(c->modules.next, offsetof(struct module, node)) : NULL;
        pthread_mutex_unlock(&c->lock);
        if (!m)
            break;
        module_drop(m);
    }
    while (c->events.next != &c->events) {
        struct event *e = list_at(c->events.next, offsetof(struct event, node));
        handle_take(e->handle, HANDLE_EVENT);
        event_free(e);
    }
    while (c->streams.next->next != &c->streams) { // the first is the legacy stream
        struct stream *s = list_at(c->streams.next->next, offsetof(struct stream, node));
        handle_take(s->handle, HANDLE_STREAM);
        stream_free(s);
    }
    texture_refs_clear(c);
    textures_clear(c);
    arrays_clear(c);
    check_context_over(c);
    graph_memory_clear(c->id);
    mempools_forget(c);
    memory_free_owner(c);
    mempools_release_all(c->device);
    c->peers.len = 0;
}

static void context_free(struct context *c)
{
    context_clear(c);
    handle_take(c->legacy->handle, HANDLE_STREAM);
    stream_free(c->legacy);
    order_line_free(c->gone);
    for (size_t i = 0; i < c->orphans.len; i++)
        op_release(c->orphans.data[i]);
    vec_free(&c->orphans);
    vec_free(&c->peers);
    fault_box_release(atomic_load(&c->faults));
    pthread_mutex_destroy(&c->lock);
    free(c);
}

// ---- primary contexts
struct context *context_primary(int device)
{
    if (!driver_threads_begin()) // before the lock, which another thread may hold for ever in a child
        return NULL;
    pthread_mutex_lock(&primaries[device].lock);
    if (!primaries[device].context)
        primaries[device].context = context_new(device, 0, true);
    struct context *c = primaries[device].context;
    pthread_mutex_unlock(&primaries[device].lock);
    return c;
}

static CUresult primary_check(CUdevice device)
{
    if (!driver_ready())
        return CUDA_ERROR_NOT_INITIALIZED;
    return device_valid(device) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

static void primary_renew(struct context *c)
{
    context_clear(c);
    struct fault_box *old = atomic_exchange(&c->faults, fault_box_new());
    fault_box_release(old);
    limits_reset(c);
}

CUresult primary_retain(CUcontext *context, CUdevice device)
{
    CUresult r = primary_check(device);
    if (r)
        return r;
    if (!context)
        return CUDA_ERROR_INVALID_VALUE;
    struct context *c = context_primary(device);
    if (!c)
        return CUDA_ERROR_OUT_OF_MEMORY;
    pthread_mutex_lock(&primaries[device].lock);
    bool first = !primaries[device].retained++;
    if (first) {
        c->flags = primaries[device].flags;
        atomic_store(&c->active, true);
    }
    pthread_mutex_unlock(&primaries[device].lock);
    if (first)
        tell_context(c, true);
    *context = c->handle;
    return CUDA_SUCCESS;
}

CUresult primary_release(CUdevice device)
{
    CUresult r = primary_check(device);
    if (r)
        return r;
    pthread_mutex_lock(&primaries[device].lock);
    struct context *c = primaries[device].context;
    if (!primaries[device].retained) {
        r = CUDA_ERROR_INVALID_CONTEXT;
    } else if (!--primaries[device].retained) {
        primary_renew(c);
        atomic_store(&c->active, false);
    }
    pthread_mutex_unlock(&primaries[device].lock);
    return r;
}

CUresult primary_reset(CUdevice device)
{
    CUresult r = primary_check(device);
    if (r)
        return r;
    pthread_mutex_lock(&primaries[device].lock);
    if (primaries[device].context)
        primary_renew(primaries[device].context);
    primaries[device].flags = 0;
    pthread_mutex_unlock(&primaries[device].lock);
    return CUDA_SUCCESS;
}

static bool flags_valid(unsigned flags)
{
    unsigned schedule = flags & CU_CTX_SCHED_MASK;
    return !(flags & ~(unsigned)CU_CTX_FLAGS_MASK) && (schedule < 3 || schedule == CU_CTX_SCHED_BLOCKING_SYNC);
}

CUresult primary_set_flags(CUdevice device, unsigned flags)
{
    CUresult r = primary_check(device);
    if (r)
        return r;
    if (!flags_valid(flags))
        return CUDA_ERROR_INVALID_VALUE;
    pthread_mutex_lock(&primaries[device].lock);
    primaries[device].flags = flags;
    if (primaries[device].context)
        primaries[device].context->flags = flags;
    pthread_mutex_unlock(&primaries[device].lock);
    return CUDA_SUCCESS;
}

CUresult primary_get_state(CUdevice device, unsigned *flags, int *active)
{
    CUresult r = primary_check(device);
    if (r)
        return r;
    if (!flags || !active)
        return CUDA_ERROR_INVALID_VALUE;
    pthread_mutex_lock(&primaries[device].lock);
    *flags = primaries[device].flags;
    *active = primaries[device].retained > 0;
    pthread_mutex_unlock(&primaries[device].lock);
    return CUDA_SUCCESS;
}

// ---- explicit contexts, and the stack
CUresult ctx_create(CUcontext *context, unsigned flags, CUdevice device)
{
    CUresult r = primary_check(device);
    if (r)
        return r;
    if (!context || !flags_valid(flags))
        return CUDA_ERROR_INVALID_VALUE;
    struct context *c = driver_threads_begin() ? context_new(device, flags, false) : NULL;
    if (!c)
        return CUDA_ERROR_OUT_OF_MEMORY;
    tell_context(c, true);
    *context = c->handle;
    return ctx_push(c->handle);
}

CUresult ctx_create_narrow(CUcontext *context, unsigned flags, CUdevice device)
{
    CUresult r = ctx_create(context, flags, device);
    if (!r)
        context_get(*context)->narrow = true;
    return r;
}

CUresult ctx_create_affinity(CUcontext *context, CUexecAffinityParam *affinity, int count, unsigned flags,
                             CUdevice device)
{
    if (count < 0 || (count && !affinity))
        return CUDA_ERROR_INVALID_VALUE;
    return count ? CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY : ctx_create(context, flags, device);
}

CUresult ctx_create_params(CUcontext *context, CUctxCreateParams *params, unsigned flags, CUdevice device)
{
    if (params && params->cigParams)
        return CUDA_ERROR_NOT_SUPPORTED;
    return ctx_create_affinity(context, params ? params->execAffinityParams : NULL,
                               params ? params->numExecAffinityParams : 0, flags, device);
}

CUresult ctx_destroy(CUcontext context)
{
    if (!driver_ready())
        return CUDA_ERROR_NOT_INITIALIZED;
    if (!context)
        return CUDA_ERROR_INVALID_VALUE;
    struct context *c = context_get(context);
    if (!c || c->primary || !handle_take(context, HANDLE_CONTEXT))
        return CUDA_ERROR_INVALID_CONTEXT;
    tell_context(c, false);
    context_leave(c);
    context_free(c);
    return CUDA_SUCCESS;
}

CUresult ctx_attach(CUcontext *context, unsigned flags)
{
    struct context *c;
    CUresult r = context_peek(&c);
    if (r)
        return r;
    if (!context || flags)
        return CUDA_ERROR_INVALID_VALUE;
    atomic_fetch_add(&c->attached, 1);
    *context = c->handle;
    return CUDA_SUCCESS;
}

CUresult ctx_detach(CUcontext context)
{
    struct context *c = context_get(context);
    if (!c)
        return CUDA_ERROR_INVALID_CONTEXT;
    return atomic_fetch_sub(&c->attached, 1) == 1 && !c->primary ? ctx_destroy(context) : CUDA_SUCCESS;
}
