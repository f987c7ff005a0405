// SPDX-License-Identifier: Apache-2.0
// Matrix instructions of a warp (jit/abi/matrix.h): one call to the engine. Operands and results go through memory, word after
// word for all lanes.
#include "jit/abi/matrix.h"
#include "jit/gang/gang.h"

// All matrix instructions of a function use the same memory, so that it stays in the cache.
static LLVMValueRef memory(struct gang *g)
{
    if (!g->matrix)
        g->matrix = gang_alloca(g, LLVMArrayType2(LLVMInt8TypeInContext(g->v->context), MATRIX_BYTES), MATRIX_ALIGN);
    return g->matrix;
}

static LLVMValueRef at(struct gang *g, LLVMValueRef memory, unsigned index, LLVMTypeRef word)
{
    return gang_step(g, memory, (int64_t)index * g->width * (word == g->v->i64 ? 8 : 4));
}

static void put(struct gang *g, LLVMValueRef x, LLVMValueRef p)
{
    ir_store(g->b, gang_vector(g, x), p, 64);
}

// heddle.rt.matrix.OP(i32 op, i64 address, words ...) -> {words}. The words are all of one size.
EMIT(matrix)
{
    unsigned n = LLVMGetNumArgOperands(call) - 2;
    LLVMTypeRef result = LLVMTypeOf(call), i32 = g->v->i32, p = g->v->ptr;
    bool returns = LLVMGetTypeKind(result) == LLVMStructTypeKind;
    unsigned results = returns ? LLVMCountStructElementTypes(result) : 0;
    LLVMValueRef address = LLVMGetOperand(call, 1), addresses = LLVMConstNull(p);
    if (!LLVMIsConstant(address)) {
        addresses = memory(g);
        put(g, address, addresses);
    }
    LLVMTypeRef word = n ? LLVMTypeOf(LLVMGetOperand(call, n + 1)) : i32;
    LLVMTypeRef made = results ? LLVMStructGetTypeAtIndex(result, 0) : i32;
    LLVMValueRef in = n ? gang_step(g, memory(g), MATRIX_ADDRESS_BYTES) : LLVMConstNull(p);
    for (unsigned i = 0; i < n; i++)
        put(g, LLVMGetOperand(call, i + 2), at(g, in, i, word));
    LLVMValueRef out = results ? gang_step(g, memory(g), MATRIX_ADDRESS_BYTES + MATRIX_IN_BYTES) : LLVMConstNull(p);
    LLVMValueRef operands[] = {g->block, g->first_thread, gang_scalar(g, LLVMGetOperand(call, 0)), in, out, addresses};
    gang_call_hook(g, JIT_HOOK_matrix, g->v->void_type, operands, 6);
    if (!returns)
        return;
    LLVMTypeRef vector = gang_lanes(g, made), fields[32];
    for (unsigned i = 0; i < results; i++)
        fields[i] = vector;
    LLVMValueRef all = LLVMGetPoison(LLVMStructTypeInContext(g->v->context, fields, results, 0));
    for (unsigned i = 0; i < results; i++) {
        LLVMValueRef x = ir_load(g->b, vector, at(g, out, i, made), 64);
        all = LLVMBuildInsertValue(g->b, all, x, i, "");
    }
    gang_set_vector(g, call, all);
}
