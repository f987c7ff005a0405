// SPDX-License-Identifier: Apache-2.0
#include "jit/analysis/thread_value.h"
#include "jit/ir/dialect.h"
#include "jit/analysis/fold.h"
#include <string.h>

enum { DEPTH = 24, WARP = 32 };

void thread_values_init(struct thread_values *e, struct arena *arena, const unsigned block[3], unsigned values)
{
    *e = (struct thread_values){.arena = arena, .threads = block[0] * block[1] * block[2], .left = values};
    memcpy(e->block, block, sizeof e->block);
}

void thread_values_fini(struct thread_values *e)
{
    map_free(&e->values);
}

static struct thread_value *value_new(struct thread_values *e)
{
    if (!e->left)
        return NULL;
    e->left--;
    struct thread_value *r = arena_new(e->arena, struct thread_value);
    r->constant = arena_array(e->arena, int64_t, e->threads);
    r->rest = arena_array(e->arena, uint64_t, e->threads);
    r->exact = true;
    return r;
}

// The counter of a loop is when all that comes into it is; so is any other phi with `merges`, though threads may come by different edges.
bool thread_value_is_common(LLVMValueRef v, bool merges, int depth)
{
    if (LLVMIsAConstant(v))
        return true;
    if (!LLVMIsAInstruction(v) || depth == 0)
        return false;
    LLVMOpcode op = LLVMGetInstructionOpcode(v);
    if (op == LLVMCall)
        return op_is(v, IS_SREG) && !op_is(v, IS_THREAD);
    if (op == LLVMPHI) {
        bool counter = false;
        for (unsigned i = 0; i < LLVMCountIncoming(v); i++) {
            LLVMValueRef x = LLVMGetIncomingValue(v, i);
            bool counts = LLVMIsAInstruction(x) && LLVMGetNumOperands(x) == 2 && LLVMGetOperand(x, 0) == v;
            if (x != v && !thread_value_is_common(counts ? LLVMGetOperand(x, 1) : x, merges, depth / 2))
                return false;
            counter |= counts;
        }
        return counter || merges;
    }
    if (op == LLVMLoad ? ir_space(LLVMGetOperand(v, 0)) != AS_CONST : LLVMGetNumOperands(v) > 3)
        return false;
    for (int i = 0; i < LLVMGetNumOperands(v); i++)
        if (!thread_value_is_common(LLVMGetOperand(v, (unsigned)i), merges, depth - 1))
            return false;
    return true;
}

static struct thread_value *common(struct thread_values *e, LLVMValueRef v)
{
    struct thread_value *r = thread_value_is_common(v, true, DEPTH / 2) ? value_new(e) : NULL;
    uint64_t h = (uint64_t)(uintptr_t)v * 0x9e3779b97f4a7c15u;
    h = op_of(v) == OP_SHARED ? 1 : h ^ h >> 29;
    for (unsigned t = 0; r && t < e->threads; t++)
        r->rest[t] = h;
    if (r)
        r->exact = false;
    return r;
}

static struct thread_value *position(struct thread_values *e, LLVMValueRef call)
{
    enum heddle_op op = op_of(call);
    for (unsigned k = 0, step = 1; k < 3; step *= e->block[k++])
        if (op == OP_TID_X + k) {
            struct thread_value *r = value_new(e);
            for (unsigned t = 0; r && t < e->threads; t++)
                r->constant[t] = t / step % e->block[k];
            return r;
        }
    if (op != OP_LANEID && op != OP_WARPID)
        return common(e, call);
    struct thread_value *r = value_new(e);
    for (unsigned t = 0; r && t < e->threads; t++)
        r->constant[t] = op == OP_LANEID ? t % WARP : t / WARP;
    return r;
}

static unsigned width_of(LLVMValueRef v)
{
    LLVMTypeRef t = LLVMTypeOf(v);
    return LLVMGetTypeKind(t) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(t) : 64;
}

// False: not for these operands.
static bool compute(LLVMOpcode op, unsigned bits, int64_t a, uint64_t ra, int64_t b, uint64_t rb, int64_t *c,
                    uint64_t *rc)
{
    uint64_t x;
    *rc = 0;
    if (!ra && !rb) {
        bool known = fold_binary(op, bits, fold_low((uint64_t)a, bits), fold_low((uint64_t)b, bits), &x);
        *c = known ? fold_signed(x, bits) : 0;
        return known;
    }
    switch (op) {
    case LLVMAdd:
    case LLVMOr: // of an index and an offset in its low bits
        *c = (int64_t)((uint64_t)a + (uint64_t)b);
        *rc = ra + rb;
        return true;
    case LLVMSub:
        *c = (int64_t)((uint64_t)a - (uint64_t)b);
        *rc = ra - rb;
        return true;
    case LLVMMul:
        *c = (int64_t)((uint64_t)a * (uint64_t)b);
        *rc = ra * (uint64_t)b + rb * (uint64_t)a;
        return !ra || !rb;
    case LLVMShl:
        *c = (int64_t)((uint64_t)a << (b & 63));
        *rc = ra << (b & 63);
        return !rb && b >= 0 && b < 64;
    default:
        return false;
    }
}

static const struct thread_value *find(struct thread_values *e, LLVMValueRef v, int depth);

static struct thread_value *binary(struct thread_values *e, LLVMValueRef v, int depth)
{
    bool address = LLVMGetInstructionOpcode(v) == LLVMGetElementPtr, test = LLVMIsAICmpInst(v) != NULL;
    const struct thread_value *a = find(e, LLVMGetOperand(v, 0), depth), *b = find(e, LLVMGetOperand(v, 1), depth);
    struct thread_value *r = a && b && (!test || (a->exact && b->exact)) ? value_new(e) : NULL;
    unsigned bits = width_of(LLVMGetOperand(v, 0));
    LLVMOpcode op = address ? LLVMAdd : LLVMGetInstructionOpcode(v);
    for (unsigned t = 0; r && t < e->threads; t++) {
        if (test)
            r->constant[t] =
                -(int64_t)fold_compare(LLVMGetICmpPredicate(v), bits, fold_low((uint64_t)a->constant[t], bits),
                                       fold_low((uint64_t)b->constant[t], bits));
        else if (!compute(op, bits, a->constant[t], a->rest[t], b->constant[t], b->rest[t], &r->constant[t],
                          &r->rest[t]))
            return NULL;
        if (r->rest[t])
            r->exact = false;
        else
            r->constant[t] = fold_signed((uint64_t)r->constant[t], width_of(v));
    }
    return r;
}

static struct thread_value *convert(struct thread_values *e, LLVMValueRef v, int depth)
{
    const struct thread_value *a = find(e, LLVMGetOperand(v, 0), depth);
    struct thread_value *r = a ? value_new(e) : NULL;
    unsigned from = width_of(LLVMGetOperand(v, 0)), to = width_of(v);
    bool extends = LLVMGetInstructionOpcode(v) == LLVMZExt;
    for (unsigned t = 0; r && t < e->threads; t++) {
        r->rest[t] = a->rest[t];
        r->constant[t] = a->rest[t] ? a->constant[t]
                         : extends  ? (int64_t)fold_low((uint64_t)a->constant[t], from)
                                    : fold_signed((uint64_t)a->constant[t], to);
        r->exact = r->exact && !a->rest[t];
    }
    return r;
}

static struct thread_value *choose(struct thread_values *e, LLVMValueRef v, int depth)
{
    const struct thread_value *c = find(e, LLVMGetOperand(v, 0), depth);
    if (!c || !c->exact)
        return NULL;
    const struct thread_value *a = find(e, LLVMGetOperand(v, 1), depth), *b = find(e, LLVMGetOperand(v, 2), depth);
    struct thread_value *r = a || b ? value_new(e) : NULL;
    for (unsigned t = 0; r && t < e->threads; t++) {
        const struct thread_value *x = c->constant[t] ? a : b;
        r->constant[t] = x ? x->constant[t] : t;
        r->rest[t] = x ? x->rest[t] : (uint64_t)(uintptr_t)v; // unknown: a hash that no other value has
        r->exact = r->exact && !r->rest[t];
    }
    return r;
}

static struct thread_value *compute_value(struct thread_values *e, LLVMValueRef v, int depth)
{
    if (LLVMIsAConstantInt(v) && width_of(v) <= 64) {
        struct thread_value *r = value_new(e);
        for (unsigned t = 0; r && t < e->threads; t++)
            r->constant[t] = LLVMConstIntGetSExtValue(v);
        return r;
    }
    if (!LLVMIsAInstruction(v) || depth == 0)
        return NULL;
    if (LLVMIsACallInst(v))
        return position(e, v);
    if (LLVMIsASelectInst(v))
        return choose(e, v, depth - 1);
    bool both = ir_is_byte_gep(v) || LLVMIsABinaryOperator(v) || LLVMIsAICmpInst(v);
    struct thread_value *r = both                       ? binary(e, v, depth - 1)
                             : IR_IS(v, IR_SAME_NUMBER) ? convert(e, v, depth - 1)
                                                        : NULL;
    return r ? r : common(e, v);
}

static const struct thread_value *find(struct thread_values *e, LLVMValueRef v, int depth)
{
    struct thread_value *known = map_get_ptr(&e->values, v);
    if (!known) {
        known = compute_value(e, v, depth);
        map_put_ptr(&e->values, v, known ? known : &e->unknown);
    }
    return known == &e->unknown ? NULL : known;
}

const struct thread_value *thread_value_find(struct thread_values *e, LLVMValueRef v)
{
    return find(e, v, DEPTH);
}
