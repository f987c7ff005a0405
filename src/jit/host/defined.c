// SPDX-License-Identifier: Apache-2.0
// LLVM's code generator for x86-64 (22 at least, quick code and full code) takes lanes of a constant vector that are not defined for whatever
// suits it at the moment, and later believes that they were something else: of
//
//     or (shufflevector <-1, poison, -1, poison>, x, <0, 5, 2, 7>), <0, -1, -1, -1>
//
// it makes <-1, 0, -1, 0>, though nothing of the undefined lanes is left in the value. So a constant vector of which some lanes are defined has the
// first of these in all the others: a value that is not defined may be any, and a vector of one value stays one.
#include "jit/ir/pass.h"
#include "base/xmalloc.h"
#include <stdlib.h>

static LLVMValueRef defined(LLVMValueRef v)
{
    LLVMTypeRef type = LLVMTypeOf(v);
    if (!LLVMIsAConstant(v) || LLVMGetTypeKind(type) != LLVMVectorTypeKind || value_is_undef(v))
        return v;
    unsigned n = LLVMGetVectorSize(type), missing = 0;
    bool known = true;
    LLVMValueRef *e = xmalloc(n * sizeof *e), first = NULL, r = v;
    for (unsigned i = 0; known && i < n; i++) {
        e[i] = LLVMGetAggregateElement(v, i);
        known = e[i] != NULL; // or an expression
        if (known && value_is_undef(e[i]))
            missing++;
        else if (!first)
            first = e[i];
    }
    if (known && missing && first) {
        for (unsigned i = 0; i < n; i++)
            e[i] = value_is_undef(e[i]) ? first : e[i];
        r = LLVMConstVector(e, n);
    }
    free(e);
    return r;
}

static void define_operands(LLVMBuilderRef b, LLVMValueRef x)
{
    (void)b;
    for (unsigned i = 0; i < ir_operands(x); i++) {
        LLVMValueRef v = LLVMGetOperand(x, i), r = defined(v);
        if (r != v)
            LLVMSetOperand(x, i, r);
    }
}

bool pass_defined(struct compilation *c)
{
    return ir_rewrite(c->module, define_operands);
}
