// SPDX-License-Identifier: Apache-2.0
// The shape of an instruction's result from the shapes of its operands. Calls to heddle.* are in shape_builtin.c.
#include "jit/analysis/scalar.h"
#include "jit/analysis/fold.h"
#include "jit/ir/ir.h"
#include <string.h>

struct shape shape_of(const struct scalar_module *m, const struct scalar_fn *f, LLVMValueRef value)
{
    int k = scalar_fn_index(f, value);
    int64_t c;
    if (k >= 0)
        return f->shapes[k];
    if (value_constant(value, &c))
        return shape_fit(&m->lanes, shape_constant(c), type_bits(LLVMTypeOf(value)));
    return shape_uniform(false);
}

static struct shape operand(const struct scalar_module *m, const struct scalar_fn *f, LLVMValueRef inst, unsigned i)
{
    return shape_of(m, f, LLVMGetOperand(inst, i));
}

// Every lane of a is a multiple of a power of two that every lane of b is below.
static bool is_below(const struct lanes *n, const struct shape *a, const struct shape *b)
{
    unsigned align = a->align;
    if (a->kind != SHAPE_AFFINE || b->kind != SHAPE_AFFINE || a->wrap.kind != WRAP_NONE || b->wrap.kind != WRAP_NONE)
        return false;
    for (unsigned l = 0; l < n->width; l++) {
        unsigned k = shape_align_constant((uint64_t)a->offset[l]);
        align = k < align ? k : align;
    }
    return b->limit < UINT64_C(1) << align;
}

bool shape_or_is_add(const struct scalar_module *m, const struct scalar_fn *f, LLVMValueRef inst)
{
    int64_t c;
    if (LLVMGetInstructionOpcode(inst) != LLVMOr || LLVMGetIsDisjoint(inst))
        return LLVMGetInstructionOpcode(inst) == LLVMOr;
    if (value_constant(LLVMGetOperand(inst, 1), &c))
        return false;
    struct shape a = shape_of(m, f, LLVMGetOperand(inst, 0)), b = shape_of(m, f, LLVMGetOperand(inst, 1));
    return is_below(&m->lanes, &a, &b) || is_below(&m->lanes, &b, &a);
}

// The rule for everything else: flat operands give a flat result.
static struct shape transfer_flat(const struct scalar_module *m, const struct scalar_fn *f, LLVMValueRef inst,
                                  unsigned n)
{
    struct shape r = shape_uniform(false);
    for (unsigned i = 0; i < n; i++) {
        LLVMValueRef o = LLVMGetOperand(inst, i);
        if (LLVMIsAFunction(o) || LLVMIsABasicBlock(o))
            continue;
        struct shape s = shape_of(m, f, o);
        if (s.kind == SHAPE_NONE)
            return s;
        if (!shape_is_flat(&m->lanes, &s))
            return shape_varying();
        r.split |= s.split;
        r.gang_varies |= s.gang_varies;
    }
    return shape_fit(&m->lanes, r, type_bits(LLVMTypeOf(inst)));
}

static bool pending(const struct shape *a, const struct shape *b)
{
    return a->kind == SHAPE_NONE || b->kind == SHAPE_NONE;
}

// The alignment of what is shifted right.
static unsigned align_shifted(unsigned align, unsigned by)
{
    return align == SHAPE_ALIGN_ZERO ? SHAPE_ALIGN_ZERO : align > by ? align - by : 0;
}

static struct shape transfer_multiply(const struct scalar_module *m, const struct scalar_fn *f, LLVMValueRef inst)
{
    const struct lanes *n = &m->lanes;
    unsigned bits = type_bits(LLVMTypeOf(inst));
    struct shape a = operand(m, f, inst, 0), b = operand(m, f, inst, 1);
    int64_t c;
    if (pending(&a, &b))
        return (struct shape){0};
    if (value_constant(LLVMGetOperand(inst, 1), &c)) {
        if (LLVMGetInstructionOpcode(inst) == LLVMShl)
            c = c < 0 || c >= (int64_t)bits ? 0 : (int64_t)(UINT64_C(1) << c);
        return shape_scale(n, &a, c, bits);
    }
    if (a.kind == SHAPE_VARYING || b.kind == SHAPE_VARYING)
        return shape_varying();
    // A factor known only at run time scales bases, not constant offsets; in split form these may vanish.
    if (!shape_is_flat(n, &a) || !shape_is_flat(n, &b)) {
        if (n->segments == 1 || a.wrap.kind != WRAP_NONE || b.wrap.kind != WRAP_NONE)
            return shape_varying();
        shape_split(n, &a);
        shape_split(n, &b);
        if (!shape_is_flat(n, &a) || !shape_is_flat(n, &b))
            return shape_varying();
    }
    struct shape r = shape_uniform(a.gang_varies || b.gang_varies);
    r.split = a.split || b.split;
    r.align = LLVMGetInstructionOpcode(inst) == LLVMMul ? shape_align_product(a.align, b.align) : a.align;
    if (LLVMGetInstructionOpcode(inst) != LLVMMul || __builtin_mul_overflow(a.limit, b.limit, &r.limit))
        r.limit = UINT64_MAX;
    return shape_fit(n, r, bits);
}

// Bitwise operations and shifts by constants work on base and offset separately when they do not overlap. `op` of the first operand and c is
// what the instruction computes.
static struct shape transfer_by(const struct scalar_module *m, const struct scalar_fn *f, LLVMValueRef inst,
                                LLVMOpcode op, int64_t c)
{
    const struct lanes *n = &m->lanes;
    unsigned bits = type_bits(LLVMTypeOf(inst));
    struct shape a = operand(m, f, inst, 0), r = a;
    if (!shape_is_aligned(n, &a))
        return transfer_flat(m, f, inst, 2);
    uint64_t low = (UINT64_C(1) << a.align) - 1;
    for (unsigned l = 0; l < n->width; l++) {
        int64_t x = a.offset[l], m = c & (int64_t)low;
        r.offset[l] = op == LLVMAnd ? x & c : op == LLVMOr ? (x | m) - m : op == LLVMXor ? (x ^ m) - m : x >> (c & 63);
    }
    uint64_t uc = fold_low((uint64_t)c, bits), reach = a.limit | uc;
    for (unsigned k = 1; k < 64; k *= 2)
        reach |= reach >> k;
    if (op == LLVMAnd) {
        r.align = shape_align_constant(uc & ~low);
        r.align = r.align > a.align ? r.align : a.align;
        r.limit = uc < a.limit ? uc : a.limit;
    } else if (op == LLVMOr || op == LLVMXor) {
        unsigned tz = shape_align_constant(uc);
        r.align = a.align < tz ? a.align : tz;
        r.limit = reach;
    } else {
        if (c < 0 || c >= (int64_t)bits)
            return transfer_flat(m, f, inst, 2);
        bool negative = op == LLVMAShr && a.limit > (UINT64_MAX >> (65 - bits));
        r.align = align_shifted(a.align, (unsigned)c);
        r.limit = negative ? UINT64_MAX : a.limit >> c;
        if (!r.limit)
            r.align = SHAPE_ALIGN_ZERO;
    }
    return shape_fit(n, r, bits);
}

static struct shape transfer_bits(const struct scalar_module *m, const struct scalar_fn *f, LLVMValueRef inst)
{
    struct shape a = operand(m, f, inst, 0), b = operand(m, f, inst, 1);
    int64_t c;
    if (pending(&a, &b))
        return (struct shape){0};
    return value_constant(LLVMGetOperand(inst, 1), &c) ? transfer_by(m, f, inst, LLVMGetInstructionOpcode(inst), c)
                                                       : transfer_flat(m, f, inst, 2);
}

// Division by a power of two of a value that is not negative is a shift or a mask.
static struct shape transfer_divide(const struct scalar_module *m, const struct scalar_fn *f, LLVMValueRef inst)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(inst);
    struct shape a = operand(m, f, inst, 0);
    int64_t c;
    if (a.kind == SHAPE_NONE)
        return a;
    unsigned bits = type_bits(LLVMTypeOf(inst));
    bool negative =
        (op == LLVMSDiv || op == LLVMSRem) && (bits < 2 || bits > 64 || a.limit > UINT64_MAX >> (65 - bits));
    if (negative || !value_constant(LLVMGetOperand(inst, 1), &c) || c <= 0 || (c & (c - 1)))
        return transfer_flat(m, f, inst, 2);
    return op == LLVMURem || op == LLVMSRem ? transfer_by(m, f, inst, LLVMAnd, c - 1)
                                            : transfer_by(m, f, inst, LLVMLShr, __builtin_ctzll((uint64_t)c));
}

// With the base a multiple of 2^k and every offset below, an ordered comparison with a multiple of 2^k comes out the
// same for all lanes.
static bool compare_is_uniform(const struct lanes *n, const struct shape *a, LLVMIntPredicate p, LLVMValueRef right,
                               const struct shape *b)
{
    int64_t lo, hi, c;
    if (a->split || !shape_is_aligned(n, a) || !shape_is_uniform(n, b))
        return false;
    shape_range(n, a->offset, &lo, &hi);
    uint64_t unit = 1;
    while (unit <= (uint64_t)hi)
        unit <<= 1;
    if (p == LLVMIntEQ || p == LLVMIntNE)
        return false;
    if (p == LLVMIntULT || p == LLVMIntSLT || p == LLVMIntUGE || p == LLVMIntSGE)
        return b->align == SHAPE_ALIGN_ZERO || unit <= UINT64_C(1) << b->align;
    return value_constant(right, &c) && (((uint64_t)c + 1) & (unit - 1)) == 0;
}

static struct shape transfer_compare(const struct scalar_module *m, const struct scalar_fn *f, LLVMValueRef inst)
{
    const struct lanes *n = &m->lanes;
    struct shape a = operand(m, f, inst, 0), b = operand(m, f, inst, 1);
    LLVMIntPredicate p = LLVMGetICmpPredicate(inst);
    if (pending(&a, &b))
        return (struct shape){0};
    if (a.kind == SHAPE_AFFINE && b.kind == SHAPE_AFFINE && a.wrap.kind == WRAP_NONE && b.wrap.kind == WRAP_NONE) {
        bool equality = p == LLVMIntEQ || p == LLVMIntNE;
        bool same = a.split == b.split && !memcmp(a.offset, b.offset, sizeof *a.offset * n->width);
        if ((equality && same) || compare_is_uniform(n, &a, p, LLVMGetOperand(inst, 1), &b)) {
            struct shape r = shape_uniform(a.gang_varies || b.gang_varies);
            r.split = a.split || b.split;
            return shape_fit(n, r, 1);
        }
    }
    return transfer_flat(m, f, inst, 2);
}

static struct shape transfer_cast(const struct scalar_module *m, const struct scalar_fn *f, LLVMValueRef inst)
{
    const struct lanes *n = &m->lanes;
    LLVMOpcode op = LLVMGetInstructionOpcode(inst);
    struct shape a = operand(m, f, inst, 0);
    unsigned from = type_bits(LLVMTypeOf(LLVMGetOperand(inst, 0))), to = type_bits(LLVMTypeOf(inst));
    if (a.kind != SHAPE_AFFINE)
        return a;
    if (op == LLVMZExt || op == LLVMSExt)
        return shape_extend(n, &a, op == LLVMSExt, from, to);
    if (op == LLVMTrunc)
        return shape_truncate(n, &a, to);
    bool same = OPCODE_IN(op, IR_POINTER_CAST, LLVMAddrSpaceCast, LLVMFreeze) && from == to;
    return same ? a : transfer_flat(m, f, inst, 1);
}

// Size of what one step of the GEP's last index moves; 0 when it is not of the forms handled here.
static uint64_t gep_step(const struct scalar_module *m, LLVMValueRef inst)
{
    LLVMTypeRef t = LLVMGetGEPSourceElementType(inst);
    int64_t zero;
    unsigned n = (unsigned)LLVMGetNumOperands(inst);
    if (n == 2)
        return LLVMABISizeOfType(m->plan->layout, t);
    if (n == 3 && LLVMGetTypeKind(t) == LLVMArrayTypeKind && value_constant(LLVMGetOperand(inst, 1), &zero) && !zero)
        return LLVMABISizeOfType(m->plan->layout, LLVMGetElementType(t));
    return 0;
}

static struct shape transfer_gep(const struct scalar_module *m, const struct scalar_fn *f, LLVMValueRef inst)
{
    unsigned n = (unsigned)LLVMGetNumOperands(inst);
    uint64_t step = gep_step(m, inst);
    LLVMValueRef last = LLVMGetOperand(inst, n - 1);
    struct shape a = operand(m, f, inst, 0), b = operand(m, f, inst, n - 1);
    if (pending(&a, &b))
        return (struct shape){0};
    if (!step || (type_bits(LLVMTypeOf(last)) != 64 && !shape_is_flat(&m->lanes, &b)))
        return transfer_flat(m, f, inst, n);
    b = shape_scale(&m->lanes, &b, (int64_t)step, 64);
    return shape_add(&m->lanes, &a, &b, false, 64);
}

static struct shape transfer_select(const struct scalar_module *m, const struct scalar_fn *f, LLVMValueRef inst)
{
    struct shape c = operand(m, f, inst, 0), a = operand(m, f, inst, 1), b = operand(m, f, inst, 2);
    if (c.kind == SHAPE_NONE || pending(&a, &b))
        return (struct shape){0};
    if (!shape_is_uniform(&m->lanes, &c))
        return transfer_flat(m, f, inst, 3);
    struct shape r = value_is_undef(LLVMGetOperand(inst, 1))   ? b
                     : value_is_undef(LLVMGetOperand(inst, 2)) ? a
                                                               : shape_join(&m->lanes, &a, &b);
    r.gang_varies |= c.gang_varies;
    return shape_fit(&m->lanes, r, type_bits(LLVMTypeOf(inst)));
}

static struct shape transfer_phi(const struct scalar_module *m, const struct scalar_fn *f, LLVMValueRef inst)
{
    const struct block_facts *facts = &f->facts[cfg_index(&f->cfg, LLVMGetInstructionParent(inst))];
    struct shape r = {0};
    LLVMValueRef one = NULL;
    bool distinct = false;
    for (unsigned i = 0; i < LLVMCountIncoming(inst); i++) {
        LLVMValueRef x = LLVMGetIncomingValue(inst, i);
        if (value_is_undef(x))
            continue;
        struct shape s = shape_of(m, f, x);
        distinct |= one && one != x;
        one = x;
        r = shape_join(&m->lanes, &r, &s);
    }
    if (!one)
        return shape_uniform(false);
    if (r.kind == SHAPE_AFFINE && facts->divergent_join && (distinct || facts->divergent_exit))
        return shape_varying();
    if (r.kind == SHAPE_AFFINE)
        r.gang_varies |= facts->gang_join;
    r = shape_widen(&m->lanes, &f->shapes[scalar_fn_index(f, inst)], &r);
    return shape_fit(&m->lanes, r, type_bits(LLVMTypeOf(inst)));
}

// Whether what is loaded is stored again before the next barrier: gangs that come later find the new value there. All
// threads of a block that do the same work, each for itself, look so; on a GPU they go in step.
static bool is_overwritten(const struct scalar_fn *f, LLVMValueRef load)
{
    LLVMValueRef pointer = LLVMGetOperand(load, 0);
    FOR_USES (pointer, u) {
        LLVMValueRef user = LLVMGetUser(u);
        if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == pointer &&
            LLVMGetBasicBlockParent(LLVMGetInstructionParent(user)) == f->function)
            return true;
    }
    return false;
}

static struct shape transfer_load(const struct scalar_module *m, const struct scalar_fn *f, LLVMValueRef inst)
{
    struct shape a = operand(m, f, inst, 0);
    if (a.kind != SHAPE_AFFINE)
        return a;
    if (!shape_is_flat(&m->lanes, &a) && a.wrap.kind == WRAP_NONE)
        shape_split(&m->lanes, &a);
    if (!shape_is_flat(&m->lanes, &a))
        return shape_varying();
    bool settled = access_is_simple(inst) && !is_overwritten(f, inst);
    struct shape r = shape_uniform(a.gang_varies || !settled);
    r.split = a.split;
    return shape_fit(&m->lanes, r, type_bits(LLVMTypeOf(inst)));
}

static struct shape transfer_alloca(const struct scalar_module *m, const struct scalar_fn *f, LLVMValueRef inst)
{
    (void)f;
    struct shape r = shape_uniform(true);
    LLVMTypeRef t = LLVMGetAllocatedType(inst);
    int64_t count = 1;
    value_constant(LLVMGetOperand(inst, 0), &count);
    uint64_t align = LLVMGetAlignment(inst), size = LLVMABISizeOfType(m->plan->layout, t) * (uint64_t)count;
    size = (size + align - 1) / align * align;
    for (unsigned l = 0; l < m->lanes.width; l++)
        r.offset[l] = (int64_t)(l * size);
    r.align = (unsigned)__builtin_ctzll(align);
    return r;
}

static struct shape transfer_call(struct scalar_module *m, struct scalar_fn *f, LLVMValueRef inst)
{
    struct shape r;
    if (shape_of_op(m, f, inst, &r))
        return r;
    r = transfer_flat(m, f, inst, LLVMGetNumArgOperands(inst));
    bool pure = LLVMGetIntrinsicID(LLVMGetCalledValue(inst)) != 0;
    if (r.kind == SHAPE_AFFINE && !pure)
        return m->lanes.width == 1 ? shape_uniform(true) : shape_varying();
    return r;
}

static struct shape transfer_sum(const struct scalar_module *m, const struct scalar_fn *f, LLVMValueRef inst)
{
    struct shape a = operand(m, f, inst, 0), b = operand(m, f, inst, 1);
    LLVMOpcode op = LLVMGetInstructionOpcode(inst);
    return op == LLVMOr && !shape_or_is_add(m, f, inst)
               ? transfer_bits(m, f, inst)
               : shape_add(&m->lanes, &a, &b, op == LLVMSub, type_bits(LLVMTypeOf(inst)));
}

static struct shape transfer_any(struct scalar_module *m, struct scalar_fn *f, LLVMValueRef inst)
{
    typedef struct shape transfer_fn(const struct scalar_module *m, const struct scalar_fn *f, LLVMValueRef inst);
    static transfer_fn *const of[] = {
        [LLVMAdd] = transfer_sum,       [LLVMSub] = transfer_sum,      [LLVMOr] = transfer_sum,
        [LLVMMul] = transfer_multiply,  [LLVMShl] = transfer_multiply, [LLVMAnd] = transfer_bits,
        [LLVMXor] = transfer_bits,      [LLVMLShr] = transfer_bits,    [LLVMAShr] = transfer_bits,
        [LLVMUDiv] = transfer_divide,   [LLVMSDiv] = transfer_divide,  [LLVMURem] = transfer_divide,
        [LLVMSRem] = transfer_divide,   [LLVMICmp] = transfer_compare, [LLVMGetElementPtr] = transfer_gep,
        [LLVMSelect] = transfer_select, [LLVMPHI] = transfer_phi,      [LLVMLoad] = transfer_load,
        [LLVMAlloca] = transfer_alloca, [LLVMFreeze] = transfer_cast};
    LLVMOpcode op = LLVMGetInstructionOpcode(inst);
    if (op < sizeof of / sizeof *of && of[op])
        return of[op](m, f, inst);
    if (op == LLVMCall)
        return transfer_call(m, f, inst);
    if (OPCODE_IN(op, LLVMAtomicRMW, LLVMAtomicCmpXchg))
        return m->lanes.width == 1 ? shape_uniform(true) : shape_varying();
    if (OPCODE_IN(op, LLVMStore, LLVMFence, LLVMBr, LLVMRet))
        return shape_uniform(false);
    return LLVMIsACastInst(inst) ? transfer_cast(m, f, inst)
                                 : transfer_flat(m, f, inst, (unsigned)LLVMGetNumOperands(inst));
}

struct shape shape_transfer(struct scalar_module *m, struct scalar_fn *f, LLVMValueRef inst)
{
    struct shape r = transfer_any(m, f, inst);
    if (r.kind == SHAPE_AFFINE && r.split && LLVMGetTypeKind(LLVMTypeOf(inst)) == LLVMStructTypeKind)
        return shape_varying(); // structures have one base or vectors for fields
    if (r.kind == SHAPE_AFFINE && r.limit == 0 && type_bits(LLVMTypeOf(inst)) && shape_is_uniform(&m->lanes, &r))
        r.align = SHAPE_ALIGN_ZERO;
    return r;
}
