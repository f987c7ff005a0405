// SPDX-License-Identifier: Apache-2.0
// The shapes of the operations heddle.*, by the table in ir/dialect.def.
#include "jit/analysis/scalar.h"
#include "jit/ir/dialect.h"

#define SHAPE(name)                                                                                                    \
    static struct shape shape_##name(                                                                                  \
        __attribute__((unused)) struct scalar_module *m, __attribute__((unused)) struct scalar_fn *f,                  \
        __attribute__((unused)) LLVMValueRef call, __attribute__((unused)) unsigned variant)

// The same for every thread of the block.
SHAPE(block)
{
    return shape_uniform(false);
}

SHAPE(ctaid)
{
    struct shape s = shape_uniform(false);
    if (m->plan->grid_max[variant])
        s.limit = m->plan->grid_max[variant] - 1;
    return s;
}

// The same for every lane of the gang.
SHAPE(gang)
{
    return shape_uniform(true);
}

// Its own value in each lane.
SHAPE(lane)
{
    return m->lanes.width == 1 ? shape_uniform(true) : shape_varying();
}

SHAPE(shared)
{
    struct shape s = shape_uniform(false);
    s.align = 7;
    return s;
}

// Uniform where its operands from..to-1 are; `varies`: from gang to gang whatever they do.
static struct shape flat_of(struct scalar_module *m, struct scalar_fn *f, LLVMValueRef call, unsigned from, unsigned to,
                            bool varies)
{
    bool uniform = true;
    for (unsigned i = from; i < to; i++) {
        struct shape s = shape_of(m, f, LLVMGetOperand(call, i));
        if (s.kind == SHAPE_NONE)
            return s;
        uniform &= shape_is_uniform(&m->lanes, &s);
        varies |= s.gang_varies;
    }
    return uniform ? shape_uniform(varies) : shape_varying();
}

SHAPE(flat)
{
    return flat_of(m, f, call, 0, 1, false);
}

SHAPE(flat_all)
{
    return flat_of(m, f, call, 0, LLVMGetNumArgOperands(call), false);
}

static unsigned log2_exact(unsigned x)
{
    return (unsigned)__builtin_ctz(x);
}

static struct shape lane_pattern(struct scalar_module *m, unsigned divide, unsigned modulo, unsigned align,
                                 uint64_t limit)
{
    struct shape s = shape_uniform(align != SHAPE_ALIGN_ZERO);
    for (unsigned l = 0; l < m->lanes.width; l++)
        s.offset[l] = l / divide % modulo;
    s.align = align;
    s.limit = limit;
    return s;
}

static unsigned round_up(unsigned x, unsigned unit)
{
    return (x + unit - 1) / unit * unit;
}

// x runs fastest. The three good cases: a line of threads, rows that are multiples of the gang, rows that divide it.
SHAPE(tid)
{
    unsigned w = m->lanes.width, bx = m->lanes.block[0], by = m->lanes.block[1], bz = m->lanes.block[2];
    if (w == 1)
        return shape_uniform(true);
    if (!bx)
        return shape_varying();
    if (by == 1 && bz == 1)
        return variant ? shape_constant(0)
                       : lane_pattern(m, 1, w, bx <= w ? SHAPE_ALIGN_ZERO : log2_exact(w), round_up(bx, w) - 1);
    if (bx % w == 0) {
        struct shape s =
            variant ? shape_uniform(true) : lane_pattern(m, 1, w, bx == w ? SHAPE_ALIGN_ZERO : log2_exact(w), bx - 1);
        s.limit = m->lanes.block[variant] - 1;
        return s;
    }
    if (w % bx)
        return variant == 2 && bz == 1 ? shape_constant(0) : shape_varying();
    unsigned rows = w / bx;
    if (variant == 0)
        return lane_pattern(m, 1, bx, SHAPE_ALIGN_ZERO, bx - 1);
    if (bz == 1)
        return variant == 2 ? shape_constant(0) : lane_pattern(m, bx, rows, log2_exact(rows), round_up(by, rows) - 1);
    if (by % rows == 0) {
        struct shape s = variant == 2 ? shape_uniform(true) : lane_pattern(m, bx, rows, log2_exact(rows), by - 1);
        s.limit = m->lanes.block[variant] - 1;
        return s;
    }
    if (rows % by == 0)
        return variant == 1 ? lane_pattern(m, bx, by, SHAPE_ALIGN_ZERO, by - 1)
                            : lane_pattern(m, bx * by, rows / by, log2_exact(rows / by), round_up(bz, rows / by) - 1);
    return shape_varying();
}

SHAPE(laneid)
{
    unsigned w = m->lanes.width;
    if (w == 1)
        return shape_uniform(true);
    return lane_pattern(m, 1, w, w == 32 ? SHAPE_ALIGN_ZERO : log2_exact(w), 31);
}

static unsigned slot_of(LLVMValueRef call)
{
    return (unsigned)LLVMConstIntGetZExtValue(LLVMGetOperand(call, 0));
}

SHAPE(frame_get)
{
    return m->slots[slot_of(call)].shape;
}

// How the lanes that reach a point differ from those that entered the region.
enum division { WHOLE, BY_GANG, DIVIDED };

static enum division divides(const struct scalar_module *m, const struct scalar_fn *f, int block)
{
    struct shape s = shape_of(m, f, scalar_fn_condition(f, block));
    if (s.kind == SHAPE_NONE)
        return WHOLE;
    return !shape_is_uniform(&m->lanes, &s) ? DIVIDED : s.gang_varies ? BY_GANG : WHOLE;
}

static enum division most(enum division a, enum division b)
{
    return a > b ? a : b;
}

// A slot holds one scalar for all lanes of a gang, or for all gangs, only if they store the same one. The stores of a slot in a
// region are copies of one, a copy on each path to its end, but what is stored need not stay one value: behind a branch LLVM knows
// more of it. So where the copies differ, the branches that lead to one of them tell whether all lanes come there; and where
// the value changes from one iteration of a loop to the next, whether all leave the loop in the same iteration.
static enum division store_division(const struct scalar_module *m, const struct scalar_fn *f, LLVMValueRef call)
{
    LLVMValueRef x = LLVMGetOperand(call, 1);
    int block = cfg_index(&f->cfg, LLVMGetInstructionParent(call));
    enum division d = WHOLE;
    for (int l = f->cfg.blocks[block].loop; l != CFG_NONE; l = f->cfg.loops[l].parent)
        if (LLVMIsAInstruction(x) && cfg_loop_contains(&f->cfg, l, cfg_index(&f->cfg, LLVMGetInstructionParent(x))))
            d = most(d, divides(m, f, f->cfg.loops[l].latch));
    if (!scalar_fn_slot_differs(f, slot_of(call)))
        return d;
    for (int from; (from = f->cfg.blocks[block].idom) != CFG_NONE && d != DIVIDED; block = from) {
        const struct cfg_block *b = &f->cfg.blocks[from];
        bool latch = b->loop != CFG_NONE && f->cfg.loops[b->loop].latch == from;
        if (b->nsucc == 2 && !latch && b->ipdom != block)
            d = most(d, divides(m, f, from));
    }
    return d;
}

// Joins what is stored into the slot.
SHAPE(frame_set)
{
    struct frame_slot *slot = &m->slots[slot_of(call)];
    struct shape s = shape_of(m, f, LLVMGetOperand(call, 1));
    enum division d = store_division(m, f, call);
    if (d == DIVIDED && s.kind != SHAPE_NONE)
        s = shape_varying();
    s.gang_varies |= d == BY_GANG;
    s = shape_widen(&m->lanes, &slot->shape, &s);
    slot->shape = shape_fit(&m->lanes, s, type_bits(LLVMTypeOf(LLVMGetOperand(call, 1))));
    return shape_uniform(false);
}

SHAPE(frame_local)
{
    struct shape s = shape_uniform(true);
    for (unsigned l = 0; l < m->lanes.width; l++)
        s.offset[l] = (int64_t)(l * m->plan->local_bytes);
    return s;
}

SHAPE(frame_lane)
{
    struct shape s = shape_constant(0);
    uint64_t bytes = LLVMConstIntGetZExtValue(LLVMGetOperand(call, 0));
    for (unsigned l = 0; l < m->lanes.width; l++)
        s.offset[l] = (int64_t)(l * bytes);
    s.limit = (m->lanes.width - 1) * bytes;
    return s;
}

SHAPE(raw_get)
{
    return flat_of(m, f, call, 1, 2, true);
}

static bool is_constant(LLVMValueRef x, int64_t want, int64_t bits)
{
    int64_t c;
    return value_constant(x, &c) && (c & bits) == want;
}

// A broadcast: everybody reads lane b of the whole warp. A value that is the same everywhere is not so afterwards: who reads a lane
// that is not active gets 0.
SHAPE(shuffle)
{
    struct shape b = shape_of(m, f, LLVMGetOperand(call, 2));
    if (b.kind == SHAPE_NONE)
        return b;
    if (m->lanes.width == 1)
        return shape_uniform(true);
    if (variant == SHUFFLE_IDX && shape_is_uniform(&m->lanes, &b) && is_constant(LLVMGetOperand(call, 3), 31, 0x1f1f))
        return shape_uniform(true);
    return shape_varying();
}

// One result for each set of members.
SHAPE(vote)
{
    struct shape s = flat_of(m, f, call, 0, 1, true);
    return m->lanes.width == 1 && s.kind != SHAPE_NONE ? shape_uniform(true) : s;
}

SHAPE(match_any)
{
    struct shape s = flat_of(m, f, call, 0, 2, true);
    return m->lanes.width == 1 && s.kind != SHAPE_NONE ? shape_uniform(true) : s;
}

#define shape_none NULL
static struct shape (*const shapes[])(struct scalar_module *m, struct scalar_fn *f, LLVMValueRef call,
                                      unsigned variant) = {
#define OP(op, name, kinds, shape, emitter, variant, type, about) [OP_##op] = shape_##shape,
#include "jit/ir/dialect.def"
};

bool shape_of_op(struct scalar_module *m, struct scalar_fn *f, LLVMValueRef call, struct shape *out)
{
    enum heddle_op op = op_of(call);
    if (!shapes[op])
        return false;
    *out = shapes[op](m, f, call, op_rows[op].variant);
    return true;
}
