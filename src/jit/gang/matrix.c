// Matrix instructions of a warp (jit/matrix.h): one call to the engine. Operands and results go through memory, word after
// word for all lanes.
#include "jit/gang/gang.h"
#include <llvm-c/Core.h>
#include <stddef.h>

static LLVMValueRef place(struct gang *g, LLVMTypeRef word, unsigned count)
{
    return gang_alloca(g, LLVMArrayType2(LLVMVectorType(word, g->width), count ? count : 1), 64);
}

static LLVMValueRef at(struct gang *g, LLVMValueRef memory, unsigned index, LLVMTypeRef word)
{
    return gang_step(g, memory, (int64_t)index * g->width * (word == g->v->i64 ? 8 : 4));
}

static void put(struct gang *g, LLVMValueRef x, LLVMValueRef p)
{
    LLVMSetAlignment(LLVMBuildStore(g->b, gang_vector(g, x), p), 64);
}

static LLVMValueRef load_hook(struct gang *g)
{
    LLVMValueRef table = gang_launch_field(g, g->v->ptr, offsetof(struct jit_launch, hooks), "launch.hooks");
    return LLVMBuildLoad2(g->b, g->v->ptr, gang_step(g, table, 8 * JIT_HOOK_matrix), "hook");
}

// heddle.rt.matrix.OP(i32 op, i64 address, words ...) -> {words}. The words are all of one size.
bool emit_matrix(struct gang *g, LLVMValueRef call, unsigned variant, LLVMValueRef mask)
{
    (void)variant, (void)mask;
    if (g->width != 32)
        return gang_fail(g, call, "a matrix instruction in a gang that is not a warp"), false;
    unsigned n = LLVMGetNumArgOperands(call) - 2;
    LLVMTypeRef result = LLVMTypeOf(call), i32 = g->v->i32, p = g->v->ptr;
    bool returns = LLVMGetTypeKind(result) == LLVMStructTypeKind;
    unsigned results = returns ? LLVMCountStructElementTypes(result) : 0;
    LLVMValueRef address = LLVMGetOperand(call, 1), addresses = LLVMConstNull(p);
    if (!LLVMIsConstant(address)) {
        addresses = place(g, g->v->i64, 1);
        put(g, address, addresses);
    }
    LLVMTypeRef word = n ? LLVMTypeOf(LLVMGetOperand(call, n + 1)) : i32;
    LLVMValueRef in = n ? place(g, word, n) : LLVMConstNull(p);
    for (unsigned i = 0; i < n; i++)
        put(g, LLVMGetOperand(call, i + 2), at(g, in, i, word));
    LLVMTypeRef made = results ? LLVMStructGetTypeAtIndex(result, 0) : i32;
    LLVMValueRef out = results ? place(g, made, results) : LLVMConstNull(p);
    LLVMTypeRef params[] = {p, i32, i32, p, p, p};
    LLVMValueRef operands[] = {g->block, g->first_thread, gang_scalar(g, LLVMGetOperand(call, 0)), in, out, addresses};
    LLVMBuildCall2(g->b, LLVMFunctionType(LLVMVoidTypeInContext(g->v->context), params, 6, 0), load_hook(g), operands, 6,
                   "");
    if (!returns)
        return true;
    LLVMTypeRef vector = LLVMVectorType(made, g->width), fields[32];
    for (unsigned i = 0; i < results; i++)
        fields[i] = vector;
    LLVMValueRef all = LLVMGetPoison(LLVMStructTypeInContext(g->v->context, fields, results, 0));
    for (unsigned i = 0; i < results; i++) {
        LLVMValueRef x = LLVMBuildLoad2(g->b, vector, at(g, out, i, made), "");
        LLVMSetAlignment(x, 64);
        all = LLVMBuildInsertValue(g->b, all, x, i, "");
    }
    gang_set_vector(g, call, all);
    return true;
}
