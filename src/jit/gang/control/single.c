// SPDX-License-Identifier: Apache-2.0
// Code that one lane of its gang runs, the same one in every launch: what stands behind `if (threadIdx.x == 0)`. As the code of
// a gang each operation is one or more vectors of which a single lane is looked at, and what the lane keeps in memory of its
// own is taken apart and put together for each access. So it is emitted as the code of that thread (gang/value/one.c): what
// it reads from outside is taken out of the gang's values, and what lives on is put into those of the others where the paths meet.
#include "jit/gang/control/control.h"

static bool has_block(struct gang *g, const struct if_then *i, int block)
{
    return g->f->cfg.blocks[block].rpo >= 0 && cfg_dominates(&g->f->cfg, i->then, block);
}

static bool is_inside(struct gang *g, const struct if_then *i, LLVMValueRef x)
{
    return LLVMIsAInstruction(x) && has_block(g, i, cfg_index(&g->f->cfg, LLVMGetInstructionParent(x)));
}

#define FOR_THEN(g, i, x)                                                                                              \
    for (unsigned block_ = 0; block_ < (g)->f->cfg.nblocks; block_++)                                                  \
        if (has_block(g, i, (int)block_))                                                                              \
            for (LLVMValueRef x = LLVMGetFirstInstruction((g)->f->cfg.blocks[block_].block); x;                        \
                 x = LLVMGetNextInstruction(x))

// Whether x is a value that the code reads and does not compute.
static bool is_import(struct gang *g, const struct if_then *i, LLVMValueRef x)
{
    return !LLVMValueIsBasicBlock(x) && scalar_fn_index(g->f, x) >= 0 && !value_is_undef(x) && !is_inside(g, i, x);
}

static bool may_read(struct gang *g, const struct if_then *i, LLVMValueRef x)
{
    for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(x); k++)
        if (is_import(g, i, LLVMGetOperand(x, k)) && !one_may_hold(LLVMTypeOf(LLVMGetOperand(x, k))))
            return false;
    return true;
}

// A value that the lanes do not blend where they meet has one base for all: one lane can give it where nothing is added to it.
static bool may_meet(struct gang *g, const struct if_then *i)
{
    FOR_PHIS (g->f->cfg.blocks[i->join].block, phi) {
        struct shape s = gang_shape(g, phi);
        if (!one_may_hold(LLVMTypeOf(phi)) || (s.kind != SHAPE_VARYING && !shape_is_uniform(g->lanes, &s) &&
                                               is_inside(g, i, edge_incoming(g, phi, i->last))))
            return false;
    }
    return true;
}

int single_lane(struct gang *g, const struct if_then *i, bool mixed)
{
    uint32_t lanes;
    bool always, varying = false;
    if (!gang_mixed_lanes(g, i->condition, i->negate, &lanes, &always) || lanes & (lanes - 1))
        return -1;
    // An equality nobody else can pass, in whatever gang.
    if (!mixed && LLVMGetICmpPredicate(i->condition) != (i->negate ? LLVMIntNE : LLVMIntEQ))
        return -1;
    FOR_THEN(g, i, x)
    {
        if (!one_may_run(x) || !may_read(g, i, x))
            return -1;
        varying |= gang_shape(g, x).kind == SHAPE_VARYING;
    }
    return varying && may_meet(g, i) ? __builtin_ctz(lanes) : -1;
}

static void import(struct gang *g, struct gang *one, const struct if_then *i, LLVMValueRef x, unsigned lane)
{
    if (is_import(g, i, x) && !gang_slot(one, x)->base[0])
        gang_slot(one, x)->base[0] = gang_lane_value(g, x, lane);
}

// The value of a phi of the join, where the lane's own value is `x`.
static struct gang_value meet(struct gang *g, LLVMValueRef phi, LLVMValueRef x, unsigned lane,
                              const struct gang_value *around)
{
    struct gang_value r = *around;
    if (value_is_undef(x))
        return r;
    if (!around->vector) {
        r.base[0] = x;
        return r;
    }
    if (type_is_bool(LLVMTypeOf(phi)))
        x = LLVMBuildSExt(g->b, x, g->v->i32, "");
    r.vector = LLVMBuildInsertElement(g->b, around->vector, x, gang_i64(g, lane), "");
    return r;
}

struct edge single_emit(struct gang *g, const struct if_then *i, unsigned lane, const struct edge *around)
{
    struct gang one = one_begin(g, gang_i32(g, lane));
    FOR_THEN(g, i, x)
    for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(x); k++)
        import(g, &one, i, LLVMGetOperand(x, k), lane);
    struct edge in = edge_read(&one, i->block, i->then), out;
    edge_assign(&one, i->then, &in);
    gang_emit_sequence(&one, i->then, i->join, NULL, i->loop);
    out = edge_new(g, edge_count(g, i->join));
    unsigned n = 0;
    FOR_PHIS (g->f->cfg.blocks[i->join].block, phi) {
        LLVMValueRef x = edge_incoming(g, phi, i->last);
        if (is_inside(g, i, x))
            out.incoming[n] = meet(g, phi, gang_scalar(&one, x), lane, &around->incoming[n]);
        else if (gang_shape(g, phi).kind == SHAPE_VARYING)
            out.incoming[n] =
                meet(g, phi, value_is_undef(x) ? x : gang_lane_value(g, x, lane), lane, &around->incoming[n]);
        else
            out.incoming[n] = value_is_undef(x) ? around->incoming[n] : edge_value(g, phi, x);
        n++;
    }
    one_end(g, &one);
    out.from = LLVMGetInsertBlock(g->b);
    return out;
}
