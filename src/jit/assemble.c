// A processor hands a value from a store to a load of the same size at once. Where a vector is loaded whose elements were just
// stored one by one, as the sums of a block's warps are, it waits until all of them have reached the cache: 15 cycles in a block
// of 60 that sums by shuffles. So within a piece of straight code such a vector is put together from the values themselves.
#include "jit/assemble.h"
#include "base/str.h"
#include <stdbool.h>
#include <stdint.h>

enum { ELEMENTS_MAX = 8, BACK_MAX = 400 }; // a shuffle for each element; how far back stores are looked for

struct place {
    LLVMValueRef base;
    int64_t offset;
};

static struct place place_of(LLVMValueRef p)
{
    struct place at = {p, 0};
    while (LLVMIsAGetElementPtrInst(at.base) && LLVMGetNumOperands(at.base) == 2 &&
           LLVMIsAConstantInt(LLVMGetOperand(at.base, 1)) &&
           LLVMGetTypeKind(LLVMGetGEPSourceElementType(at.base)) == LLVMIntegerTypeKind &&
           LLVMGetIntTypeWidth(LLVMGetGEPSourceElementType(at.base)) == 8) {
        at.offset += LLVMConstIntGetSExtValue(LLVMGetOperand(at.base, 1));
        at.base = LLVMGetOperand(at.base, 0);
    }
    return at;
}

static int64_t bytes_of(LLVMTypeRef t)
{
    switch (LLVMGetTypeKind(t)) {
    case LLVMFloatTypeKind:
        return 4;
    case LLVMDoubleTypeKind:
        return 8;
    case LLVMIntegerTypeKind:
        return LLVMGetIntTypeWidth(t) % 8 ? 0 : LLVMGetIntTypeWidth(t) / 8;
    case LLVMVectorTypeKind:
        return bytes_of(LLVMGetElementType(t)) * LLVMGetVectorSize(t);
    default:
        return 0;
    }
}

static bool is_plain(LLVMValueRef access)
{
    return !LLVMGetVolatile(access) && LLVMGetOrdering(access) == LLVMAtomicOrderingNotAtomic;
}

// Neither a store nor anything else that memory may change by.
static bool leaves_memory(LLVMValueRef x)
{
    switch (LLVMGetInstructionOpcode(x)) {
    case LLVMStore:
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
    case LLVMFence:
        return false;
    case LLVMCall: {
        size_t n;
        LLVMValueRef f = LLVMGetCalledValue(x);
        const char *name = LLVMIsAFunction(f) ? LLVMGetValueName2(f, &n) : "";
        static const char *const pure[] = {"llvm.fma.",  "llvm.vector.reduce.", "llvm.fabs.",  "llvm.smin.", "llvm.smax.",
                                           "llvm.umin.", "llvm.umax.",          "llvm.minnum", "llvm.maxnum",
                                           "llvm.experimental.noalias.scope.decl"};
        return str_begins_any(name, pure, sizeof pure / sizeof *pure);
    }
    default:
        return true;
    }
}

// The values of all elements, from the stores before the load; false: some element's is not there or not certain.
static bool elements_find(LLVMValueRef load, unsigned n, int64_t size, LLVMValueRef *value)
{
    struct place want = place_of(LLVMGetOperand(load, 0));
    unsigned found = 0, back = 0;
    for (LLVMValueRef x = LLVMGetPreviousInstruction(load); x && found < n && back++ < BACK_MAX; x = LLVMGetPreviousInstruction(x)) {
        if (leaves_memory(x))
            continue;
        if (!LLVMIsAStoreInst(x) || !is_plain(x))
            return false;
        struct place at = place_of(LLVMGetOperand(x, 1));
        LLVMValueRef stored = LLVMGetOperand(x, 0);
        int64_t bytes = bytes_of(LLVMTypeOf(stored)), from = at.offset - want.offset;
        if (at.base != want.base || !bytes)
            return false;
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
    LLVMTypeRef type = LLVMTypeOf(load), element = LLVMGetElementType(type);
    unsigned n = LLVMGetVectorSize(type);
    int64_t size = bytes_of(element);
    LLVMValueRef value[ELEMENTS_MAX] = {0};
    if (n < 2 || n > ELEMENTS_MAX || size < 4 || !is_plain(load) || !elements_find(load, n, size, value))
        return;
    LLVMPositionBuilderBefore(b, load);
    LLVMValueRef all = LLVMGetPoison(LLVMVectorType(LLVMTypeOf(value[0]), n));
    for (unsigned i = 0; i < n; i++) {
        LLVMValueRef x = value[i];
        if (LLVMTypeOf(x) != LLVMTypeOf(value[0]))
            x = LLVMBuildBitCast(b, x, LLVMTypeOf(value[0]), "");
        all = LLVMBuildInsertElement(b, all, x, LLVMConstInt(LLVMInt32TypeInContext(LLVMGetTypeContext(type)), i, 0), "");
    }
    if (LLVMTypeOf(all) != type)
        all = LLVMBuildBitCast(b, all, type, "");
    LLVMReplaceAllUsesWith(load, all);
    LLVMInstructionEraseFromParent(load);
}

void assemble_vectors(LLVMModuleRef m)
{
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(m));
    for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block))
            for (LLVMValueRef i = LLVMGetFirstInstruction(block), next; i; i = next) {
                next = LLVMGetNextInstruction(i);
                if (LLVMIsALoadInst(i) && LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMVectorTypeKind)
                    assemble(b, i);
            }
    LLVMDisposeBuilder(b);
}
