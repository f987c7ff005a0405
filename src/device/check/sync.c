// SPDX-License-Identifier: Apache-2.0
// synccheck: barriers that not all threads of a block come to, and arguments that a barrier does not take. A barrier of the whole block
// is right when every thread has come to as many as every other when the block ends; a thread that ended before is one that did not come.
#include "device/check/sync.h"
#include "device/sched/runner.h"
#include <stdlib.h>
#include <string.h>

enum { THREADS = 1024, BARRIERS = 16, WARP = 32 };

struct sync_block {
    const struct jit_launch *launch;
    uint64_t linear;
    uint32_t exited;
    uint32_t most;       // barriers of the whole block that the thread with the most has come to
    const void *most_pc; // the last of these
    uint32_t count[THREADS];
    struct sync_objects objects;
};

void sync_resident(struct resident *r)
{
    if (r->sync)
        r->sync->launch = NULL;
}

void sync_resident_end(struct resident *r)
{
    free(r->sync);
}

static struct sync_block *block_of(struct jit_block *b)
{
    struct resident *r = b->engine;
    struct sync_block *k = r->sync;
    if (k && k->launch == b->launch && k->linear == b->linear)
        return k;
    if (!k && !(k = r->sync = calloc(1, sizeof *k)))
        return NULL;
    memset(k, 0, sizeof *k);
    k->launch = b->launch;
    k->linear = b->linear;
    return k;
}

void sync_tell(const struct sync_teller *t, const char *what)
{
    struct sanitizer_report *r = check_report("error", "Barrier error detected. %s", what);
    check_report_at(r, t->check, t->pc);
    check_report_thread(r, t->block, t->thread);
    check_report_end(r, t->check);
}

static void tell(const struct check_launch *c, const struct jit_block *b, uint32_t thread, const void *pc,
                 const char *what)
{
    sync_tell(&(struct sync_teller){c, b, thread, pc}, what);
}

void sync_object_call(const struct object_call *call)
{
    struct sync_block *k = block_of(call->block);
    if (k)
        sync_object_note(&k->objects, call);
}

static void arrive(const struct check_launch *c, const struct jit_block *b, struct sync_block *k, uint32_t thread,
                   uint32_t number, const void *pc)
{
    uint32_t id = number % CHECK_PARTIAL, threads = number >> CHECK_THREADS_AT;
    if (id > BARRIERS) // the cluster's comes behind those
        tell(c, b, thread, pc, "Invalid arguments");
    else if (id == BARRIERS && number & CHECK_PARTIAL)
        return;
    else if (number & CHECK_PARTIAL && threads % WARP)
        tell(c, b, thread, pc, "Invalid arguments");
    else if (!(number & CHECK_PARTIAL) && ++k->count[thread] > k->most) {
        k->most = k->count[thread];
        k->most_pc = pc;
    }
}

static void end(const struct check_launch *c, const struct jit_block *b, struct sync_block *k)
{
    const uint32_t *n = b->launch->block, threads = n[0] * n[1] * n[2];
    if (++k->exited < threads)
        return;
    for (uint32_t t = 0; t < threads && t < THREADS; t++)
        if (k->count[t] < k->most)
            tell(c, b, t, k->most_pc, "Divergent thread(s) in block");
}

void sync_note(const struct check_launch *c, const struct sync_call *s)
{
    struct sync_block *k = block_of(s->block);
    for (uint32_t rest = s->lanes; k && rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest), thread = (s->first + lane) % THREADS;
        if (s->how == CHECK_BARRIER_BEFORE)
            arrive(c, s->block, k, thread, s->number[lane], s->pc);
        else if (s->how == CHECK_WARP_BEFORE && !(s->number[lane] >> thread % WARP & 1))
            tell(c, s->block, thread, s->pc, "Invalid arguments");
        else if (s->how == CHECK_EXIT)
            end(c, s->block, k);
    }
}
