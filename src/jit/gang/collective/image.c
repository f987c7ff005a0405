// SPDX-License-Identifier: Apache-2.0
// Instructions on textures and surfaces that the engine carries out (jit/abi/image.h): one call for the whole gang.
// Operands go through memory, lane by lane behind one another; so do the four words of the result.
#include "jit/abi/image.h"
#include "jit/gang/gang.h"
#include "jit/ir/machine.h"

enum { RESULTS = 4 };

static LLVMValueRef row(struct gang *g, LLVMValueRef memory, unsigned k)
{
    return gang_step(g, memory, (int64_t)k * g->width * 4);
}

static LLVMValueRef value_of(struct gang *g, LLVMValueRef x)
{
    return g->width == 1 ? gang_scalar(g, x) : gang_vector(g, x);
}

static LLVMTypeRef type_of(struct gang *g, LLVMTypeRef t)
{
    return g->width == 1 ? t : gang_lanes(g, t);
}

static int32_t vector_bits(void)
{
    unsigned bytes = machine_figure(FIGURE_VECTOR_BYTES);
    return (bytes >= 64 ? IMAGE_VECTOR_64 : bytes >= 32 ? IMAGE_VECTOR_32 : IMAGE_VECTOR_16) << IMAGE_VECTOR_SHIFT;
}

// heddle.rt.image.N(i32 op, i64 handle, i32 ...) -> {i32, i32, i32, i32}
EMIT(image)
{
    unsigned n = LLVMGetNumArgOperands(call) - 2;
    LLVMTypeRef i32 = g->v->i32, words = type_of(g, i32);
    LLVMValueRef handle = LLVMGetOperand(call, 1), op = gang_scalar(g, LLVMGetOperand(call, 0));
    bool one = gang_is_uniform(g, handle);
    LLVMValueRef handles = gang_alloca(g, one ? g->v->i64 : type_of(g, g->v->i64), 16);
    LLVMValueRef args = gang_alloca(g, LLVMArrayType2(i32, (n ? n : 1) * g->width), 16);
    LLVMValueRef out = gang_alloca(g, LLVMArrayType2(i32, RESULTS * g->width), 16);
    ir_store(g->b, one ? gang_scalar(g, handle) : value_of(g, handle), handles, 8);
    for (unsigned i = 0; i < n; i++)
        ir_store(g->b, value_of(g, LLVMGetOperand(call, i + 2)), row(g, args, i), 4);
    uint32_t all = g->width == 32 ? UINT32_MAX : (UINT32_C(1) << g->width) - 1;
    LLVMValueRef active = mask && g->width > 1 ? gang_ballot(g, mask) : gang_i32(g, (int32_t)all);
    LLVMValueRef operands[] = {g->block,
                               g->first_thread,
                               LLVMBuildOr(g->b, op, gang_i32(g, vector_bits() | (one ? IMAGE_ONE : 0)), ""),
                               gang_i32(g, g->width),
                               active,
                               handles,
                               args,
                               out};
    gang_call_hook(g, JIT_HOOK_image, g->v->void_type, operands, 8);
    LLVMTypeRef fields[RESULTS] = {words, words, words, words};
    LLVMValueRef result = LLVMGetPoison(LLVMStructTypeInContext(g->v->context, fields, RESULTS, 0));
    for (unsigned i = 0; i < RESULTS; i++) {
        LLVMValueRef x = ir_load(g->b, words, row(g, out, i), 4);
        result = LLVMBuildInsertValue(g->b, result, x, i, "");
    }
    gang_set_result(g, call, result, result);
}
