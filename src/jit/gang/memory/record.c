// SPDX-License-Identifier: Apache-2.0
// Atomic additions to members of a record in shared memory, one after the other in the code, as in "sum[best].x += x ...": the
// record's address differs from lane to lane, its members lie side by side. Shared memory belongs to one worker, so that its
// atomics are plain operations; and since nobody sees what lies between two additions of one thread, a lane may make four of
// them at once. The operands are brought to the order of memory first: lane by lane, member by member. (k-means: five
// additions a lane become two.)
#include "jit/gang/gang.h"
#include "jit/analysis/address.h"

enum { MEMBERS_MAX = 8, FOUR = 4, SCAN_MAX = 64 };

struct member {
    LLVMValueRef inst;
    int64_t offset;
};

struct record {
    LLVMValueRef base;
    LLVMTypeRef type;
    LLVMAtomicRMWBinOp op;
    struct member member[MEMBERS_MAX]; // by offset
    unsigned n;
};

static bool is_addition(LLVMValueRef x)
{
    if (!LLVMIsAAtomicRMWInst(x) || LLVMGetFirstUse(x))
        return false;
    LLVMAtomicRMWBinOp op = LLVMGetAtomicRMWBinOp(x);
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(x));
    return ir_space(LLVMGetOperand(x, 0)) == AS_SHARED &&
           ((op == LLVMAtomicRMWBinOpFAdd && kind == LLVMFloatTypeKind) ||
            (op == LLVMAtomicRMWBinOpAdd && kind == LLVMIntegerTypeKind && type_bits(LLVMTypeOf(x)) == 32));
}

static bool insert(struct record *r, LLVMValueRef inst, int64_t offset)
{
    unsigned at = r->n;
    for (unsigned i = 0; i < r->n; i++)
        if (r->member[i].offset == offset)
            return false;
    if (r->n == MEMBERS_MAX)
        return false;
    for (; at && r->member[at - 1].offset > offset; at--)
        r->member[at] = r->member[at - 1];
    r->member[at] = (struct member){inst, offset};
    r->n++;
    return true;
}

// Nothing that reads or writes memory, so that additions may pass it.
static bool may_pass(LLVMValueRef x)
{
    if (LLVMIsACallInst(x))
        return op_of(x) == OP_RT_MISALIGNED || op_of(x) == OP_SHARED;
    return !IR_IS(x, LLVMLoad, LLVMStore, IR_ATOMICS, LLVMAlloca) && !LLVMIsATerminatorInst(x);
}

// The additions that follow `inst` to the same record, with operands that are known before it.
static void find_members(struct gang *g, LLVMValueRef inst, struct record *r)
{
    int64_t offset;
    r->base = address_base(LLVMGetOperand(inst, 0), &offset);
    r->type = LLVMTypeOf(inst);
    r->op = LLVMGetAtomicRMWBinOp(inst);
    insert(r, inst, offset);
    LLVMValueRef x = LLVMGetNextInstruction(inst);
    for (unsigned i = 0; x && i < SCAN_MAX; i++, x = LLVMGetNextInstruction(x)) {
        if (may_pass(x))
            continue;
        if (!is_addition(x) || LLVMTypeOf(x) != r->type || LLVMGetAtomicRMWBinOp(x) != r->op ||
            gang_is_uniform(g, LLVMGetOperand(x, 0)) || address_base(LLVMGetOperand(x, 0), &offset) != r->base ||
            ir_is_between(LLVMGetOperand(x, 1), inst, x) || !insert(r, x, offset))
            return;
    }
}

// Lanes of a and b in turn: the first half of them, or the second.
static LLVMValueRef zip(struct gang *g, LLVMValueRef a, LLVMValueRef b, bool second)
{
    unsigned n = LLVMGetVectorSize(LLVMTypeOf(a));
    LLVMValueRef e[GANG_MAX];
    for (unsigned l = 0; l < n; l++)
        e[l] = gang_i32(g, (second ? n / 2 : 0) + l / 2 + (l % 2 ? n : 0));
    return LLVMBuildShuffleVector(g->b, a, b, LLVMConstVector(e, n), "");
}

// Memory with the operands of 2 or 4 members, lane by lane.
static LLVMValueRef spill_rows(struct gang *g, LLVMValueRef *x, unsigned n)
{
    LLVMTypeRef t = LLVMTypeOf(x[0]), pairs = LLVMVectorType(g->v->i64, g->width / 2);
    LLVMValueRef part[FOUR], memory = gang_alloca(g, LLVMArrayType2(t, n), 64);
    for (unsigned h = 0; h < 2; h++) {
        LLVMValueRef a = zip(g, x[0], x[1], h);
        if (n == 2) {
            part[h] = a;
            continue;
        }
        a = LLVMBuildBitCast(g->b, a, pairs, "");
        LLVMValueRef b = LLVMBuildBitCast(g->b, zip(g, x[2], x[3], h), pairs, "");
        part[2 * h] = zip(g, a, b, false);
        part[2 * h + 1] = zip(g, a, b, true);
    }
    for (unsigned i = 0; i < n; i++)
        ir_store(g->b, part[i], gang_step(g, memory, (int64_t)i * g->width * 4), 16);
    return memory;
}

// So many members from this one on lie side by side and are taken at once.
static unsigned run_length(const struct record *r, unsigned first)
{
    unsigned n = 1;
    while (first + n < r->n && n < FOUR && r->member[first + n].offset == r->member[first].offset + 4 * (int64_t)n)
        n++;
    return n == 3 ? 2 : n;
}

static void emit(struct gang *g, const struct record *r, LLVMValueRef mask)
{
    struct lane_operand pointer = lane_operand(g, r->base), single[MEMBERS_MAX];
    LLVMValueRef rows[MEMBERS_MAX] = {0};
    for (unsigned i = 0, n; i < r->n; i += n) {
        LLVMValueRef x[FOUR];
        n = run_length(r, i);
        if (n == 1)
            single[i] = lane_operand(g, LLVMGetOperand(r->member[i].inst, 1));
        for (unsigned k = 0; k < n && n > 1; k++)
            x[k] = gang_vector(g, LLVMGetOperand(r->member[i + k].inst, 1));
        rows[i] = n > 1 ? spill_rows(g, x, n) : NULL;
    }
    struct lane_loop l;
    lane_loop_begin(g, &l, mask);
    LLVMValueRef base = lane_operand_read(g, &l, &pointer);
    for (unsigned i = 0, n; i < r->n; i += n) {
        LLVMValueRef at = gang_step(g, base, r->member[i].offset), x;
        n = run_length(r, i);
        LLVMTypeRef t = n > 1 ? LLVMVectorType(r->type, n) : r->type;
        if (n > 1)
            x = ir_load(g->b, t, LLVMBuildGEP2(g->b, t, rows[i], &l.lane, 1, ""), 4 * n);
        else
            x = lane_operand_read(g, &l, &single[i]);
        LLVMValueRef old = ir_load(g->b, t, at, 4);
        ir_store(g->b, reduce_combine(g->b, r->op, old, x), at, 4);
    }
    lane_loop_end(g, &l);
}

bool gang_emit_record(struct gang *g, LLVMValueRef inst, LLVMValueRef mask)
{
    struct record r = {0};
    if (g->width < 4 || !is_addition(inst) || gang_is_uniform(g, LLVMGetOperand(inst, 0)))
        return false;
    find_members(g, inst, &r);
    bool pays = false;
    for (unsigned i = 0; i < r.n; i++)
        pays |= run_length(&r, i) > 1;
    if (!pays)
        return false;
    emit(g, &r, mask);
    for (unsigned i = 0; i < r.n; i++)
        if (r.member[i].inst != inst)
            vec_push(&g->loaded, r.member[i].inst);
    return true;
}
