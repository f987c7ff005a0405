// SPDX-License-Identifier: Apache-2.0
// Shapes of all functions together, to a fixpoint. It is optimistic: every value begins as "none", and only what is
// found to differ between lanes is given up. Divergence of control flow comes out of the same iteration: a branch whose
// condition is not uniform makes its join (or, for a latch, the loop's exit) a point where two sets of lanes meet.
#include "jit/analysis/scalar.h"
#include "jit/analysis/loops.h"
#include <string.h>

static bool mark(bool *fact)
{
    bool changed = !*fact;
    *fact = true;
    return changed;
}

// What the branch that ends a block means for the blocks after it.
static bool analyse_branch(struct scalar_module *m, struct scalar_fn *f, int block)
{
    LLVMValueRef c = scalar_fn_condition(f, block);
    if (!c)
        return false;
    struct shape s = shape_of(m, f, c);
    bool uniform = shape_is_uniform(&m->lanes, &s), changed = false;
    if (s.kind == SHAPE_NONE || (uniform && !s.gang_varies))
        return false;
    int loop = f->cfg.blocks[block].loop;
    bool latch = loop >= 0 && f->cfg.loops[loop].latch == block;
    int join = latch ? loop_exit(&f->cfg, loop) : f->cfg.blocks[block].ipdom;
    changed |= mark(&f->facts[join].gang_join);
    if (uniform)
        return changed;
    changed |= mark(&f->facts[join].divergent_join);
    if (latch) {
        changed |= mark(&f->facts[join].divergent_exit);
        changed |= mark(&f->facts[f->cfg.loops[loop].header].divergent_loop);
    }
    return changed;
}

static bool analyse_function(struct scalar_module *m, struct scalar_fn *f)
{
    bool any = false;
    for (bool changed = true; changed;) {
        changed = false;
        for (unsigned i = 0; i < f->cfg.norder; i++) {
            int b = f->cfg.order[i];
            FOR_INSTRUCTIONS (f->cfg.blocks[b].block, x) {
                struct shape *old = &f->shapes[scalar_fn_index(f, x)];
                struct shape now = shape_transfer(m, f, x);
                now = shape_join(&m->lanes, old, &now);
                if (shape_equal(&m->lanes, &now, old))
                    continue;
                *old = now;
                changed = true;
            }
            changed |= analyse_branch(m, f, b);
        }
        any |= changed;
    }
    return any;
}

static void iterate(struct scalar_module *m)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (unsigned i = 0; i < m->nfunctions; i++)
            changed |= analyse_function(m, &m->functions[i]);
    }
}

static void analyse_all(struct scalar_module *m)
{
    for (unsigned i = 0; i < m->nfunctions; i++) {
        struct scalar_fn *f = &m->functions[i];
        memset(f->shapes, 0, sizeof *f->shapes * f->nvalues);
        memset(f->facts, 0, sizeof *f->facts * f->cfg.nblocks);
        for (unsigned p = 0; p < LLVMCountParams(f->function); p++)
            f->shapes[p] = m->lanes.width == 1 ? shape_uniform(true) : shape_varying();
    }
    for (size_t k = 0; k < m->plan->slots.len; k++)
        m->slots[k].shape = (struct shape){0};
    iterate(m);
}

// What depends on nothing that was ever written can be anything: one scalar. What is computed from it and from something
// else cannot, so the iteration goes on after each step; loops begin at their phis.
static void settle(struct scalar_module *m, bool phis)
{
    bool any = false;
    for (unsigned i = 0; i < m->nfunctions; i++) {
        struct scalar_fn *f = &m->functions[i];
        FOR_LOOP (&f->cfg, CFG_NONE, x) {
            struct shape *s = &f->shapes[scalar_fn_index(f, x)];
            if (s->kind != SHAPE_NONE || (phis && !LLVMIsAPHINode(x)))
                continue;
            *s = shape_uniform(false);
            any = true;
        }
    }
    if (any)
        iterate(m);
}

static void find_results(struct scalar_module *m)
{
    m->slots_in_block = true;
    for (unsigned i = 0; i < m->nfunctions; i++) {
        struct scalar_fn *f = &m->functions[i];
        if (!f->is_region)
            continue;
        LLVMValueRef ret = LLVMGetBasicBlockTerminator(f->cfg.blocks[f->exit].block);
        f->result = shape_of(m, f, LLVMGetOperand(ret, 0));
        m->slots_in_block &= shape_is_uniform(&m->lanes, &f->result) && !f->result.gang_varies;
    }
}

void shape_analyse(struct scalar_module *m)
{
    analyse_all(m);
    settle(m, true);
    settle(m, false);
    find_results(m);
}
