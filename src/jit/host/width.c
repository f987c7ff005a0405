// SPDX-License-Identifier: Apache-2.0
// The width of kernels that have no need of their own. A vector of AVX-512 has 16 lanes. With 32 each operation is two
// that do not wait for each other, and an access is two lines side by side: mandelbrot and a convolution from shared
// memory ran 1.45x as fast, Black-Scholes 1.2x, a 3D stencil 2 to 3x. It does not pay where lanes are taken one by one
// (atomics, unless the gang makes them as one or much is computed for each: k-means 1.2x as fast), where the values of one gang fill the registers already, and where threads
// do little between barriers (a reduction: 1.25x as long). Nor where each thread walks through a row of its own and computes
// little: 32 rows at once are more places than caches and registers like (sums of rows: 1.2 to 1.5x as long). bench --widths compares.
#include "jit/analysis/cfg.h"
#include "jit/ir/pass.h"
#include "jit/host/target.h"
#include <string.h>

enum { LANES = 32, DEPTH = 10 };

struct load {
    unsigned instructions, floats, loads, carried; // carried: the most that one loop carries
    bool barriers, atomics, refused;
};

static bool is_fixed(LLVMValueRef call)
{
    return op_is_fixed(call) || op_of(call) == OP_SHARED;
}

// One operation for the gang (gang/memory/merge.c, gang/memory/append.c).
static bool is_made_once(LLVMValueRef x)
{
    int64_t by;
    return ir_metadata(x, MERGE_KIND) ||
           (LLVMGetAtomicRMWBinOp(x) == LLVMAtomicRMWBinOpAdd && value_constant(LLVMGetOperand(x, 1), &by) && by == 1 &&
            ir_made_of(LLVMGetOperand(x, 0), 8, is_fixed));
}

static void count(struct load *l, LLVMValueRef x)
{
    l->instructions++;
    l->floats += IR_IS(x, LLVMFAdd, LLVMFSub, LLVMFMul, LLVMFDiv);
    l->loads += LLVMIsALoadInst(x) != NULL;
    l->atomics |= LLVMIsAAtomicRMWInst(x) && !is_made_once(x);
    l->refused |= IR_IS(x, LLVMAtomicCmpXchg, LLVMAlloca);
    if (LLVMIsACallInst(x)) {
        l->floats += !strncmp(call_name(x), "llvm.fma.", 9);
        l->barriers |= op_is_barrier(x) || op_of(x) == OP_YIELD_BLOCK;
        l->refused |= !LLVMIsAFunction(LLVMGetCalledValue(x)) || !LLVMIsDeclaration(LLVMGetCalledValue(x));
    }
}

// Floating-point operations in inner loops that run without a barrier: each counts for many.
static unsigned count_inner(LLVMValueRef kernel)
{
    struct cfg c;
    unsigned most = 0;
    cfg_build(&c, kernel);
    struct load *loops = arena_array(&c.arena, struct load, c.nloops + 1);
    for (unsigned i = 0; i < c.norder; i++) {
        const struct cfg_block *b = &c.blocks[c.order[i]];
        for (LLVMValueRef x = LLVMGetFirstInstruction(b->block); x && b->loop != CFG_NONE;
             x = LLVMGetNextInstruction(x))
            count(&loops[b->loop], x);
    }
    for (unsigned i = 0; i < c.nloops; i++)
        if (!loops[i].barriers && loops[i].floats > most)
            most = loops[i].floats;
    cfg_fini(&c);
    return most;
}

// Bytes that a loop reads at constant distances from a phi of its header.
static unsigned read_through(LLVMValueRef x, unsigned depth)
{
    unsigned bytes = 0;
    for (LLVMUseRef u = depth ? LLVMGetFirstUse(x) : NULL; u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (LLVMIsALoadInst(user))
            bytes += LLVMGetAlignment(user); // that of its type
        else if (LLVMIsAIntToPtrInst(user) || LLVMIsAGetElementPtrInst(user))
            bytes += read_through(user, depth - 1);
    }
    return bytes;
}

// A thread's own pointer that goes on by 16 to 64 bytes a turn, all of which are read.
static bool walks_row(LLVMValueRef phi)
{
    int64_t step = 0;
    bool own = false;
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMValueRef v = LLVMGetIncomingValue(phi, i);
        bool next = IR_IS(v, LLVMGetElementPtr, LLVMAdd) && LLVMGetOperand(v, 0) == phi;
        if (next && !value_constant(LLVMGetOperand(v, 1), &step))
            return false;
        own |= !next && ir_depends_on(v, DEPTH, IS_TID);
    }
    return own && step >= TUNE_ROW_PIECE && step <= TUNE_LINE && read_through(phi, 3) >= (unsigned)step;
}

static unsigned width_of_kernel(LLVMValueRef kernel, unsigned width, unsigned threads)
{
    struct load l = {0};
    bool rows = false;
    if (width != 16 || threads % LANES || !threads || !target_ranges()) {
        remark(NULL, "%u lanes: not 16 before, or blocks of no whole warps, or a processor without AVX-512", width);
        return width;
    }
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(kernel); b; b = LLVMGetNextBasicBlock(b)) {
        unsigned phis = 0;
        FOR_INSTRUCTIONS (b, x) {
            phis += LLVMIsAPHINode(x) != NULL;
            rows |= LLVMIsAPHINode(x) && walks_row(x);
            count(&l, x);
        }
        l.carried = phis > l.carried ? phis : l.carried;
    }
    const char *reason = l.refused                                      ? "local memory, or calls that stay"
                         : l.instructions > TUNE_WIDTH_INSTRUCTIONS_MAX ? "large code"
                         : l.carried > TUNE_WIDTH_CARRIED_MAX           ? "a loop that carries many values"
                         : rows && l.floats <= TUNE_WIDTH_ROW_WORK * l.loads
                             ? "rows of each thread's own with little work"
                             : NULL;
    if (reason) {
        remark(NULL, "%u lanes: %s", width, reason);
        return width;
    }
    unsigned inner = l.barriers || l.atomics ? count_inner(kernel) : 0;
    if (l.atomics && inner < TUNE_WIDTH_BUSY_INNER) {
        remark(NULL, "%u lanes: atomics, which lanes make one by one", width);
        return width;
    }
    bool wide = !l.barriers || l.floats >= TUNE_WIDTH_BUSY || inner >= TUNE_WIDTH_BUSY_INNER;
    remark(NULL, "%u lanes%s", wide ? LANES : width, wide ? "" : ": little work between barriers");
    return wide ? LANES : width;
}

bool pass_width(struct compilation *c)
{
    c->plan.width = width_of_kernel(c->t.kernel, c->plan.width, plan_threads(&c->plan));
    return true;
}
