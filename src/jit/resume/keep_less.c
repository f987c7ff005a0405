// SPDX-License-Identifier: Apache-2.0
// Fewer values across barriers. What lives across one is written to the frame by every gang and read back, where a loop in C would have
// it in a register. LLVM knows nothing of that: it sinks a sum behind a barrier, so that both of its operands live across it; and it
// keeps what was computed from a value that is in the frame already, where computing it once more costs less than writing it.
//
//  1. Up: an operation behind a barrier whose operands are needed there by nothing else is made before it.
//  2. Again: an operation before a barrier is made once more behind it, for what uses it there, where its operands live across another
//     barrier before it, so that the frame has them, but for one at most; and that one lives across this barrier too, or is
//     an operand of several such operations: one value is kept in place of several. Both stand in the same loop, or in none.
//
// Both are right for pure operations that cannot fault: an operation gives the same wherever its operands are the same. They are:
// operands dominate the operation, which dominates the barrier or is dominated by it. Between the two no operand can be computed
// anew without the operation, or the barrier, running again: a path from the operand to one of them that leaves out the other would
// make a path from the entry that does, against the dominance.
#include "jit/analysis/cfg.h"
#include "jit/ir/pass.h"
#include <string.h>

enum { BARRIERS_MAX = 32, INSTRUCTIONS_MAX = 4000, LEAVES_MAX = 4 };

struct less {
    struct cfg cfg;
    LLVMBuilderRef b;
    struct map order; // instruction -> its position in its block
    struct VEC(LLVMValueRef) barriers;
};

static uintptr_t order_of(const struct less *s, LLVMValueRef x)
{
    return (uintptr_t)map_get_ptr(&s->order, x);
}

// Whether x comes before y on every path to y.
static bool is_before(const struct less *s, LLVMValueRef x, LLVMValueRef y)
{
    LLVMBasicBlockRef bx = LLVMGetInstructionParent(x), by = LLVMGetInstructionParent(y);
    if (bx == by)
        return order_of(s, x) < order_of(s, y);
    return cfg_dominates(&s->cfg, cfg_index(&s->cfg, bx), cfg_index(&s->cfg, by));
}

// The instruction before which operand i of a user is needed: of a phi, the end of the block that it comes from.
static LLVMValueRef needed_at(LLVMValueRef user, unsigned i)
{
    return LLVMIsAPHINode(user) ? LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(user, i)) : user;
}

// Whether a user needs x at a position that is, or is not, behind the instruction `at`.
static bool needs(const struct less *s, LLVMValueRef user, LLVMValueRef x, LLVMValueRef at, bool behind)
{
    for (unsigned i = 0, n = (unsigned)LLVMGetNumOperands(user); i < n; i++)
        if (LLVMGetOperand(user, i) == x &&
            (behind ? is_before(s, at, needed_at(user, i)) : !is_before(s, needed_at(user, i), at)))
            return true;
    return false;
}

static bool is_cheap(LLVMValueRef x)
{
    static const char fma[] = "llvm.fma.f";
    LLVMTypeKind k = LLVMGetTypeKind(LLVMTypeOf(x));
    if (k != LLVMFloatTypeKind && k != LLVMDoubleTypeKind && k != LLVMIntegerTypeKind)
        return false;
    if (LLVMIsACallInst(x))
        return !strncmp(call_name(x), fma, sizeof fma - 1);
    return IR_IS(x, LLVMFAdd, LLVMFSub, LLVMFMul, LLVMAdd, LLVMSub, LLVMAnd, LLVMOr, LLVMXor);
}

// Up

struct tree { // an operation with the casts between it and its leaves
    LLVMValueRef moved[2 * LEAVES_MAX], leaf[LEAVES_MAX];
    unsigned nmoved, nleaves;
};

static bool take(const struct less *s, struct tree *t, LLVMValueRef x, LLVMValueRef barrier)
{
    if (!LLVMIsAInstruction(x))
        return true;
    if (is_before(s, x, barrier)) {
        for (unsigned i = 0; i < t->nleaves; i++)
            if (t->leaf[i] == x)
                return true;
        if (t->nleaves == LEAVES_MAX)
            return false;
        t->leaf[t->nleaves++] = x;
        return true;
    }
    bool alone = LLVMGetFirstUse(x) && !LLVMGetNextUse(LLVMGetFirstUse(x));
    if (!LLVMIsABitCastInst(x) || !alone || t->nmoved == LEAVES_MAX || !take(s, t, LLVMGetOperand(x, 0), barrier))
        return false;
    t->moved[t->nmoved++] = x;
    return true;
}

// Whether nothing but the tree needs the leaf behind the barrier.
static bool ends_here(const struct less *s, const struct tree *t, LLVMValueRef leaf, LLVMValueRef barrier)
{
    FOR_USES (leaf, u) {
        bool ours = false;
        for (unsigned i = 0; i < t->nmoved; i++)
            ours |= LLVMGetUser(u) == t->moved[i];
        if (!ours && needs(s, LLVMGetUser(u), leaf, barrier, false))
            return false;
    }
    return true;
}

static int loop_of(const struct less *s, LLVMValueRef x)
{
    return s->cfg.blocks[cfg_index(&s->cfg, LLVMGetInstructionParent(x))].loop;
}

// Not into a loop.
static void move_up(struct less *s, LLVMValueRef x, LLVMValueRef barrier)
{
    struct tree t = {0};
    int loop = loop_of(s, barrier), block = cfg_index(&s->cfg, LLVMGetInstructionParent(x));
    bool fits =
        is_cheap(x) && is_before(s, barrier, x) && (loop == CFG_NONE || cfg_loop_contains(&s->cfg, loop, block));
    for (unsigned i = 0; fits && i < ir_operands(x); i++)
        fits = take(s, &t, LLVMGetOperand(x, i), barrier);
    if (!fits || t.nleaves < 2)
        return;
    t.moved[t.nmoved++] = x;
    for (unsigned i = 0; i < t.nleaves; i++)
        if (!ends_here(s, &t, t.leaf[i], barrier))
            return;
    for (unsigned i = 0; i < t.nmoved; i++) {
        LLVMInstructionRemoveFromParent(t.moved[i]);
        LLVMPositionBuilderBefore(s->b, barrier);
        LLVMInsertIntoBuilder(s->b, t.moved[i]);
        map_put_ptr(&s->order, t.moved[i], (void *)(order_of(s, barrier) - 1));
    }
    remark(barrier, "%u values become one before it", t.nleaves);
}

// Again

static bool is_needed_behind(const struct less *s, LLVMValueRef x, LLVMValueRef barrier)
{
    FOR_USES (x, u)
        if (needs(s, LLVMGetUser(u), x, barrier, true))
            return true;
    return false;
}

// Whether x lives across a barrier before y.
static bool is_kept_before(const struct less *s, LLVMValueRef x, LLVMValueRef y)
{
    for (size_t i = 0; i < s->barriers.len; i++)
        if (is_before(s, x, s->barriers.data[i]) && is_before(s, s->barriers.data[i], y))
            return true;
    return false;
}

// Whether the operation may be made again: *fresh is its one operand that is not in the frame yet, or NULL.
static bool may_repeat(const struct less *s, LLVMValueRef x, LLVMValueRef barrier, LLVMValueRef *fresh)
{
    unsigned kept = 0;
    *fresh = NULL;
    if (!is_cheap(x) || loop_of(s, x) != loop_of(s, barrier) || !is_before(s, x, barrier) ||
        !is_needed_behind(s, x, barrier))
        return false;
    for (unsigned i = 0; i < ir_operands(x); i++) {
        LLVMValueRef o = LLVMGetOperand(x, i);
        if (!LLVMIsAInstruction(o) || o == *fresh)
            continue;
        bool old = is_kept_before(s, o, x);
        if (!old && *fresh)
            return false;
        *fresh = old ? *fresh : o;
        kept += old;
    }
    return kept > 0;
}

static void repeat(struct less *s, LLVMValueRef x, LLVMValueRef barrier)
{
    LLVMPositionBuilderBefore(s->b, LLVMGetNextInstruction(barrier));
    LLVMValueRef copy = LLVMInstructionClone(x);
    LLVMInsertIntoBuilder(s->b, copy);
    map_put_ptr(&s->order, copy, (void *)(order_of(s, barrier) + 1));
    struct VEC(LLVMValueRef) users = {0};
    FOR_USES (x, u)
        vec_push(&users, LLVMGetUser(u));
    for (size_t k = 0; k < users.len; k++)
        for (unsigned i = 0, n = (unsigned)LLVMGetNumOperands(users.data[k]); i < n; i++)
            if (LLVMGetOperand(users.data[k], i) == x && is_before(s, copy, needed_at(users.data[k], i)))
                LLVMSetOperand(users.data[k], i, copy);
    vec_free(&users);
}

struct again {
    LLVMValueRef value, fresh;
};

static void repeat_behind(struct less *s, LLVMValueRef barrier)
{
    struct again a;
    struct VEC(struct again) found = {0};
    for (unsigned i = 0; i < s->cfg.norder; i++)
        FOR_INSTRUCTIONS (s->cfg.blocks[s->cfg.order[i]].block, x) {
            a.value = x;
            if (may_repeat(s, x, barrier, &a.fresh))
                vec_push(&found, a);
        }
    unsigned done = 0;
    for (size_t i = 0; i < found.len; i++) {
        unsigned alike = 0;
        for (size_t k = 0; k < found.len; k++)
            alike += found.data[k].fresh == found.data[i].fresh;
        LLVMValueRef fresh = found.data[i].fresh;
        if (fresh && alike < 2 && !is_needed_behind(s, fresh, barrier))
            continue;
        repeat(s, found.data[i].value, barrier);
        done++;
    }
    if (done)
        remark(barrier, "%u values are computed again behind it", done);
    for (size_t i = 0; i < found.len; i++) // copies that a later barrier's replace
        if (!LLVMGetFirstUse(found.data[i].value))
            LLVMInstructionEraseFromParent(found.data[i].value);
    vec_free(&found);
}

bool pass_keep_less(struct compilation *c)
{
    struct less s = {.b = LLVMCreateBuilderInContext(c->context)};
    cfg_build(&s.cfg, c->t.kernel);
    uintptr_t at = 0;
    for (unsigned i = 0; i < s.cfg.norder; i++)
        FOR_INSTRUCTIONS (s.cfg.blocks[s.cfg.order[i]].block, x) {
            map_put_ptr(&s.order, x, (void *)(at += 4));
            if (op_is_barrier(x))
                vec_push(&s.barriers, x);
        }
    bool fits = s.barriers.len <= BARRIERS_MAX && at / 4 <= INSTRUCTIONS_MAX;
    if (!fits)
        remark(NULL, "nothing: %zu barriers, %u instructions", s.barriers.len, (unsigned)(at / 4));
    for (size_t i = 0; fits && i < s.barriers.len; i++) {
        LLVMValueRef barrier = s.barriers.data[i];
        for (unsigned k = 0; k < s.cfg.norder; k++)
            FOR_INSTRUCTIONS_SAFE (s.cfg.blocks[s.cfg.order[k]].block, x)
                move_up(&s, x, barrier);
        repeat_behind(&s, barrier);
    }
    vec_free(&s.barriers);
    map_free(&s.order);
    LLVMDisposeBuilder(s.b);
    cfg_fini(&s.cfg);
    return true;
}
