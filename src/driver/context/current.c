// SPDX-License-Identifier: Apache-2.0
// The current context. Each thread has a stack of contexts; an entry remembers the context's number, so that a destroyed context
// is noticed even when its handle is reused.
#include "base/os.h"
#include "driver/driver.h"
#include <stdlib.h>

struct entry {
    CUcontext handle;
    uint64_t id;
};

struct thread_state {
    struct VEC(struct entry) stack;
};

static _Thread_local struct thread_state *self;

static void thread_end(void *p)
{
    struct thread_state *t = p;
    vec_free(&t->stack);
    free(t);
    self = NULL;
}

static struct os_thread_end at_end = {.end = thread_end};

static struct thread_state *thread_get(void)
{
    if (!self) {
        self = xcalloc(1, sizeof *self);
        os_at_thread_end(&at_end, self);
    }
    return self;
}

void fault_box_release(struct fault_box *b)
{
    if (b && atomic_fetch_sub(&b->refs, 1) == 1)
        free(b);
}

struct context *context_get(CUcontext handle)
{
    struct context *c = handle_get(handle, HANDLE_CONTEXT);
    return c && atomic_load(&c->active) ? c : NULL;
}

CUresult context_peek(struct context **out)
{
    struct thread_state *t = self;
    if (!t || !t->stack.len)
        return driver_ready() ? CUDA_ERROR_INVALID_CONTEXT : CUDA_ERROR_NOT_INITIALIZED;
    struct entry *e = &t->stack.data[t->stack.len - 1];
    struct context *c = handle_get(e->handle, HANDLE_CONTEXT);
    if (!c || c->id != e->id || !atomic_load_explicit(&c->active, memory_order_acquire))
        return CUDA_ERROR_CONTEXT_IS_DESTROYED;
    *out = c;
    return CUDA_SUCCESS;
}

CUresult context_fault(struct context *c)
{
    struct fault_box *b = atomic_load_explicit(&c->faults, memory_order_acquire);
    switch ((enum device_fault)atomic_load_explicit(&b->state.fault, memory_order_acquire)) {
    case FAULT_NONE:
        return CUDA_SUCCESS;
    case FAULT_ILLEGAL_ADDRESS:
    case FAULT_STACK:
        return CUDA_ERROR_ILLEGAL_ADDRESS;
    case FAULT_MISALIGNED:
        return CUDA_ERROR_MISALIGNED_ADDRESS;
    case FAULT_TRAP:
        return CUDA_ERROR_LAUNCH_FAILED;
    case FAULT_ASSERT:
        return CUDA_ERROR_ASSERT;
    case FAULT_ILLEGAL_INSTRUCTION:
        return CUDA_ERROR_ILLEGAL_INSTRUCTION;
    case FAULT_NOT_SUPPORTED:
        return CUDA_ERROR_NOT_SUPPORTED;
    case FAULT_OUT_OF_MEMORY:
        return CUDA_ERROR_OUT_OF_MEMORY;
    case FAULT_CHECKED:
        return CUDA_ERROR_LAUNCH_FAILED;
    case FAULT_TIMEOUT:
        return CUDA_ERROR_LAUNCH_TIMEOUT;
    }
    return CUDA_ERROR_UNKNOWN;
}

CUresult context_enter(struct context **out)
{
    CUresult r = context_peek(out);
    return r ? r : context_fault(*out);
}

void context_leave(const struct context *c)
{
    struct thread_state *t = self;
    if (t && t->stack.len && t->stack.data[t->stack.len - 1].id == c->id)
        t->stack.len--;
}

CUresult ctx_push(CUcontext context)
{
    if (!driver_ready())
        return CUDA_ERROR_NOT_INITIALIZED;
    struct context *c = context_get(context);
    if (!c)
        return CUDA_ERROR_INVALID_CONTEXT;
    vec_push(&thread_get()->stack, ((struct entry){c->handle, c->id}));
    return CUDA_SUCCESS;
}

CUresult ctx_pop(CUcontext *context)
{
    if (!driver_ready())
        return CUDA_ERROR_NOT_INITIALIZED;
    struct thread_state *t = thread_get();
    if (!t->stack.len)
        return CUDA_ERROR_INVALID_CONTEXT;
    t->stack.len--;
    if (context)
        *context = t->stack.data[t->stack.len].handle;
    return CUDA_SUCCESS;
}

CUresult ctx_set(CUcontext context)
{
    if (!driver_ready())
        return CUDA_ERROR_NOT_INITIALIZED;
    struct thread_state *t = thread_get();
    if (!context) {
        if (t->stack.len)
            t->stack.len--;
        return CUDA_SUCCESS;
    }
    struct context *c = context_get(context);
    if (!c)
        return CUDA_ERROR_INVALID_CONTEXT;
    if (!t->stack.len)
        return ctx_push(context);
    t->stack.data[t->stack.len - 1] = (struct entry){c->handle, c->id};
    return CUDA_SUCCESS;
}

CUresult ctx_get(CUcontext *context)
{
    if (!driver_ready())
        return CUDA_ERROR_NOT_INITIALIZED;
    if (!context)
        return CUDA_ERROR_INVALID_VALUE;
    *context = self && self->stack.len ? self->stack.data[self->stack.len - 1].handle : NULL;
    return CUDA_SUCCESS;
}
