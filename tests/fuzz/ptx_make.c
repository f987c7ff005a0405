// SPDX-License-Identifier: Apache-2.0
// Draws random PTX kernels; see ptx_program.h. As in gen_cu.c a statement stands with the block, with a warp whose mask is
// at hand, or anywhere.
#include "ptx_program.h"
#include "base/vec.h"
#include <string.h>

enum place { LANE, WARP, BLOCK };
struct maker {
    struct gen *g;
    struct ptx_program *p;
    struct code *code;
    unsigned depth, counters, masks, tracked_loops;
    int mask, budget;
    bool exits, untracked, function, large;
};

static unsigned below(struct maker *m, unsigned n)
{
    return gen_below(m->g, n);
}
static bool chance(struct maker *m, unsigned percent)
{
    return gen_chance(m->g, percent);
}

struct part {
    struct gen_unit u;
    size_t at;
};
static struct part begin(struct maker *m)
{
    return (struct part){gen_open(m->g), m->code->len};
}
static void end(struct maker *m, struct part p)
{
    if (!gen_close(m->g, p.u, ""))
        m->code->len = p.at;
}

static struct ins *add(struct maker *m, enum ins_kind kind)
{
    struct ins i = {.kind = kind, .guard = -1, .b = -1, .c = -1};
    vec_push(m->code, i);
    return &m->code->data[m->code->len - 1];
}

static void list(struct maker *m, enum place place, unsigned n);

static int guard(struct maker *m)
{
    return chance(m, 20) ? (int)below(m, PREDICATES * 2) : -1;
}

static void operation(struct maker *m)
{
    const struct op_test *op = ptx_op(below(m, ptx_ops()));
    for (int k = 0; k < 2 && ptx_op_kind(op) != 'x'; k++) // floats less often: they take longest to compile
        op = ptx_op(below(m, ptx_ops()));
    struct ins i = {.kind = INS_OP, .op = op, .guard = guard(m)};
    i.a = (int)below(m, 64), i.b = (int)below(m, 64), i.c = (int)below(m, 64), i.d = (int)below(m, 64);
    vec_push(m->code, i);
}

static void simple(struct maker *m)
{
    struct part p = begin(m);
    struct ins *i;
    unsigned k = below(m, 20);
    if (k < 11) {
        operation(m);
    } else if (k < 12) {
        i = add(m, INS_SREG);
        i->d = (int)below(m, WORDS), i->imm = below(m, 10);
    } else if (k < 14) {
        i = add(m, INS_MOVE);
        i->imm = below(m, 10), i->d = (int)below(m, 64), i->a = (int)below(m, 64), i->b = (int)below(m, 64),
        i->guard = guard(m);
    } else if (k < 15) {
        static const uint64_t values[] = {0,
                                          1,
                                          2,
                                          31,
                                          32,
                                          63,
                                          64,
                                          255,
                                          0x7fffffff,
                                          0x80000000,
                                          0xffffffff,
                                          0x3f800000,
                                          0x3ff0000000000000,
                                          0x8000000000000000,
                                          UINT64_MAX};
        i = add(m, INS_CONSTANT);
        i->wide = chance(m, 70) ? values[below(m, sizeof values / sizeof *values)] : gen_next(m->g);
        i->d = (int)below(m, DOUBLES);
    } else if (k < 17) {
        i = add(m, INS_INPUT);
        i->imm = below(m, 7), i->d = (int)below(m, WORDS), i->a = (int)below(m, WORDS), i->guard = guard(m);
    } else if (k < 19 && !m->function) {
        i = add(m, INS_MEMORY);
        i->imm = below(m, 12), i->d = (int)below(m, 64), i->a = (int)below(m, WORDS), i->b = (int)below(m, 3),
        i->c = (int)below(m, 3), i->guard = guard(m);
    } else if (!m->function) {
        i = add(m, INS_ATOMIC);
        i->imm = below(m, 8), i->a = (int)below(m, WORDS), i->b = (int)below(m, 2), i->guard = guard(m);
    } else {
        operation(m);
    }
    end(m, p);
}

// Blocks that branch to one another without any order; jumps back are counted.
static void graph(struct maker *m)
{
    unsigned n = 2 + below(m, m->large ? 6 : 4), first = m->p->labels, fuel = m->counters++;
    m->p->labels += n + 1;
    add(m, INS_RESET)->a = (int)fuel;
    for (unsigned k = 0; k <= n; k++) {
        add(m, INS_LABEL)->label[0] = (int)(first + k);
        if (k == n)
            break;
        for (unsigned j = below(m, 3); j; j--)
            simple(m);
        for (unsigned j = below(m, 3); j; j--) {
            struct part p = begin(m);
            unsigned to = below(m, n + 1);
            struct ins *i = add(m, to <= k ? INS_JUMP : INS_BRANCH);
            i->a = (int)fuel, i->imm = 5, i->label[0] = (int)(first + to), i->guard = (int)below(m, PREDICATES * 2);
            end(m, p);
        }
        if (chance(m, 12)) {
            struct part p = begin(m);
            struct ins *i = add(m, INS_TABLE);
            i->imm = n - k < TARGETS ? n - k : TARGETS, i->a = (int)below(m, WORDS);
            for (unsigned j = 0; j < i->imm; j++)
                i->label[j] = (int)(first + k + 1 + below(m, n - k));
            end(m, p);
        } else if (chance(m, 15)) {
            struct part p = begin(m);
            struct ins *i = add(m, INS_BRANCH);
            i->label[0] = (int)(first + k + 1 + below(m, n - k));
            end(m, p);
        }
    }
}

static void branch(struct maker *m, enum place place)
{
    int no = (int)m->p->labels++, join = (int)m->p->labels++, outer = m->mask, predicate = (int)below(m, PREDICATES);
    enum place inner = LANE;
    bool tracked = place != LANE && m->masks + 2 < MASKS && chance(m, 70);
    int yes_mask = 0, no_mask = 0;
    struct ins *i;
    if (tracked) {
        yes_mask = (int)++m->masks, no_mask = (int)++m->masks;
        i = add(m, INS_BALLOT);
        i->d = yes_mask, i->a = outer, i->b = predicate;
        i = add(m, INS_REST);
        i->d = no_mask, i->a = outer, i->b = yes_mask;
        inner = WARP;
    }
    i = add(m, INS_BRANCH);
    i->label[0] = no, i->guard = predicate * 2 + 1;
    m->mask = tracked ? yes_mask : outer;
    list(m, inner, 1 + below(m, 3));
    add(m, INS_BRANCH)->label[0] = join;
    add(m, INS_LABEL)->label[0] = no;
    m->mask = tracked ? no_mask : outer;
    list(m, inner, below(m, 3));
    add(m, INS_LABEL)->label[0] = join;
    m->mask = outer;
}

static void loop(struct maker *m, enum place place)
{
    int head = (int)m->p->labels++, counter = (int)m->counters++;
    bool varying = place == LANE || chance(m, 30);
    add(m, INS_RESET)->a = counter;
    add(m, INS_LABEL)->label[0] = head;
    m->tracked_loops += !varying;
    list(m, varying ? LANE : place, 1 + below(m, 3));
    m->tracked_loops -= !varying;
    struct ins *i = add(m, INS_COUNT);
    i->a = counter, i->imm = 1 + below(m, 4), i->b = varying ? (int)below(m, WORDS) : -1, i->label[0] = head;
}

static void collective(struct maker *m)
{
    struct ins *i;
    if (chance(m, 60)) {
        i = add(m, INS_VOTE);
        i->imm = below(m, 14), i->a = m->mask, i->d = (int)below(m, WORDS), i->b = (int)below(m, PREDICATES),
        i->c = (int)below(m, WORDS);
    } else {
        i = add(m, INS_SHUFFLE);
        i->imm = below(m, 4) + 4 * below(m, 4), i->a = m->mask, i->d = (int)below(m, WORDS), i->b = (int)below(m, 64),
        i->c = (int)below(m, WORDS);
    }
}

static void barrier(struct maker *m)
{
    unsigned k = below(m, 10), id = below(m, 3), warps = m->p->threads / 32;
    struct ins *i;
    if (k < 4) {
        add(m, INS_SEND)->a = (int)below(m, WORDS);
        add(m, INS_BARRIER)->imm = id;
        i = add(m, INS_RECEIVE);
        i->imm = below(m, 128), i->d = (int)below(m, WORDS), i->a = (int)below(m, WORDS);
        add(m, INS_BARRIER)->imm = id;
    } else if (k < 6) {
        i = add(m, INS_REDUCE);
        i->imm = below(m, 3), i->b = (int)below(m, PREDICATES), i->d = (int)below(m, WORDS);
    } else if (k < 8) {
        add(m, INS_BARRIER);
        i = add(m, INS_CELL);
        i->imm = below(m, 8), i->d = (int)below(m, WORDS);
        add(m, INS_BARRIER);
    } else if (!m->exits && warps) { // the first warps alone, with a count
        int past = (int)m->p->labels++;
        unsigned n = (1 + below(m, warps)) * 32;
        i = add(m, INS_FIRST);
        i->imm = n, i->label[0] = past;
        add(m, INS_SEND)->a = (int)below(m, WORDS);
        i = add(m, INS_BARRIER);
        i->imm = 3 + id, i->b = (int)n;
        i = add(m, INS_RECEIVE);
        i->imm = 128, i->d = (int)below(m, WORDS), i->b = (int)n, i->a = (int)below(m, WORDS);
        add(m, INS_LABEL)->label[0] = past;
        add(m, INS_BARRIER);
    } else {
        add(m, INS_BARRIER)->imm = id;
    }
}

static void statement(struct maker *m, enum place place)
{
    struct part p = begin(m);
    unsigned k = below(m, 100);
    if (m->untracked && place == WARP)
        place = LANE;
    bool deep = m->depth > 3 || m->budget < 0 || m->counters + 1 >= COUNTERS;
    m->budget--;
    m->depth++;
    if (k < 12 && place != LANE && !m->untracked) {
        collective(m);
    } else if (k < 24 && place == BLOCK) {
        barrier(m);
    } else if (k < 38 && !deep) {
        graph(m);
    } else if (k < 50 && !deep) {
        branch(m, m->untracked ? LANE : place);
    } else if (k < 58 && !deep) {
        loop(m, m->untracked ? LANE : place);
    } else if (k < 61 && m->exits && !m->function && (place == BLOCK ? !m->untracked : !m->tracked_loops)) {
        int predicate = (int)below(m, PREDICATES);
        if (place == BLOCK)
            add(m, INS_SURVIVE)->b = predicate;
        else
            m->untracked = true;
        add(m, INS_EXIT)->guard = predicate * 2;
    } else if (k < 65 && !m->function) {
        struct ins *i = add(m, INS_CALL);
        i->imm = below(m, FUNCTIONS), i->d = (int)below(m, WORDS), i->a = (int)below(m, WORDS),
        i->b = (int)below(m, WORDS);
    } else {
        for (unsigned j = 1 + below(m, m->large ? 3 : 2); j; j--)
            simple(m);
    }
    m->depth--;
    end(m, p);
}

static void list(struct maker *m, enum place place, unsigned n)
{
    if (m->budget < 0 && n > 1)
        n = 1;
    for (; n; n--)
        statement(m, place);
}

void ptx_program_make(struct gen *g, uint64_t seed, struct ptx_program *p)
{
    static const unsigned char shapes[][3] = {{32, 1, 1}, {64, 1, 1}, {33, 1, 1}, {65, 1, 1}, {7, 5, 3}, {5, 13, 1},
                                              {1, 1, 1},  {31, 1, 1}, {16, 2, 1}, {8, 8, 1},  {3, 3, 3}, {96, 1, 1},
                                              {2, 2, 8},  {1, 37, 1}, {17, 3, 2}, {8, 4, 2}};
    struct maker m = {.g = g, .p = p};
    *p = (struct ptx_program){0};
    g->rng = seed;
    unsigned shape = below(&m, sizeof shapes / sizeof *shapes);
    for (unsigned i = 0; i < 3; i++)
        p->block[i] = shapes[shape][i];
    p->threads = p->block[0] * p->block[1] * p->block[2];
    p->grid = 1 + below(&m, 2);
    for (unsigned f = 0; f < FUNCTIONS; f++) {
        m.code = &p->function[f];
        m.function = true;
        m.budget = 1;
        m.depth = 2;
        list(&m, LANE, 1 + below(&m, 3));
    }
    m.code = &p->body;
    m.function = false;
    m.depth = 1;
    m.counters = 0;
    m.exits = chance(&m, 50);
    m.large = chance(&m, 5);
    m.budget = m.large ? 12 : 1 + (int)below(&m, 4);
    unsigned place = below(&m, 4);
    list(&m, place == 0 ? LANE : place == 1 ? WARP : BLOCK, m.large ? 8 : 2 + below(&m, 3));
    ptx_program_find_uses(p);
}

void ptx_program_free(struct ptx_program *p)
{
    vec_free(&p->body);
    for (unsigned f = 0; f < FUNCTIONS; f++)
        vec_free(&p->function[f]);
}
