// SPDX-License-Identifier: Apache-2.0
// An estimate of the registers that a thread needs. Each register is taken to live from its first to its last mention in the text, which is where compilers
// put things; what lives at the head of a loop and is used in it lives to the loop's end. PTX comes in single
// assignment, so this is close to what an allocator finds; a GPU's own compiler schedules and shares more, and may
// differ by a few.
#include "jit/translate/reach/reach.h"
#include "base/vec.h"
#include <stdlib.h>

struct span {
    uint32_t first, last; // instructions; first > last: never used
};

static void touch(struct span *s, uint32_t at)
{
    if (at < s->first)
        s->first = at;
    if (at > s->last || s->last == UINT32_MAX)
        s->last = at;
}

static void touch_operand(struct span *spans, const struct ptx_operand *o, uint32_t at)
{
    if (o->kind == PTX_OPERAND_REG)
        touch(&spans[o->reg], at);
    for (uint32_t i = 0; i < o->nlist; i++)
        touch_operand(spans, &o->list[i], at);
    if (o->pair)
        touch_operand(spans, o->pair, at);
}

static void spans_find(const struct ptx_func *f, struct span *spans)
{
    for (uint32_t r = 0; r < f->nregs; r++)
        spans[r] = (struct span){UINT32_MAX, UINT32_MAX};
    for (uint32_t i = 0; i < f->ninsns; i++) {
        const struct ptx_insn *insn = &f->insns[i];
        if (insn->guarded)
            touch(&spans[insn->guard], i);
        for (uint32_t k = 0; k < insn->noperands; k++)
            touch_operand(spans, &insn->operands[k], i);
    }
}

// One jump back: to the label from the instruction at end. True when a span has grown.
static bool loop_extend(const struct ptx_func *f, struct span *spans, uint32_t label, uint32_t end)
{
    uint32_t head = f->labels[label].insn;
    bool grown = false;
    for (uint32_t r = 0; head <= end && r < f->nregs; r++)
        if (spans[r].first < head && spans[r].last >= head && spans[r].last < end && spans[r].last != UINT32_MAX) {
            spans[r].last = end;
            grown = true;
        }
    return grown;
}

static bool loops_extend(const struct ptx_func *f, struct span *spans)
{
    bool grown = false;
    for (uint32_t i = 0; i < f->ninsns; i++) {
        const struct ptx_insn *insn = &f->insns[i];
        for (uint32_t k = 0; k < insn->noperands; k++) {
            const struct ptx_operand *o = &insn->operands[k];
            if (o->kind == PTX_OPERAND_LABEL)
                grown |= loop_extend(f, spans, o->label, i);
            for (uint32_t t = 0; o->kind == PTX_OPERAND_LABELS && t < o->nlist; t++)
                grown |= loop_extend(f, spans, o->list[t].label, i);
        }
    }
    return grown;
}

static uint32_t words(const struct ptx_reg *r)
{
    uint32_t bytes = ptx_type_bytes(r->type) * (r->width ? r->width : 1); // 0: a predicate
    return (bytes + 3) / 4;
}

uint32_t pressure_of(const struct ptx_func *f)
{
    if (!f->ninsns || !f->nregs)
        return 0;
    struct span *spans = xcalloc(f->nregs, sizeof *spans);
    int32_t *change = xcalloc(f->ninsns + 1, sizeof *change), now = 0, most = 0;
    spans_find(f, spans);
    for (int i = 0; i < 8 && loops_extend(f, spans); i++) // nested loops, from the inside
        ;
    for (uint32_t r = 0; r < f->nregs; r++)
        if (spans[r].last != UINT32_MAX) { // its last reader may write its successor into it
            change[spans[r].first] += (int32_t)words(&f->regs[r]);
            change[spans[r].last > spans[r].first ? spans[r].last : spans[r].first + 1] -= (int32_t)words(&f->regs[r]);
        }
    for (uint32_t i = 0; i <= f->ninsns; i++) {
        now += change[i];
        most = now > most ? now : most;
    }
    free(spans);
    free(change);
    return (uint32_t)most;
}
