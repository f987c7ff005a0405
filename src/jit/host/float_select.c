// SPDX-License-Identifier: Apache-2.0
// LLVM's code generator (22 at least) takes one NaN for another and -0.0 for a number that is not zero. Of
//
//     x < 0 ? NaN : sqrt(x)        it makes  sqrt(x),         since both are a NaN where x is negative;
//     x > -0.0 ? x : -0.0          it makes  max(x, -0.0),    which is +0.0 where x is, while the selection is -0.0.
//
// A test of sqrt(x) for NaN has become a test of x before, and uses of the second kind are made by whatever propagates constants. But the bits
// are what the program stores or hashes. So a selection between a value and a constant that is such a number, in any lane, is one of
// integers: the values are the same, and the code generator compares no floating point constant.
#include "jit/ir/pass.h"
#include <math.h>

static bool is_special(double x)
{
    return isnan(x) || (x == 0 && signbit(x));
}

static bool has_special(LLVMValueRef v)
{
    return LLVMIsAConstant(v) && !value_is_undef(v) && value_any_lane(v, is_special);
}

static void rewrite(LLVMBuilderRef b, LLVMValueRef select)
{
    LLVMTypeRef type = LLVMTypeOf(select);
    if (!LLVMIsASelectInst(select) || !type_is_float(type))
        return;
    LLVMValueRef yes = LLVMGetOperand(select, 1), no = LLVMGetOperand(select, 2);
    if (!has_special(yes) && !has_special(no))
        return;
    LLVMTypeRef bits = ir_bits_type(type);
    LLVMPositionBuilderBefore(b, select);
    LLVMValueRef r = LLVMBuildSelect(b, LLVMGetOperand(select, 0), LLVMBuildBitCast(b, yes, bits, ""),
                                     LLVMBuildBitCast(b, no, bits, ""), "");
    r = LLVMBuildBitCast(b, r, type, "");
    ir_replace(select, r);
}

bool pass_float_select(struct compilation *c)
{
    return ir_rewrite(c->module, rewrite);
}
