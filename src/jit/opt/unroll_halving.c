// SPDX-License-Identifier: Apache-2.0
// Loops with barriers whose counter halves or doubles, as in sums by a tree and scans of a block: `for (d = blockDim.x / 2; d;
// d /= 2)`. The block's shape is known, so the counter is a number on every turn; written out, the turns have masks and addresses
// that are known too, gangs that have nothing to do have no code, and the last turns, of fewer threads than a gang has, touch just
// the elements that they need: what one turn wrote and the next one reads then goes from the one to the other within the
// processor, where a wide load over a narrow store has to wait for memory. Sums of 256 by a tree: 28 to 15 us for 512 of them.
//
// The loop gets LLVM's mark to be unrolled, all others that not to be; marks of scalar code do not outlive it.
#include "base/arena.h"
#include "jit/analysis/cfg.h"
#include "jit/ir/dialect.h"
#include "jit/ir/ir.h"
#include "jit/opt/opt.h"

enum { TURNS_MAX = 10, BODY_MAX = 60, BARRIERS_MAX = 16, CODE_MAX = 320 };

static uint64_t cut(LLVMTypeRef t, uint64_t x)
{
    unsigned bits = LLVMGetIntTypeWidth(t);
    return bits >= 64 ? x : x & ((UINT64_C(1) << bits) - 1);
}

// The counter's next value; false: it neither halves nor doubles.
static bool next_of(LLVMValueRef phi, LLVMValueRef step, uint64_t now, uint64_t *next)
{
    int64_t c;
    if (!LLVMIsAInstruction(step) || LLVMGetNumOperands(step) != 2 || LLVMGetOperand(step, 0) != phi ||
        !value_constant(LLVMGetOperand(step, 1), &c) || c < 1 || c > 8)
        return false;
    switch (LLVMGetInstructionOpcode(step)) {
    case LLVMShl:
        *next = now << c;
        break;
    case LLVMLShr:
    case LLVMAShr: // of what is not negative
        *next = now >> c;
        break;
    case LLVMMul:
        *next = now * (uint64_t)c;
        break;
    case LLVMUDiv:
    case LLVMSDiv:
        *next = now / (uint64_t)c;
        break;
    default:
        return false;
    }
    *next = cut(LLVMTypeOf(phi), *next);
    return *next != now && *next <= INT32_MAX;
}

static bool compare(LLVMIntPredicate p, uint64_t a, uint64_t b)
{
    switch (p) { // both are less than 2^31
    case LLVMIntEQ:
        return a == b;
    case LLVMIntNE:
        return a != b;
    case LLVMIntUGT:
    case LLVMIntSGT:
        return a > b;
    case LLVMIntUGE:
    case LLVMIntSGE:
        return a >= b;
    case LLVMIntULT:
    case LLVMIntSLT:
        return a < b;
    default:
        return a <= b;
    }
}

// How often the loop runs, when the phi counts it; 0: not known, or too often.
static unsigned count_turns(const struct cfg *c, const struct cfg_loop *l, LLVMValueRef phi)
{
    LLVMBasicBlockRef header = c->blocks[l->header].block, latch = c->blocks[l->latch].block;
    LLVMValueRef end = LLVMGetBasicBlockTerminator(latch), test, step = NULL;
    uint64_t now = 0, next;
    int64_t start = -1, bound;
    if (!LLVMIsABranchInst(end) || !LLVMIsConditional(end) || LLVMCountIncoming(phi) != 2 ||
        LLVMGetTypeKind(LLVMTypeOf(phi)) != LLVMIntegerTypeKind)
        return 0;
    test = LLVMGetCondition(end);
    for (unsigned i = 0; i < 2; i++)
        if (LLVMGetIncomingBlock(phi, i) == latch)
            step = LLVMGetIncomingValue(phi, i);
        else if (!value_constant(LLVMGetIncomingValue(phi, i), &start))
            return 0;
    if (!step || start < 1 || start > INT32_MAX || !LLVMIsAICmpInst(test) ||
        !value_constant(LLVMGetOperand(test, 1), &bound) || bound < 0 || bound > INT32_MAX)
        return 0;
    LLVMValueRef tested = LLVMGetOperand(test, 0);
    if (tested != step && tested != phi)
        return 0;
    bool stays = LLVMGetSuccessor(end, 0) == header;
    now = (uint64_t)start;
    for (unsigned n = 1; n <= TURNS_MAX; n++) {
        if (!next_of(phi, step, now, &next))
            return 0;
        if (compare(LLVMGetICmpPredicate(test), tested == phi ? now : next, (uint64_t)bound) != stays)
            return n;
        now = next;
    }
    return 0;
}

static bool is_worth_it(const struct cfg *c, int loop)
{
    const struct cfg_loop *l = &c->loops[loop];
    unsigned instructions = 0, barriers = 0, turns = 0;
    if (l->latch == CFG_NONE || l->parent != CFG_NONE)
        return false;
    for (unsigned i = 0; i < c->norder; i++) {
        if (!cfg_loop_contains(c, loop, c->order[i]))
            continue;
        if (c->blocks[c->order[i]].loop != loop)
            return false;
        for (LLVMValueRef x = LLVMGetFirstInstruction(c->blocks[c->order[i]].block); x; x = LLVMGetNextInstruction(x)) {
            instructions++;
            barriers += op_is_barrier(x);
        }
    }
    for (LLVMValueRef x = LLVMGetFirstInstruction(c->blocks[l->header].block); x && LLVMIsAPHINode(x) && !turns;
         x = LLVMGetNextInstruction(x))
        turns = count_turns(c, l, x);
    return barriers && turns && instructions <= BODY_MAX && barriers * turns <= BARRIERS_MAX &&
           instructions * turns <= CODE_MAX;
}

bool halving_mark(struct region_plan *plan, LLVMValueRef kernel)
{
    LLVMContextRef context = LLVMGetModuleContext(plan->module);
    struct arena arena;
    struct cfg c;
    bool any = false;
    if (!plan->block[0])
        return false;
    arena_init(&arena);
    cfg_build(&c, kernel, &arena);
    bool *mark = arena_array(&arena, bool, c.nloops + 1);
    for (unsigned i = 0; i < c.nloops; i++)
        any |= mark[i] = is_worth_it(&c, (int)i);
    for (unsigned i = 0; i < c.nloops && any; i++)
        if (c.loops[i].latch != CFG_NONE)
            loop_mark(context, LLVMGetBasicBlockTerminator(c.blocks[c.loops[i].latch].block),
                      mark[i] ? "llvm.loop.unroll.full" : "llvm.loop.unroll.disable", 0);
    cfg_fini(&c);
    arena_fini(&arena);
    return any;
}
