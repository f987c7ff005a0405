// SPDX-License-Identifier: Apache-2.0
// Fetching ahead. In a loop with a barrier a block fills tiles in shared memory, then works on them; the next tile is
// often a row of the matrix further, in other pages, where the processor's own prefetching does not follow, and no
// thread loads it before all have done their work. So where the address of a load in such a loop grows by the same
// amount on each turn, scalar code gets a call that asks for the memory of the next turn: heddle.prefetch(address +
// amount). The amount is a hint and need not be exact. (A tiled product of matrices of 1024x1024: 1.5x. Loops without a
// barrier have many loads under way anyway, and lost: up to 4x.)
//
// The best place for the call is behind the barrier that follows the load: among the loads a gang's requests come in one
// burst that the first cache has no room for, so that the loads behind them wait; behind the barrier each gang asks for its
// few lines and goes on with its work on the tile. The address is computed again there, from what the loop carries. Where
// there is no such place the call stands before the load and asks for the second cache only, since steps of a power of two
// meet in few lines of the first.
//
// Small steps, a row's next line, the processor follows by itself, in so many rows as it keeps track of. In blocks that go
// through more rows than that at once (64 of a register-tiled product) they are asked for too; with fewer it lost a tenth.
#include "base/arena.h"
#include "base/vec.h"
#include "jit/analysis/loops.h"
#include "jit/ir/ir.h"
#include "jit/ir/dialect.h"
#include "jit/analysis/cfg.h"
#include "jit/opt/opt.h"
#include <llvm-c/DebugInfo.h>

enum { LINE = 64, STEP_MIN = 1024, STREAMS = 32, DEPTH = 12, LOADS_MAX = 16 };

struct walk {
    struct cfg cfg;
    LLVMBuilderRef b;
    LLVMTypeRef i64;
    int loop;
    bool small; // steps of a line as well
};

static LLVMValueRef number(const struct walk *w, int64_t x)
{
    return LLVMConstInt(w->i64, (unsigned long long)x, 1);
}

// What is added to a phi of the header on each turn; NULL: something else happens to it.
static LLVMValueRef phi_step(const struct walk *w, LLVMValueRef phi)
{
    LLVMValueRef next = loop_is_variable(&w->cfg, w->loop, phi) ? loop_next(&w->cfg, w->loop, phi) : NULL;
    if (!next || (!ir_is_byte_gep(next) && !ir_is_opcode(next, LLVMAdd)))
        return NULL;
    LLVMValueRef a = LLVMGetOperand(next, 0), b = LLVMGetOperand(next, 1), by = a == phi ? b : b == phi ? a : NULL;
    if (!by || loop_has(&w->cfg, w->loop, by))
        return NULL;
    return LLVMTypeOf(by) == w->i64 ? by : LLVMBuildSExt(w->b, by, w->i64, "");
}

// By how much the value grows on each turn, as an i64; NULL: not known.
static LLVMValueRef step_of(const struct walk *w, LLVMValueRef x, unsigned depth)
{
    LLVMValueRef a, b;
    int64_t c;
    if (!loop_has(&w->cfg, w->loop, x))
        return number(w, 0);
    if (!depth)
        return NULL;
    LLVMOpcode op = LLVMGetInstructionOpcode(x);
    switch (op) {
    case LLVMPHI:
        return phi_step(w, x);
    case LLVMAdd:
    case LLVMSub:
    case LLVMOr:
    case LLVMGetElementPtr:
        if (op == LLVMGetElementPtr && !ir_is_byte_gep(x))
            return NULL;
        a = step_of(w, LLVMGetOperand(x, 0), depth - 1);
        b = a ? step_of(w, LLVMGetOperand(x, 1), depth - 1) : NULL;
        if (!b)
            return NULL;
        return op == LLVMSub ? LLVMBuildSub(w->b, a, b, "") : LLVMBuildAdd(w->b, a, b, "");
    case LLVMShl:
    case LLVMMul:
        b = LLVMGetOperand(x, 1);
        a = step_of(w, LLVMGetOperand(x, 0), depth - 1);
        if (!a || loop_has(&w->cfg, w->loop, b))
            return NULL;
        if (value_constant(b, &c))
            return op == LLVMShl && (c < 0 || c > 32)
                       ? NULL
                       : LLVMBuildMul(w->b, a, number(w, op == LLVMShl ? INT64_C(1) << c : c), "");
        if (op == LLVMShl)
            return NULL;
        return LLVMBuildMul(w->b, a, LLVMTypeOf(b) == w->i64 ? b : LLVMBuildSExt(w->b, b, w->i64, ""), "");
    case LLVMSExt:
    case LLVMZExt:
    case LLVMIntToPtr:
    case LLVMPtrToInt:
    case LLVMFreeze:
        return step_of(w, LLVMGetOperand(x, 0), depth - 1);
    default:
        return NULL;
    }
}

// Takes out what step_of built and nobody uses: it would seem to need its operands where it stands.
static void drop(LLVMValueRef x)
{
    if (!x || !LLVMIsAInstruction(x) || LLVMGetFirstUse(x))
        return;
    LLVMOpcode op = LLVMGetInstructionOpcode(x);
    if (op != LLVMAdd && op != LLVMSub && op != LLVMMul && op != LLVMSExt)
        return;
    LLVMValueRef a = LLVMGetOperand(x, 0), b = op == LLVMSExt ? NULL : LLVMGetOperand(x, 1);
    LLVMInstructionEraseFromParent(x);
    drop(a);
    if (b != a)
        drop(b);
}

// An access near an address that is loaded from as well needs nothing of its own.
static bool has_neighbour(const struct walk *w, LLVMValueRef address)
{
    int64_t c;
    if (!ir_is_byte_gep(address) || !value_constant(LLVMGetOperand(address, 1), &c) || c <= -64 || c >= 64)
        return false;
    for (LLVMUseRef u = LLVMGetFirstUse(LLVMGetOperand(address, 0)); u; u = LLVMGetNextUse(u))
        if (LLVMIsALoadInst(LLVMGetUser(u)) && loop_has(&w->cfg, w->loop, LLVMGetUser(u)))
            return true;
    return false;
}

static bool has_barrier(const struct walk *w)
{
    FOR_LOOP (&w->cfg, w->loop, x)
        if (op_is_barrier(x))
            return true;
    return false;
}

// The barrier that comes after the load on every way, in the same loop; NULL: none.
static LLVMValueRef barrier_behind(const struct walk *w, LLVMValueRef load)
{
    int from = cfg_index(&w->cfg, LLVMGetInstructionParent(load));
    for (LLVMValueRef x = LLVMGetNextInstruction(load); x; x = LLVMGetNextInstruction(x))
        if (op_is_barrier(x))
            return x;
    for (int k = w->cfg.blocks[from].ipdom; k != CFG_NONE; k = w->cfg.blocks[k].ipdom) {
        if (w->cfg.blocks[k].loop != w->loop || !cfg_dominates(&w->cfg, from, k))
            return NULL;
        FOR_INSTRUCTIONS (w->cfg.blocks[k].block, x)
            if (op_is_barrier(x))
                return x;
    }
    return NULL;
}

// Whether x can be computed again from what the loop carries and what is known outside: by arithmetic alone.
static bool can_repeat(const struct walk *w, LLVMValueRef x, unsigned depth)
{
    if (!loop_has(&w->cfg, w->loop, x) || LLVMIsAPHINode(x))
        return true;
    switch (LLVMGetInstructionOpcode(x)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
    case LLVMOr:
    case LLVMSExt:
    case LLVMZExt:
    case LLVMIntToPtr:
    case LLVMPtrToInt:
        break;
    case LLVMGetElementPtr:
        if (ir_is_byte_gep(x))
            break;
        return false;
    default:
        return false;
    }
    for (unsigned i = 0, n = (unsigned)LLVMGetNumOperands(x); i < n; i++)
        if (!depth || !can_repeat(w, LLVMGetOperand(x, i), depth - 1))
            return false;
    return true;
}

// Computes it where the builder stands.
static LLVMValueRef repeat(const struct walk *w, LLVMValueRef x)
{
    LLVMValueRef operands[2];
    if (!loop_has(&w->cfg, w->loop, x) || LLVMIsAPHINode(x))
        return x;
    unsigned n = (unsigned)LLVMGetNumOperands(x);
    for (unsigned i = 0; i < n; i++)
        operands[i] = repeat(w, LLVMGetOperand(x, i));
    LLVMValueRef copy = LLVMInstructionClone(x);
    LLVMInsertIntoBuilder(w->b, copy);
    for (unsigned i = 0; i < n; i++)
        LLVMSetOperand(copy, i, operands[i]);
    LLVMInstructionSetDebugLoc(copy, NULL);
    return copy;
}

static void mark_load(const struct walk *w, LLVMModuleRef m, LLVMValueRef load)
{
    LLVMValueRef address = LLVMGetOperand(load, 0), barrier = barrier_behind(w, load);
    int64_t c;
    LLVMPositionBuilderBefore(w->b, load);
    LLVMValueRef step = step_of(w, address, DEPTH);
    int64_t least = w->small ? LINE : STEP_MIN;
    if (!step || (value_constant(step, &c) && c < least && c > -least))
        return;
    bool behind = barrier && can_repeat(w, address, DEPTH);
    if (behind) {
        drop(step);
        LLVMPositionBuilderBefore(w->b, LLVMGetNextInstruction(barrier));
        address = repeat(w, address);
        step = step_of(w, LLVMGetOperand(load, 0), DEPTH);
    }
    address = LLVMBuildGEP2(w->b, LLVMInt8TypeInContext(LLVMGetModuleContext(m)), address, &step, 1, "");
    prefetch_emit(w->b, address, behind ? PREFETCH_NEAR : PREFETCH_FAR);
}

// The loads of this loop that go on by a line or a few on each turn.
static unsigned count_small(struct walk *w, const LLVMValueRef *loads, size_t n)
{
    unsigned count = 0;
    for (size_t i = 0; i < n; i++) {
        int64_t c = 0;
        if (w->cfg.blocks[cfg_index(&w->cfg, LLVMGetInstructionParent(loads[i]))].loop != w->loop)
            continue;
        LLVMPositionBuilderBefore(w->b, loads[i]);
        LLVMValueRef step = step_of(w, LLVMGetOperand(loads[i], 0), DEPTH);
        count += step && value_constant(step, &c) && (c < 0 ? -c : c) >= LINE && (c < 0 ? -c : c) < STEP_MIN;
        drop(step);
    }
    return count;
}

void prefetch_mark(struct region_plan *plan, LLVMValueRef kernel)
{
    struct walk w = {.b = LLVMCreateBuilderInContext(LLVMGetModuleContext(plan->module))};
    struct VEC(LLVMValueRef) loads = {0};
    struct arena arena;
    unsigned gangs = plan->block[0] * plan->block[1] * plan->block[2] / plan->width;
    arena_init(&arena);
    w.i64 = LLVMInt64TypeInContext(LLVMGetModuleContext(plan->module));
    cfg_build(&w.cfg, kernel, &arena);
    for (unsigned i = 0; i < w.cfg.norder; i++) {
        if (w.cfg.blocks[w.cfg.order[i]].loop == CFG_NONE)
            continue;
        FOR_INSTRUCTIONS (w.cfg.blocks[w.cfg.order[i]].block, x)
            if (LLVMIsALoadInst(x) && ir_space(LLVMGetOperand(x, 0)) == AS_GLOBAL)
                vec_push(&loads, x);
    }
    for (size_t i = 0; i < loads.len && loads.len <= LOADS_MAX; i++) {
        LLVMValueRef x = loads.data[i], address = LLVMGetOperand(x, 0);
        w.loop = w.cfg.blocks[cfg_index(&w.cfg, LLVMGetInstructionParent(x))].loop;
        if (!has_barrier(&w) || has_neighbour(&w, address))
            continue;
        w.small = count_small(&w, loads.data, loads.len) * gangs > STREAMS;
        mark_load(&w, plan->module, x);
    }
    vec_free(&loads);
    LLVMDisposeBuilder(w.b);
    cfg_fini(&w.cfg);
    arena_fini(&arena);
}
