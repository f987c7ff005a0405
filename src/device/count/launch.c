// SPDX-License-Identifier: Apache-2.0
// Which launches are counted, and what their blocks have for it.
#include "base/process/sanitizer.h"
#include "base/xmalloc.h"
#include "device/count/count.h"
#include "device/sched/runner.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

bool count_wanted;

struct count_launch {
    struct count_desc desc;
    const char *kernel;
    uint64_t run; // a number of its own for each time that it runs
    pthread_mutex_t lock;
    struct count_tally *tallies; // of all residents that have run blocks of it
    atomic_bool lost;            // there was no memory for it
};

void count_prepare(void)
{
    count_wanted = sanitizer_tools() & JIT_COUNT;
}

static bool is_counted(void)
{
    static atomic_ullong launches;
    uint64_t n = atomic_fetch_add(&launches, 1), skip = strtoull(sanitizer_setting("skip"), NULL, 10),
             count = strtoull(sanitizer_setting("count"), NULL, 10);
    return n >= skip && (!count || n - skip < count);
}

struct count_launch *count_launch_create(const struct count_desc *d, const char *kernel)
{
    if (!d || (!d->plan && !d->native) || !is_counted())
        return NULL;
    struct count_launch *c = xcalloc(1, sizeof *c);
    c->desc = *d;
    c->kernel = kernel;
    pthread_mutex_init(&c->lock, NULL);
    return c;
}

// ---- tallies
static struct count_tally *tally_create(const struct count_plan *p)
{
    struct count_tally *t = xcalloc(1, sizeof *t);
    t->warps = xcalloc(p->blocks.len + 1, sizeof *t->warps);
    t->threads = xcalloc(p->blocks.len + 1, sizeof *t->threads);
    t->insn = xcalloc(p->insns.len + 1, sizeof *t->insn);
    return t;
}

static void tally_destroy(struct count_tally *t)
{
    count_pages_free(&t->caches.reached);
    free(t->warps);
    free(t->threads);
    free(t->insn);
    free(t);
}

static void tally_add(struct count_tally *t, const struct count_tally *more, const struct count_plan *p)
{
    for (size_t b = 0; b < p->blocks.len; b++) {
        t->warps[b] += more->warps[b];
        t->threads[b] += more->threads[b];
    }
    for (size_t i = 0; i < p->insns.len; i++)
        for (unsigned f = 0; f < COUNT_FIELDS; f++)
            t->insn[i][f] += more->insn[i][f];
    count_caches_add(&t->caches, &more->caches);
}

static void tallies_drop(struct count_launch *c)
{
    for (struct count_tally *t = c->tallies, *next; t; t = next) {
        next = t->next;
        tally_destroy(t);
    }
    c->tallies = NULL;
}

void count_launch_begin(struct count_launch *c)
{
    static atomic_ullong runs;
    if (!c)
        return;
    tallies_drop(c);
    atomic_store(&c->lost, false);
    c->run = atomic_fetch_add(&runs, 1) + 1;
}

void count_launch_over(struct count_launch *c, const struct op *op, const struct jit_launch *l)
{
    if (!c)
        return;
    if (atomic_load(&c->lost)) {
        count_write_lost(c->kernel);
        return;
    }
    if (c->desc.native) {
        count_write(&c->desc, NULL, op, l, c->kernel);
        return;
    }
    struct count_tally *all = tally_create(c->desc.plan);
    pthread_mutex_lock(&c->lock);
    for (struct count_tally *t = c->tallies; t; t = t->next)
        tally_add(all, t, c->desc.plan);
    pthread_mutex_unlock(&c->lock);
    count_write(&c->desc, all, op, l, c->kernel);
    tally_destroy(all);
}

void count_launch_destroy(struct count_launch *c)
{
    if (!c)
        return;
    tallies_drop(c);
    pthread_mutex_destroy(&c->lock);
    free(c);
}

// ---- residents
static void warps_drop(struct count_blocks *s)
{
    for (uint32_t i = 0; i < s->nwarps; i++) {
        for (unsigned l = 0; l < 32; l++)
            free(s->warp[i].lane[l].word);
        free(s->warp[i].group);
        free(s->warp[i].local);
    }
    free(s->warp);
    s->warp = NULL;
    s->nwarps = 0;
    count_queues_forget(s);
}

static void warps_make(struct count_blocks *s, const struct jit_launch *l)
{
    uint32_t threads = l->block[0] * l->block[1] * l->block[2], n = (threads + 31) / 32;
    warps_drop(s);
    s->warp = xcalloc(n, sizeof *s->warp);
    s->nwarps = n;
    for (uint32_t i = 0; i < n; i++) {
        s->warp[i].all = threads - i * 32 >= 32 ? UINT32_MAX : (1u << (threads - i * 32)) - 1;
        for (unsigned l = 0; l < 32; l++)
            s->warp[i].lane[l].bulk.insn = COUNT_NONE;
    }
}

struct count_blocks *count_of(struct resident *r)
{
    return r->count && r->count->launch && !atomic_load_explicit(&r->count->launch->lost, memory_order_relaxed)
               ? r->count
               : NULL;
}

void count_launch_lose(struct count_launch *c)
{
    atomic_store(&c->lost, true);
}

// The resident's own, which it may have from blocks that it ran before those of another launch.
static struct count_tally *tally_of(struct count_launch *c, const struct count_blocks *s)
{
    pthread_mutex_lock(&c->lock);
    struct count_tally *t = c->tallies;
    while (t && t->owner != s)
        t = t->next;
    if (!t) {
        t = tally_create(s->plan);
        t->owner = s;
        t->next = c->tallies;
        c->tallies = t;
    }
    pthread_mutex_unlock(&c->lock);
    return t;
}

void count_resident(struct resident *r, struct count_launch *c)
{
    if (!r->count)
        r->count = xcalloc(1, sizeof *r->count);
    struct count_blocks *s = r->count;
    c = c && c->desc.native ? NULL : c;
    s->launch = c;
    if (!c || s->run == c->run)
        return;
    count_likes_drop(s);
    s->run = c->run;
    s->plan = c->desc.plan;
    s->block = &r->block;
    warps_make(s, r->block.launch);
    s->tally = tally_of(c, s);
    s->cached_block[0] = UINT32_MAX; // of no block yet
}

void count_resident_end(struct resident *r)
{
    if (r->count) {
        warps_drop(r->count);
        count_likes_drop(r->count);
        count_pages_free(&r->count->cached);
        count_pages_free(&r->count->copied);
    }
    free(r->count);
}
