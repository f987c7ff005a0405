// SPDX-License-Identifier: Apache-2.0
#include "jit/analysis/loop/rows.h"
#include "jit/analysis/address.h"
#include "jit/analysis/linear.h"
#include "jit/ir/dialect.h"
#include "jit/ir/tuning.h"

enum { DEPTH = 10 };

struct search {
    const struct cfg *cfg;
    int loop;
    const struct region_plan *plan;
    struct rows *rows;
};

static bool is_line(const struct linear *x)
{
    return !x->lost && (x->n || x->plus >= TUNE_LINE || x->plus <= -TUNE_LINE);
}

// How far threads side by side are apart; near ones reach the same lines anyway. What a thread's list names may lie anywhere.
static bool is_own(const struct search *s, const struct linear *at)
{
    struct linear x = linear_factor(s->cfg, at, OP_TID_X), y = linear_factor(s->cfg, at, OP_TID_Y);
    bool rows = s->plan->block[0] < s->plan->width && is_line(&y);
    if (is_line(&x) || (rows && !x.lost && !x.n && !x.plus))
        return true;
    for (unsigned i = 0; i < at->n; i++) {
        LLVMValueRef from = at->term[i].leaf;
        if (loop_is_variable(s->cfg, s->loop, from))
            from = loop_start(s->cfg, s->loop, from);
        if (from && LLVMIsALoadInst(from) && ir_depends_on(from, DEPTH, IS_TID))
            return true;
    }
    return false;
}

LLVMValueRef row_base(const struct cfg *c, int loop, LLVMValueRef sum, LLVMValueRef *phi)
{
    for (unsigned i = 0; i < 2 && ir_is_opcode(sum, LLVMAdd); i++) {
        *phi = LLVMGetOperand(sum, i);
        if (loop_is_variable(c, loop, *phi) && !loop_has(c, loop, LLVMGetOperand(sum, 1 - i)))
            return LLVMGetOperand(sum, 1 - i);
    }
    return NULL;
}

static struct row *row_of(const struct search *s, LLVMValueRef at)
{
    LLVMValueRef phi;
    struct rows *r = s->rows;
    for (unsigned i = 0; i < r->n; i++)
        if (r->of[i].at == at)
            return &r->of[i];
    if (!loop_is_variable(s->cfg, s->loop, at) &&
        (loop_entry(s->cfg, s->loop) == CFG_NONE || !row_base(s->cfg, s->loop, at, &phi)))
        return NULL;
    struct linear from = linear_of(at), step = linear_step(s->cfg, s->loop, &from);
    if (r->n == ROWS_MAX || step.lost || step.n || step.plus < 1 || step.plus > TUNE_LINE || !is_own(s, &from))
        return NULL;
    r->of[r->n] = (struct row){.at = at, .step = step.plus};
    return &r->of[r->n++];
}

static void look_at(const struct search *s, LLVMValueRef x)
{
    int64_t bytes;
    LLVMValueRef p = address_base(ir_address(x), &bytes);
    unsigned size = (unsigned)LLVMABISizeOfType(s->plan->layout, ir_access_type(x));
    bool global = ir_space(p) == AS_GENERIC || ir_space(p) == AS_GLOBAL;
    p = ir_is_opcode(p, LLVMIntToPtr) ? LLVMGetOperand(p, 0) : p;
    struct row *r = global && (size == 4 || size == 8) && LLVMIsAInstruction(p) ? row_of(s, p) : NULL;
    if (r)
        *(LLVMIsAStoreInst(x) ? &r->written : &r->read) += size;
}

struct rows rows_find(const struct cfg *c, int loop, const struct region_plan *plan)
{
    struct rows rows = {0};
    struct search s = {c, loop, plan, &rows};
    FOR_LOOP_OWN(c, loop, x)
    if (IR_IS(x, LLVMLoad, LLVMStore))
        look_at(&s, x);
    return rows;
}
