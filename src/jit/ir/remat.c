// SPDX-License-Identifier: Apache-2.0
#include "jit/ir/remat.h"
#include "base/xmalloc.h"
#include "jit/ir/ir.h"
#include <stdlib.h>

unsigned remat_cost(LLVMValueRef x, unsigned budget, remat_fn *how, const void *with)
{
    enum remat r = LLVMIsAInstruction(x) ? how(with, x) : REMAT_AT_HAND;
    if (r == REMAT_AT_HAND)
        return 0;
    unsigned cost = 1;
    for (unsigned i = 0, n = ir_operands(x); r == REMAT_AGAIN && i < n && cost <= budget; i++)
        cost += remat_cost(LLVMGetOperand(x, i), budget - cost, how, with);
    return r == REMAT_AGAIN && cost <= budget ? cost : budget + 1;
}

LLVMValueRef remat_build(LLVMBuilderRef b, LLVMValueRef x, struct map *done, remat_fn *how, const void *with)
{
    if (!LLVMIsAInstruction(x) || how(with, x) == REMAT_AT_HAND)
        return x;
    LLVMValueRef copy = map_get_ptr(done, x), *operands;
    if (copy)
        return copy;
    unsigned n = ir_operands(x);
    operands = xcalloc(n + 1, sizeof *operands);
    for (unsigned i = 0; i < n; i++)
        operands[i] = remat_build(b, LLVMGetOperand(x, i), done, how, with);
    copy = ir_clone(b, x, operands);
    free(operands);
    map_put_ptr(done, x, copy);
    return copy;
}
