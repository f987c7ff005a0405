// SPDX-License-Identifier: Apache-2.0
// See order.h: lines, places of operations, and what the program knows.
#include "device/order/clock.h"
#include "jit/abi/check.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

atomic_bool order_wanted;
unsigned order_owned;

static const uint32_t NO_LINE = UINT32_MAX;
struct order_line {
    uint32_t index;
    struct order_clock clock; // what its next operation comes behind
    char name[ORDER_NAME];
};
enum { LATE_LEAST = 64 };
struct late {
    struct order_clock known;
    uint32_t line;
    uint64_t time;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool possible;              // a tool asks
static struct order_clock times;   // by line: of its last operation
static struct VEC(uint32_t) spare; // lines that nobody has
static struct order_clock host;    // what the program knows
static struct VEC(struct late) late;
static struct order *first_open;

void order_prepare(void)
{
    const char *owned = sanitizer_tools() & JIT_CHECK_MEMORY ? sanitizer_setting("stream-ordered") : "";
    order_owned = !strcmp(owned, "all")                ? ORDER_BEFORE_ALLOC | ORDER_AFTER_FREE
                  : !strcmp(owned, "use-before-alloc") ? ORDER_BEFORE_ALLOC
                  : !strcmp(owned, "use-after-free")   ? ORDER_AFTER_FREE
                                                       : 0;
    possible = sanitizer_tools() & JIT_CHECK_RACE || order_owned;
}

void order_lock(void)
{
    pthread_mutex_lock(&lock);
}

void order_unlock(void)
{
    pthread_mutex_unlock(&lock);
}

// ---- clocks
static void reach(struct order_clock *c, uint32_t line, uint64_t time)
{
    while (c->len <= line)
        vec_push(c, 0);
    if (c->data[line] < time)
        c->data[line] = time;
}

void order_clock_join(struct order_clock *c, const struct order_clock *from)
{
    for (uint32_t i = 0; i < from->len; i++)
        if (from->data[i])
            reach(c, i, from->data[i]);
}

// ---- lines
// A line that another one had goes on with its times: who knows something of the new one counts as knowing all of the old one.
struct order_line *order_line_make(const char *name, bool several)
{
    if (!possible)
        return NULL;
    struct order_line *l = xcalloc(1, sizeof *l);
    snprintf(l->name, sizeof l->name, "%s", name);
    pthread_mutex_lock(&lock);
    if (spare.len) {
        l->index = spare.data[--spare.len];
    } else {
        l->index = (uint32_t)times.len;
        vec_push(&times, 0);
    }
    if (several)
        atomic_store(&order_wanted, true);
    pthread_mutex_unlock(&lock);
    return l;
}

struct order_line *order_line_sum(void)
{
    if (!possible)
        return NULL;
    struct order_line *l = xcalloc(1, sizeof *l);
    l->index = NO_LINE;
    return l;
}

void order_line_free(struct order_line *l)
{
    if (!l)
        return;
    pthread_mutex_lock(&lock);
    if (l->index != NO_LINE)
        vec_push(&spare, l->index);
    pthread_mutex_unlock(&lock);
    vec_free(&l->clock);
    free(l);
}

void order_line_join(struct order_line *l, const struct order_line *from)
{
    if (!l || !from)
        return;
    pthread_mutex_lock(&lock);
    order_clock_join(&l->clock, &from->clock);
    pthread_mutex_unlock(&lock);
}

void order_line_behind(struct order_line *l, const struct op *dep)
{
    if (l && dep && dep->order)
        order_line_joins(l, dep->order);
}

void order_line_joins(struct order_line *l, const struct order *step)
{
    pthread_mutex_lock(&lock);
    order_clock_join(&l->clock, &step->clock);
    pthread_mutex_unlock(&lock);
}

// ---- places
// The next of the line, behind what the clock of it has already; with the lock.
static void take_place(struct order *o, struct order_line *l)
{
    static uint64_t serials;
    o->serial = ++serials;
    o->line = l->index;
    o->time = ++times.data[l->index];
    reach(&o->clock, o->line, o->time);
    snprintf(o->name, sizeof o->name, "%s", l->name);
}

static void open_place(struct order *o)
{
    o->open = true;
    o->next = first_open;
    if (first_open)
        first_open->prev = o;
    first_open = o;
}

static void close_place(struct order *o)
{
    if (!o->open)
        return;
    o->open = false;
    if (o->prev)
        o->prev->next = o->next;
    else
        first_open = o->next;
    if (o->next)
        o->next->prev = o->prev;
}

static struct order *order_new(void)
{
    struct order *o = xcalloc(1, sizeof *o);
    atomic_init(&o->refs, 1);
    return o;
}

void order_op(struct order_line *l, struct op *op)
{
    if (!l)
        return;
    struct order *o = order_new();
    bool touches = op->flags & OP_TOUCHES;
    if (touches && strcmp(sanitizer_setting("backtrace"), "no"))
        sanitizer_stack_take(&o->stack, 1);
    pthread_mutex_lock(&lock);
    order_clock_join(&o->clock, &host);
    order_clock_join(&o->clock, &l->clock);
    take_place(o, l);
    order_clock_join(&l->clock, &o->clock);
    if (touches)
        open_place(o);
    pthread_mutex_unlock(&lock);
    op->order = o;
}

struct order *order_step(struct order_line *l, const struct order *begin, struct order *const *before, size_t n,
                         const struct sanitizer_stack *stack)
{
    struct order *o = order_new();
    o->stack = *stack;
    pthread_mutex_lock(&lock);
    order_clock_join(&o->clock, &begin->clock);
    for (size_t i = 0; i < n; i++)
        order_clock_join(&o->clock, &before[i]->clock);
    take_place(o, l);
    open_place(o);
    pthread_mutex_unlock(&lock);
    return o;
}

struct order *order_retain(struct order *o)
{
    if (o)
        atomic_fetch_add(&o->refs, 1);
    return o;
}

void order_release(struct order *o)
{
    if (!o || atomic_fetch_sub(&o->refs, 1) != 1)
        return;
    pthread_mutex_lock(&lock);
    close_place(o);
    pthread_mutex_unlock(&lock);
    vec_free(&o->clock);
    free(o);
}

void order_set(struct op *op, struct order *o)
{
    struct order *old = op->order;
    op->order = order_retain(o);
    order_release(old);
}

void order_over(struct order *o)
{
    close_place(o);
}

void order_end(struct order *o)
{
    pthread_mutex_lock(&lock);
    close_place(o);
    pthread_mutex_unlock(&lock);
}

// ---- what the program knows
void order_told_line(const struct order_line *l)
{
    if (!l)
        return;
    pthread_mutex_lock(&lock);
    order_clock_join(&host, &l->clock);
    pthread_mutex_unlock(&lock);
}

void order_told_op(const struct op *op)
{
    if (!op || !op->order)
        return;
    pthread_mutex_lock(&lock);
    order_clock_join(&host, &op->order->clock);
    pthread_mutex_unlock(&lock);
}

// ---- what is of no use any more
struct order_clock order_low(void)
{
    struct order_clock low = {0};
    order_clock_join(&low, &host);
    for (const struct order *o = first_open; o; o = o->next)
        for (uint32_t i = 0; i < low.len; i++)
            if (order_clock_at(&o->clock, i) < low.data[i])
                low.data[i] = order_clock_at(&o->clock, i);
    return low;
}

void order_late_drop(const struct order_clock *low)
{
    size_t kept = 0;
    for (size_t i = 0; i < late.len; i++) {
        bool known = true;
        for (uint32_t k = 0; k < late.data[i].known.len; k++)
            known &= late.data[i].known.data[k] <= order_clock_at(low, k);
        if (known)
            vec_free(&late.data[i].known);
        else
            late.data[kept++] = late.data[i];
    }
    late.len = kept;
}

// ---- late edges
void order_late(const struct order_clock *known, const struct order *o)
{
    static size_t drop_at = LATE_LEAST;
    struct late e = {.line = o->line, .time = o->time};
    for (uint32_t i = 0; i < known->len; i++)
        if (known->data[i] > order_clock_at(&o->clock, i))
            reach(&e.known, i, known->data[i]);
    if (!e.known.len)
        return;
    if (late.len >= drop_at) {
        struct order_clock low = order_low();
        order_late_drop(&low);
        vec_free(&low);
        drop_at = 2 * late.len > LATE_LEAST ? 2 * late.len : LATE_LEAST;
    }
    vec_push(&late, e);
}

static void learn(const struct op *op, const struct order_clock *known)
{
    if (!op->order)
        return;
    pthread_mutex_lock(&lock);
    order_late(known, op->order);
    pthread_mutex_unlock(&lock);
}

void order_learns(const struct op *op)
{
    learn(op, &host);
}

void order_learns_all(const struct op *op)
{
    learn(op, &times);
}

struct order_clock order_knowledge(const struct order *o)
{
    struct order_clock c = {0};
    order_clock_join(&c, &o->clock);
    for (bool more = true; more;) {
        more = false;
        for (size_t i = 0; i < late.len; i++) {
            const struct late *e = &late.data[i];
            if (order_clock_at(&c, e->line) < e->time)
                continue;
            for (uint32_t k = 0; k < e->known.len; k++)
                more |= e->known.data[k] > order_clock_at(&c, k);
            order_clock_join(&c, &e->known);
        }
    }
    return c;
}
