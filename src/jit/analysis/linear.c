// SPDX-License-Identifier: Apache-2.0
#include "jit/analysis/linear.h"
#include "jit/analysis/loops.h"

enum { DEPTH = 12, PHIS = 4 };

static void add_term(struct linear *l, LLVMValueRef leaf, LLVMValueRef times, int64_t by)
{
    unsigned i = 0;
    if (times && (uintptr_t)times < (uintptr_t)leaf) {
        LLVMValueRef swap = leaf;
        leaf = times;
        times = swap;
    }
    while (i < l->n && (l->term[i].leaf != leaf || l->term[i].times != times))
        i++;
    if (i == LINEAR_TERMS) {
        l->lost = true;
        return;
    }
    if (i == l->n)
        l->term[l->n++] = (struct linear_term){leaf, times, 0};
    l->term[i].by = (int64_t)((uint64_t)l->term[i].by + (uint64_t)by);
    if (!l->term[i].by)
        l->term[i] = l->term[--l->n];
}

static int64_t times(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a * (uint64_t)b);
}

static void add(struct linear *l, LLVMValueRef x, int64_t by, unsigned depth);

// a * b, multiplied out; false: that has terms of more than two leaves, or too many.
static bool add_product(struct linear *l, LLVMValueRef a, LLVMValueRef b, int64_t by, unsigned depth)
{
    struct linear x = {0}, y = {0}, sum = *l;
    add(&x, a, 1, depth);
    add(&y, b, 1, depth);
    sum.plus = (int64_t)((uint64_t)sum.plus + (uint64_t)times(times(x.plus, y.plus), by));
    for (unsigned i = 0; i < x.n; i++)
        for (unsigned k = 0; k < y.n; k++) {
            if (x.term[i].times || y.term[k].times)
                return false;
            add_term(&sum, x.term[i].leaf, y.term[k].leaf, times(times(x.term[i].by, y.term[k].by), by));
        }
    for (unsigned i = 0; i < x.n; i++)
        add_term(&sum, x.term[i].leaf, x.term[i].times, times(times(x.term[i].by, y.plus), by));
    for (unsigned k = 0; k < y.n; k++)
        add_term(&sum, y.term[k].leaf, y.term[k].times, times(times(y.term[k].by, x.plus), by));
    if (x.lost || y.lost || sum.lost)
        return false;
    sum.rough |= x.rough || y.rough;
    *l = sum;
    return true;
}

static void add(struct linear *l, LLVMValueRef x, int64_t by, unsigned depth)
{
    int64_t c;
    if (value_constant(x, &c)) {
        l->plus = (int64_t)((uint64_t)l->plus + (uint64_t)times(c, by));
        return;
    }
    LLVMOpcode op = LLVMIsAInstruction(x) && depth ? LLVMGetInstructionOpcode(x) : LLVMRet;
    LLVMValueRef a = op != LLVMRet && LLVMGetNumOperands(x) > 0 ? LLVMGetOperand(x, 0) : NULL;
    LLVMValueRef b = op != LLVMRet && LLVMGetNumOperands(x) > 1 ? LLVMGetOperand(x, 1) : NULL;
    switch (op) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMOr:
        l->rough |= op == LLVMOr && !LLVMGetIsDisjoint(x);
        add(l, a, by, depth - 1);
        add(l, b, op == LLVMSub ? times(by, -1) : by, depth - 1);
        return;
    case LLVMShl:
        if (value_constant(b, &c) && c >= 0 && c < 63) {
            add(l, a, times(by, INT64_C(1) << c), depth - 1);
            return;
        }
        break;
    case LLVMMul:
        if (value_constant(b, &c)) {
            add(l, a, times(by, c), depth - 1);
            return;
        }
        if (add_product(l, a, b, by, depth / 2))
            return;
        break;
    case LLVMGetElementPtr:
        c = type_bits(LLVMGetGEPSourceElementType(x)) / 8;
        if (LLVMGetNumOperands(x) == 2 && c) {
            add(l, a, by, depth - 1);
            add(l, b, times(by, c), depth - 1);
            return;
        }
        break;
    default:
        if (!OPCODE_IN(op, IR_SAME_NUMBER))
            break;
        l->rough |= type_bits(LLVMTypeOf(x)) < 32 || type_bits(LLVMTypeOf(a)) < 32;
        add(l, a, by, depth - 1);
        return;
    }
    add_term(l, x, NULL, by);
}

struct linear linear_of(LLVMValueRef x)
{
    struct linear l = {0};
    add(&l, x, 1, DEPTH);
    return l;
}

struct linear linear_add(const struct linear *a, const struct linear *b, int64_t by)
{
    struct linear l = *a;
    l.lost |= b->lost;
    l.rough |= b->rough;
    l.plus = (int64_t)((uint64_t)l.plus + (uint64_t)times(b->plus, by));
    for (unsigned i = 0; i < b->n; i++)
        add_term(&l, b->term[i].leaf, b->term[i].times, times(b->term[i].by, by));
    return l;
}

// x * leaf * by, for an x without products.
static struct linear multiply(const struct linear *x, LLVMValueRef leaf, int64_t by)
{
    struct linear l = {.lost = x->lost, .rough = x->rough};
    if (!leaf)
        return linear_add(&l, x, by);
    for (unsigned i = 0; i < x->n; i++) {
        l.lost |= x->term[i].times != NULL;
        add_term(&l, x->term[i].leaf, leaf, times(x->term[i].by, by));
    }
    if (x->plus)
        add_term(&l, leaf, NULL, times(x->plus, by));
    return l;
}

// What is added to a variable of the loop in each iteration, on whichever path.
static struct linear variable_step(const struct cfg *c, int loop, LLVMValueRef phi)
{
    struct linear lost = {.lost = true}, found = lost, one = {.n = 1, .term = {{phi, NULL, 1}}};
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        if (!loop_has_block(c, loop, LLVMGetIncomingBlock(phi, i)))
            continue;
        struct linear next = linear_of(ir_only_value(LLVMGetIncomingValue(phi, i))), by = linear_add(&next, &one, -1);
        for (unsigned k = 0; k < by.n; k++)
            if (loop_has(c, loop, by.term[k].leaf) || loop_has(c, loop, by.term[k].times))
                return lost;
        if (!found.lost) {
            struct linear d = linear_add(&found, &by, -1);
            if (d.lost || d.n || d.plus)
                return lost;
        }
        found = by;
    }
    return found;
}

struct linear linear_step(const struct cfg *c, int loop, const struct linear *x)
{
    struct linear step = {.lost = x->lost, .rough = x->rough};
    for (unsigned i = 0; i < x->n && !step.lost; i++) {
        LLVMValueRef moves = x->term[i].leaf, still = x->term[i].times;
        if (loop_has(c, loop, still)) {
            moves = x->term[i].times;
            still = x->term[i].leaf;
        }
        if (!loop_has(c, loop, moves))
            continue;
        struct linear by = {.lost = true};
        if (loop_is_variable(c, loop, moves) && !loop_has(c, loop, still))
            by = variable_step(c, loop, moves);
        by = multiply(&by, still, x->term[i].by);
        step = linear_add(&step, &by, 1);
    }
    return step;
}

static struct linear factor_of(const struct cfg *c, const struct linear *x, enum heddle_op op, unsigned depth);

// What the values of a phi have in common; of a loop's variable, those that enter the loop.
static struct linear phi_factor(const struct cfg *c, LLVMValueRef phi, enum heddle_op op, unsigned depth)
{
    int loop = c->blocks[cfg_index(c, LLVMGetInstructionParent(phi))].heads;
    struct linear found = {0}, lost = {.lost = true};
    bool any = false;
    for (unsigned k = 0; k < LLVMCountIncoming(phi); k++) {
        if (loop != CFG_NONE && loop_has_block(c, loop, LLVMGetIncomingBlock(phi, k)))
            continue;
        struct linear x = linear_of(LLVMGetIncomingValue(phi, k)), factor = factor_of(c, &x, op, depth);
        struct linear apart = linear_add(&factor, &found, -1);
        if (factor.lost || (any && (apart.lost || apart.n || apart.plus)))
            return lost;
        found = factor;
        any = true;
    }
    return found;
}

static struct linear factor_of(const struct cfg *c, const struct linear *x, enum heddle_op op, unsigned depth)
{
    struct linear factor = {.lost = x->lost, .rough = x->rough};
    for (unsigned i = 0; i < x->n && !factor.lost; i++)
        for (unsigned side = 0; side < 2; side++) {
            LLVMValueRef leaf = side ? x->term[i].times : x->term[i].leaf;
            LLVMValueRef other = side ? x->term[i].leaf : x->term[i].times;
            struct linear add = {0};
            if (leaf && op_of(leaf) == op)
                add.plus = 1;
            else if (leaf && LLVMIsAPHINode(leaf) && depth)
                add = phi_factor(c, leaf, op, depth - 1);
            add = multiply(&add, other, x->term[i].by);
            factor = linear_add(&factor, &add, 1);
        }
    return factor;
}

struct linear linear_factor(const struct cfg *c, const struct linear *x, enum heddle_op op)
{
    return factor_of(c, x, op, PHIS);
}

static LLVMValueRef as_i64(LLVMBuilderRef b, LLVMTypeRef i64, LLVMValueRef x)
{
    return LLVMGetTypeKind(LLVMTypeOf(x)) == LLVMPointerTypeKind ? LLVMBuildPtrToInt(b, x, i64, "")
                                                                 : LLVMBuildIntCast2(b, x, i64, 1, "");
}

LLVMValueRef linear_build(LLVMBuilderRef b, LLVMTypeRef i64, const struct linear *x)
{
    LLVMValueRef sum = LLVMConstInt(i64, (unsigned long long)x->plus, 1);
    for (unsigned i = 0; i < x->n; i++) {
        LLVMValueRef v = as_i64(b, i64, x->term[i].leaf);
        if (x->term[i].times)
            v = LLVMBuildMul(b, v, as_i64(b, i64, x->term[i].times), "");
        v = LLVMBuildMul(b, v, LLVMConstInt(i64, (unsigned long long)x->term[i].by, 1), "");
        sum = LLVMBuildAdd(b, sum, v, "");
    }
    return sum;
}
