// SPDX-License-Identifier: Apache-2.0
// Comparisons with a minimum or maximum, taken apart.
//
// "max(a, b) < c" as "a < c and b < c", and the like: where one of the two is uniform and the other an index, each then is
// tested by scalars. Clang makes one comparison out of two bounds. Three of them may hang together; more are no bounds but
// data (networks of minima and maxima that sort), of which each level would double the code.
#include "jit/ir/pass.h"
#include <string.h>

enum { UNFOLD_LEVELS = 2 };

static void unfold_compare(LLVMValueRef i, LLVMBuilderRef b, unsigned level)
{
    static const struct {
        const char *name;
        bool is_signed, max;
    } table[] = {{"llvm.smax.", true, true},
                 {"llvm.smin.", true, false},
                 {"llvm.umax.", false, true},
                 {"llvm.umin.", false, false}};
    LLVMIntPredicate p = LLVMGetICmpPredicate(i);
    bool is_signed = p >= LLVMIntSGT, less = p == LLVMIntSLT || p == LLVMIntSLE || p == LLVMIntULT || p == LLVMIntULE;
    if (p == LLVMIntEQ || p == LLVMIntNE || level == UNFOLD_LEVELS)
        return;
    for (unsigned k = 0; k < 2; k++, less = !less) {
        LLVMValueRef m = LLVMGetOperand(i, k), other = LLVMGetOperand(i, 1 - k);
        const char *name = LLVMIsACallInst(m) ? call_name(m) : "";
        for (unsigned e = 0; e < sizeof table / sizeof *table; e++) {
            if (strncmp(name, table[e].name, strlen(table[e].name)) || table[e].is_signed != is_signed ||
                LLVMGetTypeKind(LLVMTypeOf(m)) != LLVMIntegerTypeKind)
                continue;
            LLVMPositionBuilderBefore(b, i);
            LLVMValueRef c[2];
            for (unsigned o = 0; o < 2; o++) {
                LLVMValueRef x = LLVMGetOperand(m, o);
                c[o] = k ? LLVMBuildICmp(b, p, other, x, "") : LLVMBuildICmp(b, p, x, other, "");
            }
            bool both = less == table[e].max;
            remark(i, "two comparisons in place of one with %.4s", table[e].name + 5);
            ir_replace(i, both ? LLVMBuildAnd(b, c[0], c[1], "") : LLVMBuildOr(b, c[0], c[1], ""));
            if (!LLVMGetFirstUse(m))
                LLVMInstructionEraseFromParent(m);
            for (unsigned o = 0; o < 2; o++)
                if (LLVMIsAICmpInst(c[o]) && (!o || c[1] != c[0]))
                    unfold_compare(c[o], b, level + 1);
            return;
        }
    }
}

static void unfold(LLVMBuilderRef b, LLVMValueRef x)
{
    if (LLVMIsAICmpInst(x))
        unfold_compare(x, b, 0);
}

bool pass_unfold(struct compilation *c)
{
    return ir_rewrite(c->module, unfold);
}
