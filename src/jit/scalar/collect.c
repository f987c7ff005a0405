// Additions to global memory that may come later. At the end of a block many kernels add what the block has found to a few
// cells that all blocks share: a sum, a histogram, the centres of clusters. Each such addition takes the cell's line from the
// core that had it last; sixteen cores then spend their time on handing lines round. Instead a worker adds up what its blocks
// bring, in a small table of its own (struct jit_table), and adds the sums to memory when it leaves the grid, or after a
// millisecond.
//
// Is it right? PTX's red, and atom whose result nobody uses, are relaxed operations: they happen once, at some time, after
// what the same thread did before to the same place and before what it does to it later; nothing else is said of their order
// unless a fence, an operation that releases, a barrier or the end of the kernel says it. So an addition may be put off when
//  1. its thread touches global memory no more: neither reads, which might be of that place, nor writes, nor changes it by
//     another operation; and comes to no barrier, behind which other threads of the block might. Other additions may follow,
//     in any order.
//  2. the kernel has nothing by which one block could learn that another one has come past its additions: no fence, no
//     volatile access, no atomic load or store, no atomic whose result is used, no call of the engine that does not return
//     or prints. (Sums with a ticket for the last block have both a fence and a result.)
//  3. it becomes visible in time: kernels and the host may watch the place. The worker writes the sums before its part of the
//     grid counts as finished and at the latest a millisecond after a block, and the kernel itself, by 2, cannot wait (nor
//     may it be put aside: gang/collect.c).
// Sums of integers do not depend on the order; of floats they do, and every order is one that a GPU may take.
//
// It pays when the same places come again in the next block. So the address must be made of the kernel's parameters and the
// thread's place in its block alone, and run through memory lane by lane or be one for all lanes; then a gang finds its
// sums in one place of the table, and an addition is that of a vector.
#include "base/arena.h"
#include "base/vec.h"
#include "jit/gang/vectorise.h"
#include "jit/ir.h"
#include "jit/region.h"
#include <string.h>

enum { DEPTH = 10 };

static bool is_private(LLVMValueRef pointer)
{
    unsigned s = ir_space(pointer);
    return s == AS_SHARED || s == AS_CONST || s == AS_LOCAL;
}

static bool is_used(LLVMValueRef x)
{
    return LLVMGetFirstUse(x) != NULL;
}

// An addition whose result nobody uses.
static bool is_addition(LLVMValueRef x)
{
    if (!LLVMIsAAtomicRMWInst(x) || is_used(x) || LLVMGetVolatile(x))
        return false;
    LLVMAtomicRMWBinOp op = LLVMGetAtomicRMWBinOp(x);
    LLVMAtomicOrdering order = LLVMGetOrdering(x);
    return (op == LLVMAtomicRMWBinOpAdd || op == LLVMAtomicRMWBinOpFAdd) &&
           (order == LLVMAtomicOrderingMonotonic || order == LLVMAtomicOrderingAcquire);
}

static bool call_is_harmless(LLVMValueRef x)
{
    static const char *const known[] = {"heddle.barrier", "heddle.warp.sync", "heddle.shfl.", "heddle.vote.", "heddle.redux.",
                                        "heddle.match.",  "heddle.rt.misaligned", "heddle.prefetch", "llvm.assume",
                                        "llvm.lifetime."};
    LLVMValueRef f = LLVMGetCalledValue(x);
    if (!LLVMIsAFunction(f))
        return false;
    if (ir_touches_no_memory(f))
        return true;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (!strncmp(call_name(x), known[i], strlen(known[i])))
            return true;
    return false;
}

// Point 2 above.
static bool tells_others(LLVMValueRef x)
{
    switch (LLVMGetInstructionOpcode(x)) {
    case LLVMFence:
        return true;
    case LLVMLoad:
    case LLVMStore:
        return (LLVMGetVolatile(x) || LLVMGetOrdering(x) != LLVMAtomicOrderingNotAtomic) &&
               !is_private(LLVMGetOperand(x, LLVMIsAStoreInst(x) ? 1 : 0));
    case LLVMAtomicRMW:
        return !is_private(LLVMGetOperand(x, 0)) && !is_addition(x);
    case LLVMAtomicCmpXchg:
        return !is_private(LLVMGetOperand(x, 0));
    case LLVMCall:
        return !call_is_harmless(x);
    case LLVMInvoke:
    case LLVMCallBr:
        return true;
    default:
        return false;
    }
}

// Point 1 above; additions may follow.
static bool touches_global(struct vectoriser *v, LLVMValueRef x)
{
    if (LLVMIsACallInst(x))
        return !strncmp(call_name(x), "heddle.barrier", 14) || !strcmp(call_name(x), "heddle.warp.sync");
    if (LLVMIsALoadInst(x))
        return !is_private(LLVMGetOperand(x, 0)) && !LLVMGetMetadata(x, v->invariant_kind);
    return LLVMIsAStoreInst(x) && !is_private(LLVMGetOperand(x, 1));
}

struct reach {
    struct VEC(LLVMBasicBlockRef) blocks;
};

static void add_block(struct reach *r, LLVMBasicBlockRef b)
{
    for (size_t i = 0; i < r->blocks.len; i++)
        if (r->blocks.data[i] == b)
            return;
    vec_push(&r->blocks, b);
}

static bool run_is_quiet(struct vectoriser *v, LLVMValueRef from)
{
    for (; from; from = LLVMGetNextInstruction(from))
        if (touches_global(v, from))
            return false;
    return true;
}

static bool is_last(struct vectoriser *v, LLVMValueRef x)
{
    struct reach r = {0};
    bool quiet = run_is_quiet(v, LLVMGetNextInstruction(x));
    LLVMValueRef end = LLVMGetBasicBlockTerminator(LLVMGetInstructionParent(x));
    for (size_t i = 0; quiet;) {
        for (unsigned k = 0; k < LLVMGetNumSuccessors(end); k++)
            add_block(&r, LLVMGetSuccessor(end, k));
        if (i == r.blocks.len)
            break;
        quiet = run_is_quiet(v, LLVMGetFirstInstruction(r.blocks.data[i]));
        end = LLVMGetBasicBlockTerminator(r.blocks.data[i++]);
    }
    vec_free(&r.blocks);
    return quiet;
}

// What comes again in the same thread of the next block.
static bool comes_again(LLVMValueRef call)
{
    const char *name = call_name(call);
    return !strcmp(name, "heddle.args") || !strcmp(name, "heddle.global") || !strncmp(name, "heddle.tid.", 11) ||
           !strncmp(name, "heddle.ntid.", 12);
}

#define FOR_INSTRUCTIONS(kernel, x)                                                                                    \
    for (LLVMBasicBlockRef block_ = LLVMGetFirstBasicBlock(kernel); block_; block_ = LLVMGetNextBasicBlock(block_))     \
        for (LLVMValueRef x = LLVMGetFirstInstruction(block_); x; x = LLVMGetNextInstruction(x))

void collect_mark(struct region_plan *plan, LLVMValueRef kernel)
{
    LLVMContextRef c = LLVMGetModuleContext(plan->module);
    struct vectoriser v = {.invariant_kind = LLVMGetMDKindIDInContext(c, "invariant.load", 14)};
    unsigned kind = LLVMGetMDKindIDInContext(c, COLLECT_KIND, sizeof COLLECT_KIND - 1);
    bool any = false;
    FOR_INSTRUCTIONS(kernel, x)
    {
        if (tells_others(x))
            return;
        any |= is_addition(x) && ir_space(LLVMGetOperand(x, 0)) == AS_GLOBAL;
    }
    if (!any)
        return;
    FOR_INSTRUCTIONS(kernel, x)
    if (is_addition(x) && ir_space(LLVMGetOperand(x, 0)) == AS_GLOBAL && ir_made_of(LLVMGetOperand(x, 0), DEPTH, comes_again) &&
        is_last(&v, x))
        LLVMSetMetadata(x, kind, LLVMMDNodeInContext(c, NULL, 0));
}
