// SPDX-License-Identifier: Apache-2.0
// The block's part in results that are merged (gang/memory/merge.c): where they lie while it runs, what they begin with, and how they
// reach the worker's.
#include "jit/block/block.h"

static LLVMValueRef step(struct block_gen *g, LLVMValueRef p, uint64_t bytes)
{
    return block_at(g, p, LLVMConstInt(g->i64, bytes, 0));
}

// The worker's for location k.
static LLVMValueRef merged(struct block_gen *g, unsigned k, uint64_t offset)
{
    LLVMValueRef table = block_field(g, g->ptr, g->block, offsetof(struct jit_block, table));
    return step(g, table, offsetof(struct jit_table, merged) + k * sizeof(struct jit_merged) + offset);
}

// Whether the worker merges for the address: seldom asked of the engine.
static LLVMValueRef ask(struct block_gen *g, unsigned k)
{
    LLVMValueRef f = g->plan->merged[k].address, a[2] = {g->launch, g->block}, at = merged(g, k, 0);
    LLVMValueRef address = ir_call(g->b, f, a, 2);
    LLVMBasicBlockRef before = LLVMGetInsertBlock(g->b), other = block_new(g, "other"), asked = block_new(g, "asked");
    LLVMValueRef held = LLVMBuildLoad2(g->b, g->i64, at, ""); // the first member
    ir_branch(g->b, LLVMBuildICmp(g->b, LLVMIntEQ, held, address, ""), asked, other, other);
    LLVMValueRef hooks = block_field(g, g->ptr, g->launch, offsetof(struct jit_launch, hooks));
    LLVMValueRef hook = block_field(g, g->ptr, hooks, JIT_HOOK_merge * sizeof(void *));
    LLVMValueRef args[6] = {g->block,
                            block_const(g, 0),
                            at,
                            address,
                            block_const(g, g->plan->merged[k].kind),
                            LLVMConstInt(g->i64, g->plan->merged[k].params, 0)};
    LLVMValueRef state = ir_call_pointer(g->b, g->i32, hook, args, 6);
    ir_enter(g->b, asked);
    return ir_phi(g->b, block_const(g, JIT_MERGE_TAKEN), before, state, other);
}

static void begin(struct block_gen *g, LLVMValueRef buffer, unsigned k, LLVMValueRef state)
{
    LLVMTypeRef t = g->plan->merged[k].type;
    LLVMValueRef e[JIT_MERGED_BYTES / 4], parts = step(g, buffer, merge_offset(g->plan, k));
    for (unsigned l = 0; l < LLVMGetVectorSize(t); l++)
        e[l] = reduce_neutral(g->plan->merged[k].op, LLVMGetElementType(t));
    ir_store(g->b, LLVMConstVector(e, LLVMGetVectorSize(t)), parts, JIT_MERGED_BYTES);
    LLVMBuildStore(g->b, state, step(g, parts, JIT_MERGED_BYTES));
}

LLVMValueRef block_merge_buffer(struct block_gen *g, const char *name)
{
    LLVMValueRef a = LLVMBuildAlloca(g->b, LLVMArrayType2(g->i8, merge_offset(g->plan, JIT_MERGED)), name);
    LLVMSetAlignment(a, JIT_MERGED_BYTES);
    return a;
}

LLVMValueRef block_merge_room(struct block_gen *g)
{
    LLVMValueRef table = block_field(g, g->ptr, g->block, offsetof(struct jit_block, table));
    return step(g, table, offsetof(struct jit_table, room) - merge_offset(g->plan, 0));
}

void block_merge_begin(struct block_gen *g)
{
    for (unsigned k = 0; k < JIT_MERGED; k++) {
        if (!g->plan->merged[k].type)
            continue;
        LLVMValueRef state = ask(g, k);
        begin(g, g->next, k, state);
        if (g->next_masked)
            begin(g, g->next_masked, k, state);
    }
}

static void end(struct block_gen *g, LLVMValueRef buffer, unsigned k)
{
    LLVMTypeRef t = g->plan->merged[k].type;
    LLVMBasicBlockRef some = block_new(g, "merge"), none = block_new(g, "merged");
    LLVMValueRef parts = step(g, buffer, merge_offset(g->plan, k));
    LLVMValueRef state = LLVMBuildLoad2(g->b, g->i32, step(g, parts, JIT_MERGED_BYTES), "");
    ir_branch(g->b, LLVMBuildICmp(g->b, LLVMIntEQ, state, block_const(g, JIT_MERGE_TAKEN), ""), some, none, some);
    LLVMValueRef at = merged(g, k, offsetof(struct jit_merged, value));
    LLVMValueRef x = ir_load(g->b, t, parts, JIT_MERGED_BYTES), old = ir_load(g->b, t, at, JIT_MERGED_BYTES);
    x = reduce_combine(g->b, g->plan->merged[k].op, old, x);
    ir_store(g->b, x, at, JIT_MERGED_BYTES);
    ir_enter(g->b, none);
}

void block_merge_end(struct block_gen *g)
{
    for (unsigned k = 0; k < JIT_MERGED; k++) {
        if (!g->plan->merged[k].type)
            continue;
        end(g, g->next, k);
        if (g->next_masked)
            end(g, g->next_masked, k);
    }
}
