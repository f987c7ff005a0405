// SPDX-License-Identifier: Apache-2.0
#include "jit/analysis/loop/profile.h"
#include "base/map.h"
#include "jit/ir/pass.h"
#include <string.h>

enum { LOCAL_MOST = 1 << 12 }; // bytes that are counted of a variable

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

static unsigned atomic_has(LLVMValueRef x)
{
    bool shown = ir_space(LLVMGetOperand(x, 0)) != AS_SHARED && !ir_metadata(x, MERGE_KIND);
    return HAS_ATOMIC | (is_made_once(x) ? 0 : HAS_ATOMIC_EACH) | (shown ? HAS_ATOMIC_SHOWN : 0);
}

static unsigned call_has(LLVMValueRef x)
{
    LLVMValueRef f = LLVMGetCalledValue(x);
    return (op_is_harmless(x) ? 0 : HAS_CALL) | (op_of(x) == OP_YIELD_BLOCK ? HAS_YIELD : 0) |
           (LLVMIsAFunction(f) && LLVMIsDeclaration(f) ? 0 : HAS_FUNCTION);
}

static unsigned has(LLVMValueRef x)
{
    switch (LLVMGetInstructionOpcode(x)) {
    case LLVMLoad:
    case LLVMStore:
        return access_is_simple(x) ? 0 : HAS_ORDERED;
    case LLVMAtomicRMW:
        return atomic_has(x);
    case LLVMAtomicCmpXchg:
        return HAS_EXCHANGE;
    case LLVMFence:
        return HAS_FENCE;
    case LLVMAlloca:
        return HAS_LOCAL;
    case LLVMCall:
        return call_has(x);
    default:
        return 0;
    }
}

static unsigned local_bytes(LLVMValueRef x)
{
    int64_t count;
    if (!LLVMIsAAllocaInst(x))
        return 0;
    LLVMTargetDataRef layout =
        LLVMGetModuleDataLayout(LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInstructionParent(x))));
    uint64_t each = LLVMABISizeOfType(layout, LLVMGetAllocatedType(x));
    return each > LOCAL_MOST || !value_constant(LLVMGetOperand(x, 0), &count) || count < 0 || count > LOCAL_MOST
               ? LOCAL_MOST
               : (unsigned)(each * (uint64_t)count);
}

static bool is_float(LLVMValueRef x)
{
    return IR_IS(x, LLVMFAdd, LLVMFSub, LLVMFMul, LLVMFDiv) ||
           (LLVMIsACallInst(x) && !strncmp(call_name(x), "llvm.fma.", 9));
}

// Floating-point operations of one iteration up to x, each of which needs the one before; chains: those of its operands in the same loop.
static unsigned chain_to(struct map *chains, LLVMValueRef x)
{
    uintptr_t most = 0;
    for (unsigned i = 0, n = LLVMIsAPHINode(x) ? 0 : (unsigned)LLVMGetNumOperands(x); i < n; i++) {
        uintptr_t before = (uintptr_t)map_get_ptr(chains, LLVMGetOperand(x, i));
        most = before > most ? before : most;
    }
    most += is_float(x);
    if (most)
        map_put_ptr(chains, x, (void *)most);
    return (unsigned)most;
}

static void count(struct profile *p, LLVMValueRef x)
{
    bool load = LLVMIsALoadInst(x);
    p->instructions++;
    p->operations += !LLVMIsACastInst(x) && !LLVMIsAGetElementPtrInst(x) && !LLVMIsAPHINode(x);
    if (op_of(x) == OP_RT_MISALIGNED)
        p->operations -= 2; // with its operand: most fall away
    p->floats += is_float(x);
    p->loads += load;
    p->global += load && ir_space(ir_address(x)) == AS_GLOBAL;
    p->barriers += op_is_barrier(x);
    p->local += local_bytes(x);
    p->has |= has(x);
}

// The graph's order has definitions before uses, but for phis.
const struct profile *profile_loops(struct cfg *c)
{
    struct profile *loops = arena_array(&c->arena, struct profile, c->nloops + 1), *kernel = &loops[c->nloops];
    struct map *chains = arena_array(&c->arena, struct map, c->nloops + 1);
    int64_t step;
    for (unsigned i = 0; i < c->norder; i++) {
        const struct cfg_block *b = &c->blocks[c->order[i]];
        unsigned own = b->loop == CFG_NONE ? c->nloops : (unsigned)b->loop;
        FOR_INSTRUCTIONS (b->block, x) {
            unsigned chain = chain_to(&chains[own], x);
            loops[own].chain = chain > loops[own].chain ? chain : loops[own].chain;
            count(kernel, x);
            if (b->loop != CFG_NONE)
                count(&loops[b->loop], x);
        }
    }
    for (unsigned i = 0; i <= c->nloops; i++)
        map_free(&chains[i]);
    for (unsigned i = 0; i < c->nloops; i++) {
        FOR_LOOP_PHIS (c, (int)i, x)
            loops[i].carried += !loop_phi_step(x, &step);
        kernel->carried = loops[i].carried > kernel->carried ? loops[i].carried : kernel->carried;
        kernel->chain = loops[i].chain > kernel->chain ? loops[i].chain : kernel->chain;
    }
    return loops;
}

void profile_accesses(const struct cfg *c, int loop, struct loop_accesses *out)
{
    out->len = 0;
    FOR_LOOP_OWN(c, loop, x)
    {
        if (!IR_IS(x, LLVMLoad, LLVMStore) || ir_space(ir_address(x)) > AS_GLOBAL)
            continue;
        struct loop_access a = {.instruction = x, .address = ir_address(x), .write = LLVMIsAStoreInst(x)};
        a.at = linear_of(a.address);
        a.step = linear_step(c, loop, &a.at);
        vec_push(out, a);
    }
}

bool access_is_near(const struct loop_access *a, const struct loop_access *b, int64_t iterations)
{
    struct linear there = linear_add(&a->at, &a->step, iterations), apart = linear_add(&there, &b->at, -1);
    return !apart.lost && !apart.n && apart.plus < TUNE_LINE && apart.plus > -TUNE_LINE;
}

bool access_is_first(const struct loop_accesses *a, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (access_is_near(&a->data[i], &a->data[k], 0))
            return false;
    return true;
}
