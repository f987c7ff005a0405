// The table of sums that a worker has not added to memory yet: src/jit/scalar/collect.c tells why and when. Kernels add to
// cells themselves; here cells are claimed and emptied. A table is empty while its thread runs no grid.
#include "device/hooks.h"
#include "device/runner.h"
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { ELEMENTS = JIT_CELL_BYTES / 4 };

static void add_f32(_Atomic(uint32_t) *to, float x)
{
    uint32_t old = atomic_load_explicit(to, memory_order_relaxed), now;
    float f;
    do {
        memcpy(&f, &old, sizeof f);
        f += x;
        memcpy(&now, &f, sizeof now);
    } while (!atomic_compare_exchange_weak_explicit(to, &old, now, memory_order_relaxed, memory_order_relaxed));
}

static void add_f64(_Atomic(uint64_t) *to, double x)
{
    uint64_t old = atomic_load_explicit(to, memory_order_relaxed), now;
    double f;
    do {
        memcpy(&f, &old, sizeof f);
        f += x;
        memcpy(&now, &f, sizeof now);
    } while (!atomic_compare_exchange_weak_explicit(to, &old, now, memory_order_relaxed, memory_order_relaxed));
}

// The cell counts as free from here on, also when the address faults.
static void empty_cell(struct jit_cell *c)
{
    uint64_t at = c->address;
    const void *v = c->value;
    c->address = 0;
    for (uint32_t lanes = c->lanes; at && lanes; lanes &= lanes - 1) {
        unsigned l = (unsigned)__builtin_ctz(lanes);
        switch (c->sum) {
        case JIT_SUM_I32:
            atomic_fetch_add_explicit((_Atomic(uint32_t) *)at + l, ((const uint32_t *)v)[l], memory_order_relaxed);
            break;
        case JIT_SUM_I64:
            atomic_fetch_add_explicit((_Atomic(uint64_t) *)at + l, ((const uint64_t *)v)[l], memory_order_relaxed);
            break;
        case JIT_SUM_F32:
            add_f32((_Atomic(uint32_t) *)at + l, ((const float *)v)[l]);
            break;
        default:
            add_f64((_Atomic(uint64_t) *)at + l, ((const double *)v)[l]);
        }
    }
}

void hook_collect(struct jit_block *b, uint32_t thread, struct jit_cell *c, uint64_t address, uint32_t sum)
{
    (void)thread;
    empty_cell(c);
    for (unsigned i = 0; i < ELEMENTS; i++) {
        if (sum == JIT_SUM_F32)
            ((float *)c->value)[i] = -0.0f;
        else if (sum == JIT_SUM_F64 && i < ELEMENTS / 2)
            ((double *)c->value)[i] = -0.0;
        else if (sum != JIT_SUM_F64)
            ((uint32_t *)c->value)[i] = 0;
    }
    c->lanes = 0;
    c->sum = sum;
    c->address = address;
    b->table->used |= UINT64_C(1) << (c - b->table->cell);
}

bool collect_begin(struct resident *r)
{
    if (!r->block.table && (r->block.table = aligned_alloc(64, sizeof *r->block.table)))
        memset(r->block.table, 0, sizeof *r->block.table);
    return r->block.table;
}

void collect_flush(struct resident *r)
{
    struct jit_table *t = r->block.table;
    for (uint64_t used = t->used; used; used &= used - 1)
        empty_cell(&t->cell[__builtin_ctzll(used)]);
    t->used = 0;
}

void collect_drop(struct resident *r)
{
    if (r->block.table)
        memset(r->block.table, 0, sizeof *r->block.table);
}
