// SPDX-License-Identifier: Apache-2.0
// The table of sums that a worker has not added to memory yet: src/jit/opt/privatise.c tells why and when. Kernels add to
// cells and windows themselves; here these are claimed and emptied. A table is empty while its thread runs no grid.
#include "base/reserve.h"
#include "device/hook/hooks.h"
#include "device/sched/runner.h"
#include <math.h>
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

// Adds element l of the sums to memory.
static void add_element(uint64_t at, const void *sums, uint32_t sum, unsigned l)
{
    switch (sum) {
    case JIT_SUM_I32:
        atomic_fetch_add_explicit((_Atomic(uint32_t) *)at + l, ((const uint32_t *)sums)[l], memory_order_relaxed);
        break;
    case JIT_SUM_I64:
        atomic_fetch_add_explicit((_Atomic(uint64_t) *)at + l, ((const uint64_t *)sums)[l], memory_order_relaxed);
        break;
    case JIT_SUM_F32:
        add_f32((_Atomic(uint32_t) *)at + l, ((const float *)sums)[l]);
        break;
    default:
        add_f64((_Atomic(uint64_t) *)at + l, ((const double *)sums)[l]);
    }
}

// The cell counts as free from here on, also when the address faults.
static void empty_cell(struct jit_cell *c)
{
    uint64_t at = c->address;
    c->address = 0;
    for (uint32_t lanes = c->lanes; at && lanes; lanes &= lanes - 1)
        add_element(at, c->value, c->sum, (unsigned)__builtin_ctz(lanes));
}

// What sums begin with, as a pattern of 8 bytes: adding it changes nothing.
static uint64_t zeros(uint32_t sum)
{
    return sum == JIT_SUM_F32 ? UINT64_C(0x8000000080000000) : sum == JIT_SUM_F64 ? UINT64_C(1) << 63 : 0;
}

// Free from here on, and zeros again, also when the address faults.
static void empty_window(struct jit_window *w)
{
    enum { GROUP = 8 };
    uint64_t at = w->address, zero = zeros(w->sum), *v = (uint64_t *)w->value;
    bool wide = w->sum == JIT_SUM_I64 || w->sum == JIT_SUM_F64;
    w->address = 0;
    for (unsigned i = 0; at && i < JIT_WINDOW_BYTES / sizeof *v; i += GROUP) {
        uint64_t some = 0;
        for (unsigned k = 0; k < GROUP; k++)
            some |= v[i + k] ^ zero;
        for (unsigned k = i; some && k < i + GROUP; k++) {
            uint64_t both = v[k];
            v[k] = zero;
            if (wide && both != zero)
                add_element(at + 8 * k, &both, w->sum, 0);
            for (unsigned h = 0; !wide && h < 2; h++)
                if ((uint32_t)(both >> 32 * h) != (uint32_t)zero)
                    add_element(at + 8 * k, &both, w->sum, h);
        }
    }
}

// Whether the memory at this address and what the kernel's pointers lead to are different allocations.
static bool is_disjoint(const struct jit_launch *l, uint64_t address, uint64_t params)
{
    struct memory_range mine, other;
    if (!memory_find((const void *)address, &mine))
        return false;
    for (; params; params &= params - 1) {
        const void *p;
        memcpy(&p, (const char *)l->args + 8 * __builtin_ctzll(params), sizeof p);
        if (p && (!memory_find(p, &other) || other.base == mine.base || (other.adopted && mine.adopted)))
            return false;
    }
    return true;
}

void hook_window(struct jit_block *b, uint32_t thread, struct jit_window *w, uint64_t address, uint32_t sum,
                 uint64_t params)
{
    (void)thread;
    unsigned size = sum == JIT_SUM_I64 || sum == JIT_SUM_F64 ? 8 : 4;
    if (w->refused == address)
        return;
    empty_window(w);
    if (!w->value && !(w->value = aligned_alloc(64, JIT_WINDOW_BYTES + JIT_WINDOW_SPARE)))
        w->refused = address;
    if (address % size || (params && !is_disjoint(b->launch, address, params)))
        w->refused = address;
    if (w->refused == address)
        return;
    if (w->held != sum)
        for (unsigned i = 0; i < (JIT_WINDOW_BYTES + JIT_WINDOW_SPARE) / 8; i++)
            ((uint64_t *)w->value)[i] = zeros(sum);
    w->sum = w->held = sum;
    w->address = address;
}

// Results that are merged

static uint64_t merge_two(uint32_t op, uint32_t sum, uint64_t x, uint64_t y)
{
    bool wide = sum == JIT_SUM_I64;
    int64_t a = wide ? (int64_t)x : (int32_t)x, b = wide ? (int64_t)y : (int32_t)y;
    switch (op) {
    case JIT_MERGE_MIN:
        return a < b ? x : y;
    case JIT_MERGE_MAX:
        return a > b ? x : y;
    case JIT_MERGE_UMIN:
        return x < y ? x : y;
    case JIT_MERGE_UMAX:
        return x > y ? x : y;
    case JIT_MERGE_AND:
        return x & y;
    case JIT_MERGE_OR:
        return x | y;
    case JIT_MERGE_XOR:
        return x ^ y;
    default:
        return x + y;
    }
}

// The operand that changes nothing, in 64 bits.
static uint64_t merge_nothing(uint32_t op, uint32_t sum)
{
    uint64_t sign = sum == JIT_SUM_I64 ? UINT64_C(1) << 63 : UINT64_C(0x8000000080000000);
    switch (op) {
    case JIT_MERGE_MIN:
        return ~sign;
    case JIT_MERGE_MAX:
        return sign;
    case JIT_MERGE_UMIN:
    case JIT_MERGE_AND:
        return UINT64_MAX;
    default:
        return zeros(sum);
    }
}

// Merges the elements and then the result into memory, by no more than a look where it changes nothing there.
static void merge_into_32(_Atomic(uint32_t) *to, const struct jit_merged *m)
{
    uint32_t x = (uint32_t)merge_nothing(m->op, m->sum);
    for (unsigned i = 0; i < JIT_MERGED_BYTES / 4; i++)
        x = (uint32_t)merge_two(m->op, m->sum, x, ((const uint32_t *)m->value)[i]);
    uint32_t old = atomic_load_explicit(to, memory_order_relaxed), now;
    while ((now = (uint32_t)merge_two(m->op, m->sum, old, x)) != old)
        if (atomic_compare_exchange_weak_explicit(to, &old, now, memory_order_relaxed, memory_order_relaxed))
            return;
}

static void merge_into_64(_Atomic(uint64_t) *to, const struct jit_merged *m)
{
    uint64_t x = merge_nothing(m->op, m->sum);
    for (unsigned i = 0; i < JIT_MERGED_BYTES / 8; i++)
        x = merge_two(m->op, m->sum, x, ((const uint64_t *)m->value)[i]);
    uint64_t old = atomic_load_explicit(to, memory_order_relaxed), now;
    while ((now = merge_two(m->op, m->sum, old, x)) != old)
        if (atomic_compare_exchange_weak_explicit(to, &old, now, memory_order_relaxed, memory_order_relaxed))
            return;
}

// Halves first: all of these are sums that LLVM would make too.
static void add_f32s(uint64_t at, const struct jit_merged *m)
{
    float x[JIT_MERGED_BYTES / sizeof(float)];
    memcpy(x, m->value, sizeof x);
    for (unsigned n = sizeof x / sizeof *x / 2; n; n /= 2)
        for (unsigned i = 0; i < n; i++)
            x[i] += x[i + n];
    if (x[0] != 0 || !signbit(x[0])) // what the parts began with
        add_f32((_Atomic(uint32_t) *)at, x[0]);
}

static void add_f64s(uint64_t at, const struct jit_merged *m)
{
    double x[JIT_MERGED_BYTES / sizeof(double)];
    memcpy(x, m->value, sizeof x);
    for (unsigned n = sizeof x / sizeof *x / 2; n; n /= 2)
        for (unsigned i = 0; i < n; i++)
            x[i] += x[i + n];
    if (x[0] != 0 || !signbit(x[0])) // what the parts began with
        add_f64((_Atomic(uint64_t) *)at, x[0]);
}

// Free from here on, also when the address faults.
static void empty_merged(struct jit_merged *m)
{
    uint64_t at = m->address;
    m->address = 0;
    if (!at)
        return;
    if (m->sum == JIT_SUM_F32)
        add_f32s(at, m);
    else if (m->sum == JIT_SUM_F64)
        add_f64s(at, m);
    else if (m->sum == JIT_SUM_I64)
        merge_into_64((_Atomic(uint64_t) *)at, m);
    else
        merge_into_32((_Atomic(uint32_t) *)at, m);
}

uint32_t hook_merge(struct jit_block *b, uint32_t thread, struct jit_merged *m, uint64_t address, uint32_t kind,
                    uint64_t params)
{
    (void)thread;
    uint32_t sum = kind & 255, op = kind >> 8;
    unsigned size = sum == JIT_SUM_I64 || sum == JIT_SUM_F64 ? 8 : 4;
    if (m->refused == address)
        return JIT_MERGE_REFUSED;
    empty_merged(m);
    if (address % size || !is_disjoint(b->launch, address, params)) {
        m->refused = address;
        return JIT_MERGE_REFUSED;
    }
    for (unsigned i = 0; i < JIT_MERGED_BYTES / 8; i++)
        ((uint64_t *)m->value)[i] = merge_nothing(op, sum);
    m->sum = sum;
    m->op = op;
    m->address = address;
    return JIT_MERGE_TAKEN;
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

bool sums_begin(struct resident *r)
{
    if (!r->block.table && (r->block.table = reserve_alloc(64, sizeof *r->block.table)))
        memset(r->block.table, 0, sizeof *r->block.table);
    for (unsigned i = 0; r->block.table && i < JIT_WINDOWS; i++)
        r->block.table->window[i].refused = 0;
    for (unsigned i = 0; r->block.table && i < JIT_MERGED; i++)
        r->block.table->merged[i].refused = 0;
    return r->block.table;
}

void sums_flush(struct resident *r)
{
    struct jit_table *t = r->block.table;
    for (uint64_t used = t->used; used; used &= used - 1)
        empty_cell(&t->cell[__builtin_ctzll(used)]);
    t->used = 0;
    for (unsigned i = 0; i < JIT_WINDOWS; i++)
        if (t->window[i].address)
            empty_window(&t->window[i]);
    for (unsigned i = 0; i < JIT_MERGED; i++)
        empty_merged(&t->merged[i]);
}

void sums_drop(struct resident *r)
{
    struct jit_table *t = r->block.table;
    if (!t)
        return;
    t->used = 0;
    memset(t->cell, 0, sizeof t->cell);
    for (unsigned i = 0; i < JIT_WINDOWS; i++)
        t->window[i].address = t->window[i].held = 0;
    for (unsigned i = 0; i < JIT_MERGED; i++)
        t->merged[i].address = 0;
}

void sums_end(struct resident *r)
{
    for (unsigned i = 0; r->block.table && i < JIT_WINDOWS; i++)
        free(r->block.table->window[i].value);
    free(r->block.table);
    r->block.table = NULL;
}
