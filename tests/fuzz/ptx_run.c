// SPDX-License-Identifier: Apache-2.0
// The reference: executes random PTX kernels on the host, thread by thread up to where each waits; see ptx_program.h.
#include "ptx_program.h"
#include <stdlib.h>
#include <string.h>

enum { RUN, WAIT, GATHER, DONE };
enum { STEPS = 20000 }; // of one thread
struct frame {
    uint32_t r[WORDS], m[MASKS], f[COUNTERS];
    uint64_t D[DOUBLES];
    uint16_t h[HALVES];
    bool p[PREDICATES];
};
struct thread {
    struct frame f;
    size_t pc;
    unsigned l, steps;
    int state;
    uint32_t mask, id, waits_for, yes, waited;
    bool vote;
    uint64_t value, got[32];
    uint8_t local[OWN], shared[OWN];
};
struct machine {
    const struct ptx_program *p;
    struct ptx_memory *m;
    struct thread *t;
    uint32_t slots[THREADS_MAX], cells[CELLS];
    unsigned block;
};

static size_t find(const struct code *c, int label)
{
    size_t i = 0;
    while (!(c->data[i].kind == INS_LABEL && c->data[i].label[0] == label))
        i++;
    return i;
}

static uint64_t get(const struct frame *f, int class, int reg)
{
    switch (class) {
    case CLASS_WORD:
        return f->r[reg % WORDS];
    case CLASS_DOUBLE:
        return f->D[reg % DOUBLES];
    case CLASS_HALF:
        return f->h[reg % HALVES];
    case CLASS_PREDICATE:
        return f->p[reg % PREDICATES];
    }
    return 0;
}

static void put(struct frame *f, int class, int reg, uint64_t x)
{
    if (class == CLASS_WORD)
        f->r[reg % WORDS] = (uint32_t)x;
    else if (class == CLASS_DOUBLE)
        f->D[reg % DOUBLES] = x;
    else if (class == CLASS_HALF)
        f->h[reg % HALVES] = (uint16_t)x;
    else
        f->p[reg % PREDICATES] = x & 1;
}

static void quiet(struct frame *f, char kind, int class, int reg)
{
    uint64_t x = get(f, class, reg);
    if (kind == 'f' && (x & 0x7fffffff) > 0x7f800000)
        put(f, class, reg, 0x7fffffff);
    else if (kind == 'F' && (x & INT64_MAX) > 0x7ff0000000000000)
        put(f, class, reg, INT64_MAX);
    else if ((kind == 'h' && (x & 0x7fff) > 0x7c00) || (kind == 'b' && (x & 0x7fff) > 0x7f80))
        put(f, class, reg, 0x7fff);
}

static void operation(struct frame *f, const struct ins *i, bool on)
{
    const struct op_test *o = i->op;
    int d = ptx_op_class(o, 'd');
    for (int k = 0; k < 2 && ptx_op_quiets(o); k++)
        quiet(f, ptx_op_kind(o), ptx_op_class(o, "ab"[k]), k ? i->b : i->a);
    if (on || ptx_op_multiple(o))
        put(f, d, i->d,
            ptx_op_compute(o, get(f, ptx_op_class(o, 'a'), i->a), get(f, ptx_op_class(o, 'b'), i->b),
                           get(f, ptx_op_class(o, 'c'), i->c)));
    quiet(f, ptx_op_kind(o), d, i->d);
}

static void move(struct frame *f, const struct ins *i)
{
    int d = i->d, a = i->a, b = i->b;
    switch (i->imm) {
    case 0:
        f->D[d % DOUBLES] = f->r[a % WORDS] | (uint64_t)f->r[b % WORDS] << 32;
        break;
    case 1:
        f->r[d % WORDS] = (uint32_t)f->D[a % DOUBLES];
        break;
    case 2:
        f->r[d % WORDS] = (uint32_t)(f->D[a % DOUBLES] >> 32);
        break;
    case 3:
        f->h[d % HALVES] = (uint16_t)f->r[a % WORDS];
        break;
    case 4:
        f->r[d % WORDS] = f->h[a % HALVES];
        break;
    case 5:
        f->r[d % WORDS] = (uint32_t)(int16_t)f->h[a % HALVES];
        break;
    case 6:
        f->r[d % WORDS] = f->p[b % PREDICATES] ? f->r[a % WORDS] : f->r[b % WORDS];
        break;
    case 7:
        f->p[d % PREDICATES] = f->r[a % WORDS] != f->r[b % WORDS];
        break;
    case 8:
        f->r[d % WORDS] = f->h[a % HALVES] | (uint32_t)f->h[b % HALVES] << 16;
        break;
    default:
        f->p[d % PREDICATES] = f->p[a % PREDICATES] ^ f->p[b % PREDICATES];
    }
}

static void input(const struct machine *m, struct frame *f, const struct ins *i)
{
    const uint8_t *base = (const uint8_t *)m->m->input;
    static const unsigned sizes[] = {4, 1, 1, 2, 8, 8, 16};
    unsigned size = sizes[i->imm];
    base += (size_t)(f->r[i->a] & (INPUT * 4 / size - 1)) * size;
    uint32_t w[4];
    uint16_t h;
    switch (i->imm) {
    case 1:
        f->r[i->d] = *base;
        break;
    case 2:
        f->r[i->d] = (uint32_t)(int8_t)*base;
        break;
    case 3:
        memcpy(&h, base, 2);
        f->h[i->d % HALVES] = h;
        break;
    case 4:
        memcpy(&f->D[i->d % DOUBLES], base, 8);
        break;
    default:
        memcpy(w, base, size);
        for (unsigned k = 0; k < size / 4; k++)
            f->r[((unsigned)i->d + k) % WORDS] = w[k];
    }
}

static void memory(struct machine *m, struct thread *t, const struct ins *i)
{
    struct frame *f = &t->f;
    static const unsigned sizes[] = {1, 2, 4, 8, 8, 2};
    unsigned k = i->imm % 6, size = sizes[k];
    uint8_t *at = i->b == 0 ? t->local : i->b == 1 ? t->shared : m->m->own[m->block * m->p->threads + t->l];
    at += (size_t)(f->r[i->a] & (OWN / size - 1)) * size;
    uint32_t w[2] = {f->r[i->d % WORDS], f->r[(i->d + 1) % WORDS]};
    if (i->imm >= 6) {
        if (k == 3)
            memcpy(at, &f->D[i->d % DOUBLES], 8);
        else if (k == 5)
            memcpy(at, &f->h[i->d % HALVES], 2);
        else
            memcpy(at, w, size);
        return;
    }
    int16_t half;
    memcpy(&half, at, size < 2 ? 1 : 2);
    if (k == 0)
        f->r[i->d % WORDS] = *at;
    else if (k == 1)
        f->r[i->d % WORDS] = (uint32_t)half;
    else if (k == 3)
        memcpy(&f->D[i->d % DOUBLES], at, 8);
    else if (k == 5)
        f->h[i->d % HALVES] = (uint16_t)half;
    else {
        memcpy(w, at, size);
        f->r[i->d % WORDS] = w[0];
        if (k == 4)
            f->r[(i->d + 1) % WORDS] = w[1];
    }
}

static void atomic(struct machine *m, struct frame *f, const struct ins *i)
{
    uint32_t *c = (i->b ? m->m->cell : m->cells) + i->imm, x = f->r[i->a];
    switch (i->imm) {
    case 0:
        *c += x;
        break;
    case 1:
        *c ^= x;
        break;
    case 2:
        *c = x < *c ? x : *c;
        break;
    case 3:
        *c = x > *c ? x : *c;
        break;
    case 4:
        *c |= x;
        break;
    case 5:
        *c &= x;
        break;
    case 6:
        *c = (int32_t)x > (int32_t)*c ? x : *c;
        break;
    default:
        *c = *c >= 1000 ? 0 : *c + 1;
    }
}

static uint32_t special(const struct machine *m, const struct thread *t, unsigned which)
{
    const unsigned *b = m->p->block;
    unsigned lane = t->l & 31;
    uint32_t value[] = {t->l % b[0], t->l / b[0] % b[1], t->l / b[0] / b[1], b[0], m->block,
                        lane,        (1u << lane) - 1,   ~0u << lane,        b[1], m->p->grid};
    return value[which];
}

static uint32_t reduce(const struct thread *t, const struct ins *i)
{
    uint32_t r = 0;
    bool first = true;
    for (unsigned k = 0; k < 32; k++) {
        if (!(t->mask >> k & 1))
            continue;
        uint32_t x = (uint32_t)t->got[k];
        if (first)
            r = x;
        else
            switch (i->imm) {
            case 6:
                r += x;
                break;
            case 7:
                r = x < r ? x : r;
                break;
            case 8:
                r = (int32_t)x > (int32_t)r ? x : r;
                break;
            case 9:
                r &= x;
                break;
            case 10:
                r |= x;
                break;
            case 11:
                r ^= x;
                break;
            default:
                r = (int32_t)x < (int32_t)r ? x : r;
            }
        first = false;
    }
    return r;
}

static void gathered_shuffle(struct thread *t, const struct ins *i)
{
    struct frame *f = &t->f;
    unsigned width = 32u >> (i->imm >> 2), k = i->imm & 3, segments = 32 - width, clamp = k ? 31 : 0;
    int lane = (int)(t->l & 31), by = i->b < 32 ? i->b : (int)(f->r[i->b % WORDS] & 31);
    int most = (int)(((unsigned)lane & segments) | (clamp & ~segments)), least = lane & (int)segments, j;
    bool in;
    if (k == 0)
        j = lane - by, in = j >= most;
    else if (k == 1)
        j = lane + by, in = j <= most;
    else if (k == 2)
        j = lane ^ by, in = j <= most;
    else
        j = least | (by & (int)~segments & 31), in = j <= most;
    j = in ? j : lane;
    f->r[i->d] = t->mask >> j & 1 ? (uint32_t)t->got[j] : 0;
    f->p[i->b % PREDICATES] = in;
}

// What a thread does with the values of its mask.
static void gathered(struct thread *t, const struct ins *i)
{
    struct frame *f = &t->f;
    uint32_t bits = 0, equal = 0;
    for (unsigned k = 0; k < 32; k++) {
        bits |= (uint32_t)(t->mask >> k & 1 & t->got[k]) << k;
        equal |= (uint32_t)((t->mask >> k & 1) && t->got[k] == t->value) << k;
    }
    if (i->kind == INS_BALLOT)
        f->m[i->d] = bits;
    else if (i->kind == INS_SURVIVE)
        f->m[0] = bits;
    else if (i->kind == INS_SHUFFLE)
        gathered_shuffle(t, i);
    else if (i->imm == 0)
        f->r[i->d] = bits;
    else if (i->imm < 4)
        f->r[i->d] = i->imm == 1 ? bits != 0 : i->imm == 2 ? bits == t->mask : bits == 0 || bits == t->mask;
    else if (i->imm == 4 || i->imm == 13)
        f->r[i->d] = equal;
    else if (i->imm == 5)
        f->r[i->d] = equal == t->mask ? equal : 0, f->p[i->b] = equal == t->mask;
    else
        f->r[i->d] = reduce(t, i);
}

static uint64_t offered(const struct frame *f, const struct ins *i)
{
    if (i->kind == INS_BALLOT)
        return f->p[i->b];
    if (i->kind == INS_SURVIVE)
        return !f->p[i->b];
    if (i->kind == INS_SHUFFLE)
        return f->r[i->c];
    return i->imm < 4 ? f->p[i->b] : i->imm == 13 ? f->D[i->c % DOUBLES] : f->r[i->c];
}

static void function(struct machine *m, struct thread *t, unsigned which, const struct ins *call);

// One instruction that does not wait. Returns the next one's place.
static size_t step(struct machine *m, struct thread *t, const struct code *c, size_t pc)
{
    const struct ins *i = &c->data[pc];
    struct frame *f = &t->f;
    bool on = i->guard < 0 || f->p[i->guard / 2] != (i->guard & 1);
    unsigned n = m->p->threads, from;
    switch (i->kind) {
    case INS_OP:
        operation(f, i, on);
        break;
    case INS_SREG:
        f->r[i->d] = special(m, t, i->imm);
        break;
    case INS_MOVE:
        if (on)
            move(f, i);
        break;
    case INS_CONSTANT:
        f->D[i->d] = i->wide;
        break;
    case INS_INPUT:
        if (on)
            input(m, f, i);
        break;
    case INS_MEMORY:
        if (on)
            memory(m, t, i);
        break;
    case INS_ATOMIC:
        if (on)
            atomic(m, f, i);
        break;
    case INS_BRANCH:
        return on ? find(c, i->label[0]) : pc + 1;
    case INS_FIRST:
        return t->l >= i->imm ? find(c, i->label[0]) : pc + 1;
    case INS_JUMP:
        if (!on || f->f[i->a] >= i->imm)
            return pc + 1;
        f->f[i->a]++;
        return find(c, i->label[0]);
    case INS_TABLE:
        return find(c, i->label[f->r[i->a] % i->imm]);
    case INS_RESET:
        f->f[i->a] = 0;
        break;
    case INS_COUNT:
        f->f[i->a]++;
        return f->f[i->a] < i->imm && (i->b < 0 || f->f[i->a] < (f->r[i->b] & 3)) ? find(c, i->label[0]) : pc + 1;
    case INS_REST:
        f->m[i->d] = f->m[i->a] & ~f->m[i->b];
        break;
    case INS_SEND:
        m->slots[t->l] = f->r[i->a];
        break;
    case INS_RECEIVE:
        if (i->imm == 128)
            from = ((f->r[i->a] & 31) + t->l) % (unsigned)i->b;
        else
            from = i->imm % 4 == 0   ? (t->l + i->imm) % n
                   : i->imm % 4 == 1 ? n - 1 - t->l
                   : i->imm % 4 == 2 ? f->r[i->a] % n
                                     : i->imm % n;
        f->r[i->d] = m->slots[from];
        break;
    case INS_CELL:
        f->r[i->d] = m->cells[i->imm];
        break;
    case INS_CALL:
        function(m, t, i->imm, i);
        break;
    default:
        break;
    }
    return pc + 1;
}

static void function(struct machine *m, struct thread *t, unsigned which, const struct ins *call)
{
    struct frame saved = t->f, *f = &t->f;
    *f = (struct frame){.r = {saved.r[call->a], saved.r[call->b]}};
    for (unsigned k = 2; k < WORDS; k++)
        f->r[k] = k * 77;
    for (unsigned k = 0; k < DOUBLES; k++)
        f->D[k] = k * 1001;
    for (unsigned k = 0; k < HALVES; k++)
        f->h[k] = (uint16_t)(k * 99);
    for (unsigned k = 0; k < PREDICATES; k++)
        f->p[k] = f->r[0] >> k & 1;
    const struct code *c = &m->p->function[which];
    for (size_t pc = 0; pc < c->len && t->steps++ < STEPS;)
        pc = step(m, t, c, pc);
    saved.r[call->d] = f->r[0];
    *f = saved;
}

static uint64_t sum_of(const uint8_t own[OWN])
{
    uint64_t sum = 0, x;
    for (size_t k = 0; k < OWN; k += 8) {
        memcpy(&x, own + k, 8);
        sum = sum * OWN_FACTOR + x;
    }
    return sum;
}

static void store(struct machine *m, struct thread *t)
{
    const struct ptx_uses *u = &m->p->uses;
    uint8_t *out = m->m->result;
    size_t n = m->p->threads * m->p->grid, gid = m->block * m->p->threads + t->l;
    for (size_t k = 0; k < WORDS; k++)
        if (u->words >> k & 1)
            memcpy(out + AT_WORDS * n + (k * n + gid) * 4, &t->f.r[k], 4);
    for (size_t k = 0; k < DOUBLES; k++)
        if (u->doubles >> k & 1)
            memcpy(out + AT_DOUBLES * n + (k * n + gid) * 8, &t->f.D[k], 8);
    uint64_t halves = 0;
    uint32_t predicates = 0;
    for (size_t k = 0; k < HALVES; k++)
        halves |= u->halves >> k & 1 ? (uint64_t)t->f.h[k] << 16 * k : 0;
    for (size_t k = 0; k < PREDICATES; k++)
        predicates |= u->predicates >> k & 1 ? (uint32_t)t->f.p[k] << k : 0;
    if (u->halves)
        memcpy(out + AT_HALVES * n + gid * 8, &halves, 8);
    if (u->predicates)
        memcpy(out + AT_PREDICATES * n + gid * 4, &predicates, 4);
    uint64_t local = sum_of(t->local), shared = sum_of(t->shared);
    if (u->local)
        memcpy(out + AT_OWN * n + gid * 8, &local, 8);
    if (u->shared)
        memcpy(out + AT_OWN * n + (n + gid) * 8, &shared, 8);
}

// Goes on until the thread waits or ends.
static void advance(struct machine *m, struct thread *t)
{
    const struct code *c = &m->p->body;
    while (t->state == RUN && t->steps++ < STEPS) {
        if (t->pc == c->len) {
            store(m, t);
            t->state = DONE;
            return;
        }
        const struct ins *i = &c->data[t->pc];
        switch (i->kind) {
        case INS_BALLOT:
        case INS_SURVIVE:
        case INS_VOTE:
        case INS_SHUFFLE:
            t->mask = t->f.m[i->kind == INS_SURVIVE ? 0 : i->a];
            t->value = offered(&t->f, i);
            t->state = GATHER;
            break;
        case INS_BARRIER:
        case INS_REDUCE:
            t->id = i->kind == INS_REDUCE ? 0 : i->imm;
            t->waits_for = i->kind == INS_BARRIER && i->b >= 0 ? (uint32_t)i->b : 0;
            t->vote = i->kind == INS_REDUCE && t->f.p[i->b];
            t->state = WAIT;
            break;
        case INS_EXIT:
            if (i->guard < 0 || t->f.p[i->guard / 2] != (i->guard & 1))
                t->state = DONE;
            else
                t->pc++;
            break;
        default:
            t->pc = step(m, t, c, t->pc);
        }
    }
}

static bool release_barriers(struct machine *m)
{
    bool any = false;
    unsigned live = 0, n = m->p->threads;
    for (unsigned t = 0; t < n; t++)
        live += m->t[t].state != DONE;
    for (unsigned id = 0; id < 16; id++) {
        unsigned here = 0, want = live, yes = 0;
        for (unsigned t = 0; t < n; t++)
            if (m->t[t].state == WAIT && m->t[t].id == id)
                here++, yes += m->t[t].vote, want = m->t[t].waits_for ? m->t[t].waits_for : want;
        if (!here || here != want)
            continue;
        any = true;
        for (unsigned t = 0; t < n; t++) {
            struct thread *x = &m->t[t];
            if (x->state != WAIT || x->id != id)
                continue;
            const struct ins *i = &m->p->body.data[x->pc++];
            if (i->kind == INS_REDUCE)
                x->f.r[i->d] = i->imm == 0 ? yes : i->imm == 1 ? yes == here : yes != 0;
            x->state = RUN;
        }
    }
    return any;
}

static bool release_masks(struct machine *m)
{
    bool any = false;
    for (unsigned t = 0; t < m->p->threads; t++) {
        unsigned base = t & ~31u;
        uint32_t mask = m->t[t].mask;
        bool all = m->t[t].state == GATHER && mask >> (t & 31) & 1;
        for (unsigned k = 0; k < 32 && all; k++)
            all = !(mask >> k & 1) || (base + k < m->p->threads && m->t[base + k].state == GATHER &&
                                       m->t[base + k].mask == mask && m->t[base + k].pc == m->t[t].pc);
        if (!all)
            continue;
        any = true;
        for (unsigned k = 0; k < 32; k++)
            for (unsigned j = 0; j < 32; j++)
                if ((mask >> k & 1) && (mask >> j & 1))
                    m->t[base + k].got[j] = m->t[base + j].value;
        for (unsigned k = 0; k < 32; k++) {
            if (!(mask >> k & 1))
                continue;
            struct thread *x = &m->t[base + k];
            gathered(x, &m->p->body.data[x->pc++]);
            x->state = RUN;
        }
    }
    return any;
}

static void start(struct machine *m, unsigned l)
{
    struct thread *t = &m->t[l];
    struct frame *f = &t->f;
    unsigned gid = m->block * m->p->threads + l, rest = m->p->threads - (l & ~31u);
    *t = (struct thread){.l = l};
    for (unsigned k = 0; k < WORDS; k++)
        f->r[k] = m->m->input[gid + k * 64];
    f->r[4] = l, f->r[5] = gid, f->r[6] = l / m->p->block[0] % m->p->block[1];
    for (unsigned k = 0; k < DOUBLES; k++)
        f->D[k] = f->r[k] | (uint64_t)f->r[k + 2] << 32;
    for (unsigned k = 0; k < HALVES; k++)
        f->h[k] = (uint16_t)f->r[k];
    for (unsigned k = 0; k < PREDICATES; k++)
        f->p[k] = (f->r[k + 2] & (1 + 2 * k)) != 0;
    f->m[0] = rest < 32 ? (1u << rest) - 1 : ~0u;
    for (unsigned k = 0; k < OWN / 8; k++) {
        uint64_t x = k * 12345 + 7;
        memcpy(t->local + 8 * k, &x, 8);
        memcpy(t->shared + 8 * k, &x, 8);
    }
}

bool ptx_program_run(const struct ptx_program *p, struct ptx_memory *memory)
{
    struct machine *m = calloc(1, sizeof *m);
    bool fine = true;
    m->p = p;
    m->m = memory;
    m->t = calloc(p->threads, sizeof *m->t);
    for (m->block = 0; m->block < p->grid; m->block++) {
        for (unsigned k = 0; k < CELLS; k++)
            m->cells[k] = k == 2 || k == 5 ? ~0u : 0;
        for (unsigned l = 0; l < p->threads; l++) {
            start(m, l);
            m->slots[l] = l;
        }
        for (bool more = true; more;) {
            for (unsigned l = 0; l < p->threads; l++)
                advance(m, &m->t[l]);
            bool barriers = release_barriers(m), masks = release_masks(m);
            more = barriers || masks;
        }
        for (unsigned l = 0; l < p->threads; l++)
            fine &= m->t[l].state == DONE;
    }
    free(m->t);
    free(m);
    return fine;
}
