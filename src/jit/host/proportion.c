// SPDX-License-Identifier: Apache-2.0
// What keeps LLVM's time in proportion to the code that it gets. Its passes are linear in most of the code that they meet, but
//
// 1. combining instructions asks for each operand whether it may be poison, and walks up the dominator tree for an answer. Where
//    hundreds of conditions lie within each other, as behind hundreds of exits, that is the square of their number. The depth
//    is measured, and deep code gets passes that do not ask;
// 2. instruction selection and scheduling look at pairs within a block (loads of one base, accesses that may alias). Blocks of
//    thousands of instructions are cut before. A cut changes nothing but the order in which code is chosen: the first part jumps to the
//    second one, which nothing else leads to;
// 3. scalar evolution, which the code generator asks for the strength reduction of loops, looks for conditions that guard a loop and walks
//    back for them, from block to only predecessor and from a loop's header to what enters it. Behind hundreds of loops, each after the
//    other, that is the square of their number. Such a chain is cut at every so many blocks by a jump that has two edges to the same block,
//    which is then no only predecessor's; the code generator makes one edge of them when loops are done. For AArch64 it simplifies control
//    flow before it looks at loops, and the jump is one that it knows nothing of, at the price of a comparison.
#include "jit/ir/pass.h"
#include "jit/host/proportion.h"
#include "jit/host/target.h"
#include "base/vec.h"
#include "jit/analysis/cfg.h"

unsigned proportion_depth(LLVMModuleRef m)
{
    uint64_t sum = 0, n = 0;
    FOR_DEFINED (m, f) {
        struct cfg c;
        cfg_build(&c, f);
        unsigned *depth = arena_array(&c.arena, unsigned, c.nblocks + 1);
        for (unsigned i = 0; i < c.norder; i++) { // a dominator comes before what it dominates
            const struct cfg_block *b = &c.blocks[c.order[i]];
            unsigned size = ir_block_size(b->block);
            depth[c.order[i]] = b->idom == CFG_NONE ? 1 : depth[b->idom] + 1;
            sum += (uint64_t)size * depth[c.order[i]];
            n += size;
        }
        cfg_fini(&c);
    }
    return n ? (unsigned)(sum / n) : 0;
}

// How the first part of a block goes on to the second.
enum joint {
    JOINT_JUMP,
    JOINT_TWICE,  // a branch whose edges both lead there
    JOINT_OPAQUE, // a branch on a value that passes know nothing of, with another path to the same block
#ifdef JIT_FOR_AARCH64
    JOINT_CHAIN = JOINT_OPAQUE
#else
    JOINT_CHAIN = JOINT_TWICE
#endif
};

static void join(LLVMContextRef context, LLVMBuilderRef b, LLVMBasicBlockRef head, LLVMBasicBlockRef tail,
                 enum joint joint)
{
    LLVMPositionBuilderAtEnd(b, head);
    if (joint == JOINT_JUMP) {
        LLVMBuildBr(b, tail);
        return;
    }
    if (joint == JOINT_TWICE) {
        LLVMBuildCondBr(b, LLVMConstInt(LLVMInt1TypeInContext(context), 1, 0), tail, tail);
        return;
    }
    LLVMTypeRef i32 = LLVMInt32TypeInContext(context), none = LLVMVoidTypeInContext(context);
    LLVMTypeRef same = LLVMFunctionType(i32, &i32, 1, 0), nothing = LLVMFunctionType(none, NULL, 0, 0);
    LLVMValueRef zero = LLVMConstInt(i32, 0, 0);
    LLVMValueRef hide = LLVMGetInlineAsm(same, "", 0, "=r,0", 4, 0, 0, LLVMInlineAsmDialectATT, 0);
    LLVMValueRef stay = LLVMGetInlineAsm(nothing, "", 0, "", 0, 1, 0, LLVMInlineAsmDialectATT, 0);
    LLVMBasicBlockRef side = LLVMInsertBasicBlockInContext(context, tail, "");
    LLVMValueRef known = LLVMBuildICmp(b, LLVMIntEQ, LLVMBuildCall2(b, same, hide, &zero, 1, ""), zero, "");
    ir_branch(b, known, tail, side, side);
    LLVMBuildCall2(b, nothing, stay, NULL, 0, "");
    LLVMBuildBr(b, tail);
}

// The first instructions of a block go to a new one before it, to which its predecessors now lead. The rest stays with its
// terminator, so that the phis of its successors name the same block as before.
static void cut_block(LLVMContextRef context, LLVMBuilderRef b, LLVMBasicBlockRef tail, unsigned most, enum joint joint)
{
    LLVMBasicBlockRef head = LLVMInsertBasicBlockInContext(context, tail, "");
    LLVMValueRef block = LLVMBasicBlockAsValue(tail);
    struct VEC(LLVMValueRef) jumps = {0};
    FOR_USES (block, u)
        vec_push(&jumps, LLVMGetUser(u));
    for (size_t i = 0; i < jumps.len; i++)
        for (unsigned k = 0; k < LLVMGetNumSuccessors(jumps.data[i]); k++)
            if (LLVMGetSuccessor(jumps.data[i], k) == tail)
                LLVMSetSuccessor(jumps.data[i], k, head);
    vec_free(&jumps);
    LLVMPositionBuilderAtEnd(b, head);
    unsigned n = 0;
    FOR_INSTRUCTIONS_SAFE (tail, i) {
        if ((n++ >= most && !LLVMIsAPHINode(i) && !LLVMIsAAllocaInst(i)) || LLVMIsATerminatorInst(i))
            break;
        ir_move(b, i);
    }
    join(context, b, head, tail, joint);
}

static bool only_jumps(LLVMBasicBlockRef block)
{
    FOR_USES (LLVMBasicBlockAsValue(block), u)
        if (!LLVMIsATerminatorInst(LLVMGetUser(u)))
            return false; // its address is taken
    return true;
}

static void cut_long_blocks(LLVMContextRef context, LLVMBuilderRef b, LLVMValueRef f, unsigned most, enum joint joint)
{
    for (LLVMBasicBlockRef k = LLVMGetFirstBasicBlock(f), next; k; k = next) {
        next = LLVMGetNextBasicBlock(k);
        if (!only_jumps(k))
            continue;
        for (unsigned n = ir_block_size(k); n > 2 * most; n = n > most ? n - most : 0)
            cut_block(context, b, k, most, joint);
    }
}

// The block from which alone control reaches this one, into the loop if it is a header; CFG_NONE: from several.
static int entered_from(const struct cfg *c, const struct cfg_block *b)
{
    int from = CFG_NONE;
    for (unsigned i = 0; i < b->npred; i++) {
        if (b->heads != CFG_NONE && cfg_loop_contains(c, b->heads, b->pred[i]))
            continue;
        if (from != CFG_NONE)
            return CFG_NONE;
        from = b->pred[i];
    }
    return from;
}

// Cuts chains, or says whether there is one to cut.
static bool walk_chains(LLVMContextRef context, LLVMBuilderRef b, LLVMValueRef f)
{
    struct cfg c;
    bool found = false;
    cfg_build(&c, f);
    unsigned *length = arena_array(&c.arena, unsigned, c.nblocks + 1);
    for (unsigned i = 0; c.nloops > TUNE_CHAIN_LOOPS && i < c.norder; i++) {
        const struct cfg_block *k = &c.blocks[c.order[i]];
        int from = entered_from(&c, k);
        length[c.order[i]] = from == CFG_NONE ? 0 : length[from] + 1;
        if (length[c.order[i]] < TUNE_CHAIN_BLOCKS)
            continue;
        found = true;
        if (!b || k->heads != CFG_NONE || !only_jumps(k->block))
            continue;
        cut_block(context, b, k->block, 0, JOINT_CHAIN);
        length[c.order[i]] = 0;
    }
    cfg_fini(&c);
    return found;
}

bool pass_chains(struct compilation *c)
{
    c->marked = false;
    FOR_DEFINED (c->module, f)
        c->marked = c->marked || walk_chains(LLVMGetModuleContext(c->module), NULL, f);
    return true;
}

bool pass_cut(struct compilation *c)
{
    LLVMContextRef context = LLVMGetModuleContext(c->module);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(context);
    FOR_DEFINED (c->module, f) {
        cut_long_blocks(context, b, f, c->quick ? TUNE_CUT_QUICK : TUNE_CUT_CODE, c->quick ? JOINT_JUMP : JOINT_OPAQUE);
        if (c->marked)
            walk_chains(context, b, f);
    }
    LLVMDisposeBuilder(b);
    return true;
}
