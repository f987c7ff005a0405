// SPDX-License-Identifier: Apache-2.0
// See state.h.
#include "device/debug/state.h"
#include "base/env.h"
#include <pthread.h>
#include <stddef.h>
#include <string.h>
#include <ucontext.h>

// Where src/debugger/state.py finds things.
_Static_assert(sizeof(struct debug_thread) == 32 && sizeof(struct debug_block) == 128 &&
                   offsetof(struct debug_block, ctaid) == 72 && offsetof(struct debug_exception, at) == 40 &&
                   offsetof(struct debug_state, exception) == 40 && offsetof(struct debug_state, device) == 464 &&
                   offsetof(struct debug_state, capability) == 532,
               "count DEBUG_VERSION up");

struct debug_state heddle_debug = {.magic = "heddle", .version = DEBUG_VERSION};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

bool debug_wanted(void)
{
    return !strcmp(env_get("HEDDLE_DEBUGGER"), "1");
}

void debug_block_add(struct debug_block *d)
{
    pthread_mutex_lock(&lock);
    d->before = NULL;
    d->next = heddle_debug.blocks;
    if (d->next)
        d->next->before = d;
    heddle_debug.blocks = d;
    pthread_mutex_unlock(&lock);
}

void debug_block_remove(struct debug_block *d)
{
    pthread_mutex_lock(&lock);
    *(d->before ? &d->before->next : &heddle_debug.blocks) = d->next;
    if (d->next)
        d->next->before = d->before;
    pthread_mutex_unlock(&lock);
}

void debug_block_fill(struct debug_block *d, const struct jit_block *block, const char *kernel)
{
    const struct jit_launch *l = block->launch;
    d->kernel = kernel;
    d->launch = l;
    d->block = block;
    d->grid_id = l->grid_id;
    d->shared = (uint64_t)(uintptr_t)block->shared;
    d->shared_bytes = block->shared_bytes;
    d->count = l->block[0] * l->block[1] * l->block[2];
    d->smid = block->smid;
    memcpy(d->ctaid, block->ctaid, sizeof d->ctaid);
    memcpy(d->grid, l->grid, sizeof d->grid);
    memcpy(d->shape, l->block, sizeof d->shape);
    memcpy(d->cluster, l->cluster, sizeof d->cluster);
}

void debug_device(const char *name, uint32_t multiprocessors, uint32_t capability)
{
    size_t n = strnlen(name, sizeof heddle_debug.device - 1);
    memcpy(heddle_debug.device, name, n);
    heddle_debug.multiprocessors = multiprocessors;
    heddle_debug.capability = capability;
}

#define STOP(name)                                                                                                     \
    __attribute__((noinline)) void name(void)                                                                          \
    {                                                                                                                  \
        __asm__ volatile("" ::: "memory");                                                                             \
    }
STOP(heddle_debug_launch)
STOP(heddle_debug_waits)
STOP(heddle_debug_ended)
STOP(heddle_debug_exception)

void debug_exception(enum device_fault fault, const void *address, const void *pc, int64_t thread,
                     const struct jit_block *block, const char *kernel, void *context)
{
    struct debug_exception *e = &heddle_debug.exception;
    struct debug_thread *threads = NULL;
    pthread_mutex_lock(&lock); // a kernel's thread is in none of the functions that hold it
    for (const struct debug_block *d = heddle_debug.blocks; block && d; d = d->next)
        if (d->block == block) {
            threads = d->threads;
            thread = thread < 0 ? d->current : thread;
        }
    *e = (struct debug_exception){.fault = fault,
                                  .known = 1,
                                  .address = (uint64_t)(uintptr_t)address,
                                  .pc = (uint64_t)(uintptr_t)pc,
                                  .thread = thread,
                                  .serial = e->serial + 1};
    if (block) {
        debug_block_fill(&e->at, block, NULL);
        e->at.threads = threads;
        if (thread < 0 && block->first_thread < e->at.count)
            e->thread = block->first_thread;
    }
    if (block && kernel) {
        size_t n = strnlen(kernel, sizeof e->kernel - 1);
        memcpy(e->kernel, kernel, n);
        e->at.kernel = e->kernel;
    }
    heddle_debug_exception();
    core_write(context);
    pthread_mutex_unlock(&lock);
}
