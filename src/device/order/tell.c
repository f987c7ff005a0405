// SPDX-License-Identifier: Apache-2.0
// See tell.h.
#include "device/order/tell.h"
#include "device/check/check.h"
#include "device/sched/launch_op.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const uint16_t all_writes = RUN_WRITE | RUN_ATOMIC;

void told_add(struct told *t, const struct run *a, const struct run *b, uint64_t from, uint64_t to)
{
    for (size_t i = 0; i < t->len; i++) {
        struct told_pair *p = &t->data[i];
        if (p->a.site == a->site && p->b.site == b->site && !(p->a.how & all_writes) == !(a->how & all_writes) &&
            !(p->b.how & all_writes) == !(b->how & all_writes)) {
            p->bytes += to - from;
            return;
        }
    }
    vec_push(t, ((struct told_pair){*a, *b, from, to - from}));
}

// One of the two: who and where.
struct side {
    const struct record *record;
    const struct run *run;
    const struct launch_op *launch; // of a kernel
    uint32_t pc;
};

static struct side side_of(const struct record *r, const struct run *run)
{
    struct side s = {r, run, (const struct launch_op *)r->op, 0};
    if (s.launch)
        s.pc = s.launch->check->site_pc[run->site];
    return s;
}

static const char *how_name(const struct run *r)
{
    return r->how & RUN_WRITE ? "Write" : r->how & RUN_ATOMIC ? "Atomic" : "Read";
}

static const char *const kinds[] = {
    [ORDER_COPY] = "copy", [ORDER_FILL] = "fill", [ORDER_ALLOC] = "allocation", [ORDER_FREE] = "free"};

static void add_place(struct sanitizer_report *out, const struct side *s, const char *before, const char *after)
{
    char line[300] = "";
    if (s->launch) {
        const struct check_launch *c = s->launch->check;
        if (!jit_code_line((const char *)c->code->start + s->pc - 1, line, sizeof line))
            line[0] = 0;
        sanitizer_add(out, "T\t%s%s access\t%s\t0x%x\t%s\t%s\n", before, how_name(s->run), c->kernel, s->pc, line,
                      after);
    } else if (s->run->how & RUN_OWN) {
        sanitizer_add(out, "L\t%s%s of %zu bytes%s\n", before, kinds[s->record->kind], s->record->bytes, after);
    } else {
        sanitizer_add(out, "L\t%s%s access of a %s of %zu bytes%s\n", before, how_name(s->run), kinds[s->record->kind],
                      s->record->bytes, after);
    }
}

static void add_who(struct sanitizer_report *out, const struct side *s, uint64_t at)
{
    const struct run *r = s->run;
    if (s->launch) {
        const uint32_t *n = s->launch->launch.block, *g = s->launch->launch.grid;
        uint32_t t = r->thread + (r->per ? (uint32_t)((at / 4 - r->from / 4) / r->per) * r->step : 0);
        sanitizer_add(out, "thread (%u,%u,%u) in block (%u,%u,%u)", t % n[0], t / n[0] % n[1], t / n[0] / n[1],
                      (unsigned)(r->block % g[0]), (unsigned)(r->block / g[0] % g[1]),
                      (unsigned)(r->block / g[0] / g[1]));
    } else {
        sanitizer_add(out, "the %s", kinds[s->record->kind]);
    }
    sanitizer_add(out, " in %s", s->record->order->name);
}

static void add_stack(struct sanitizer_report *out, const struct side *s, const char *which)
{
    char heading[120];
    snprintf(heading, sizeof heading, "Saved host backtrace up to driver entry point of the %s operation", which);
    sanitizer_add_stack(out, heading, &s->record->order->stack);
}

// ---- what was told
struct key {
    uint64_t place[2]; // the code, or the frames that called
    uint32_t pc[2], writes[2];
};

static void key_side(struct key *k, int i, const struct side *s)
{
    const struct sanitizer_stack *stack = &s->record->order->stack;
    uint64_t frames = (uint64_t)s->record->kind + 1;
    for (unsigned f = 0; f < stack->n; f++)
        frames = (frames ^ (uint64_t)(uintptr_t)stack->frame[f]) * UINT64_C(0x100000001b3);
    k->place[i] = s->launch ? (uint64_t)(uintptr_t)s->launch->check->code : frames;
    k->pc[i] = s->pc;
    k->writes[i] = (s->run->how & all_writes) != 0;
}

static bool is_told(const struct side *a, const struct side *b)
{
    static struct VEC(struct key) keys;
    struct key k, turned;
    memset(&k, 0, sizeof k);
    key_side(&k, 0, a);
    key_side(&k, 1, b);
    memset(&turned, 0, sizeof turned);
    key_side(&turned, 0, b);
    key_side(&turned, 1, a);
    for (size_t i = 0; i < keys.len; i++)
        if (!memcmp(&keys.data[i], &k, sizeof k) || !memcmp(&keys.data[i], &turned, sizeof k))
            return true;
    vec_push(&keys, k);
    return false;
}

static void send_pair(const struct told_pair *p, const struct record *x, const struct record *y)
{
    struct side a = side_of(x, &p->a), b = side_of(y, &p->b), first = a, second = b;
    struct memory_range range;
    char bytes[64];
    if (is_told(&a, &b))
        return;
    if (x->order->serial > y->order->serial) {
        first = b;
        second = a;
    }
    struct sanitizer_report *out = malloc(sizeof *out);
    if (!out)
        return;
    out->len = 0;
    snprintf(bytes, sizeof bytes, " [%llu bytes]", (unsigned long long)p->bytes);
    if (order_owned) {
        bool before = first.run->how & RUN_OWN && first.record->kind == ORDER_ALLOC;
        sanitizer_add(out, "K\terror\nH\tStream-ordered race (use %s)\n", before ? "before allocation" : "after free");
        bytes[0] = 0;
    } else {
        sanitizer_add(out, "K\thazard\n");
    }
    add_place(out, &first, order_owned ? "between " : "Error: Race reported between ", "");
    add_place(out, &second, "and ", bytes);
    sanitizer_add(out, "L\tby ");
    add_who(out, &first, p->at);
    sanitizer_add(out, " and ");
    add_who(out, &second, p->at);
    sanitizer_add(out, "\nL\twhich nothing orders, at 0x%llx", (unsigned long long)p->at);
    if (record_allocation(p->at, &range) && range.base)
        sanitizer_add(out, " in the allocation at 0x%llx of size %zu bytes", (unsigned long long)(uintptr_t)range.base,
                      range.size);
    sanitizer_add(out, "\n");
    add_stack(out, &first, "first");
    add_stack(out, &second, "second");
    sanitizer_send(out);
    free(out);
}

void told_send(const struct told *t, const struct record *x, const struct record *y)
{
    for (size_t i = 0; i < t->len; i++)
        send_pair(&t->data[i], x, y);
}
