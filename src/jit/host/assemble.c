// SPDX-License-Identifier: Apache-2.0
// A processor hands a value from a store to a load of the same size at once. Where a vector is loaded whose elements were just
// stored one by one, as the sums of a block's warps are, it waits until all of them have reached the cache: 15 cycles in a block
// of 60 that sums by shuffles. So within a piece of straight code such a vector is put together from the values themselves.
//
// resume/forward_lanes.c hands values on as well, in code of one thread: there stores and loads of different lanes and iterations meet, whose
// addresses are linear forms of both. Here gang code has constant distances from one base, and nothing else would be certain. What may
// stand between store and load is one question for both: access_may_write.
#include "jit/ir/pass.h"
#include "jit/analysis/address.h"

enum { ELEMENTS_MAX = 8 }; // a shuffle for each element

static int64_t bytes_of(LLVMTypeRef t)
{
    LLVMTypeKind kind = LLVMGetTypeKind(t);
    if (kind == LLVMVectorTypeKind)
        return bytes_of(LLVMGetElementType(t)) * LLVMGetVectorSize(t);
    if (kind == LLVMIntegerTypeKind)
        return LLVMGetIntTypeWidth(t) % 8 ? 0 : LLVMGetIntTypeWidth(t) / 8;
    return kind == LLVMFloatTypeKind ? 4 : kind == LLVMDoubleTypeKind ? 8 : 0;
}

// The values of all elements, from the stores before the load; false: some element's is not there or not certain.
static bool elements_find(LLVMValueRef load, unsigned n, int64_t size, LLVMValueRef *value)
{
    int64_t start, at;
    LLVMValueRef base = address_base(LLVMGetOperand(load, 0), &start);
    unsigned found = 0, back = 0;
    for (LLVMValueRef x = LLVMGetPreviousInstruction(load); x && found < n && back++ < TUNE_ASSEMBLE_BACK_MAX;
         x = LLVMGetPreviousInstruction(x)) {
        if (!access_may_write(x))
            continue;
        if (!LLVMIsAStoreInst(x) || !access_is_simple(x))
            return false;
        LLVMValueRef stored = LLVMGetOperand(x, 0);
        int64_t bytes = bytes_of(LLVMTypeOf(stored));
        if (address_base(LLVMGetOperand(x, 1), &at) != base || !bytes)
            return false;
        int64_t from = at - start;
        if (from >= (int64_t)n * size || from + bytes <= 0)
            continue;
        if (bytes != size || from % size || LLVMGetTypeKind(LLVMTypeOf(stored)) == LLVMVectorTypeKind)
            return false;
        if (!value[from / size]) {
            value[from / size] = stored;
            found++;
        }
    }
    return found == n;
}

static void assemble(LLVMBuilderRef b, LLVMValueRef load)
{
    LLVMTypeRef type = LLVMTypeOf(load);
    if (!LLVMIsALoadInst(load) || LLVMGetTypeKind(type) != LLVMVectorTypeKind)
        return;
    LLVMTypeRef element = LLVMGetElementType(type);
    unsigned n = LLVMGetVectorSize(type);
    int64_t size = bytes_of(element);
    LLVMValueRef value[ELEMENTS_MAX] = {0};
    if (n < 2 || n > ELEMENTS_MAX || size < 4 || !access_is_simple(load) || !elements_find(load, n, size, value))
        return;
    remark(load, "built from the %u values that were just stored", n);
    LLVMPositionBuilderBefore(b, load);
    LLVMValueRef all = LLVMGetPoison(LLVMVectorType(LLVMTypeOf(value[0]), n));
    for (unsigned i = 0; i < n; i++) {
        LLVMValueRef x = value[i];
        if (LLVMTypeOf(x) != LLVMTypeOf(value[0]))
            x = LLVMBuildBitCast(b, x, LLVMTypeOf(value[0]), "");
        all =
            LLVMBuildInsertElement(b, all, x, LLVMConstInt(LLVMInt32TypeInContext(LLVMGetTypeContext(type)), i, 0), "");
    }
    if (LLVMTypeOf(all) != type)
        all = LLVMBuildBitCast(b, all, type, "");
    ir_replace(load, all);
}

bool pass_assemble(struct compilation *c)
{
    return ir_rewrite(c->module, assemble);
}
