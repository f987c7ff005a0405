// SPDX-License-Identifier: Apache-2.0
// LLVM (22 at least) gets absolute differences of unsigned integers wrong in vectors whose elements have no unsigned maximum:
// those of 64 bits before AVX-512, of 32 before SSE4.1. The code generator makes one node of
//
//     a < b ? b - a : a - b,      umax(a, b) - umin(a, b),      abs(zext(a) - zext(b))
//
// and where it knows that a >= b, expands that node as abs(a - b). But a - b may be 2^(n-1) or more, which abs takes for
// negative. What it knows may be of some lanes alone (b is 0 in those), when a vector is wider than a register and split, so that
// no earlier simplification has seen it. So the difference is written as what that expansion is otherwise, which no combination
// of the code generator takes for an absolute difference:
//
//     m = sext(a < b),      ((a - b) ^ m) - m
//
// This is b - a where m is -1, since ~x + 1 = -x, and a - b where m is 0.
#include "jit/ir/pass.h"
#include "jit/host/target.h"
#include <string.h>

struct difference {
    LLVMValueRef a, b;   // compared
    LLVMValueRef as, bs; // subtracted: a and b, or both with zeroes in front
};

static bool is_sub(LLVMValueRef v, LLVMValueRef a, LLVMValueRef b)
{
    return ir_is_opcode(v, LLVMSub) && LLVMGetOperand(v, 0) == a && LLVMGetOperand(v, 1) == b;
}

static bool calls(LLVMValueRef v, const char *prefix)
{
    return LLVMIsACallInst(v) && !strncmp(call_name(v), prefix, strlen(prefix));
}

static bool of_select(LLVMValueRef i, struct difference *d)
{
    LLVMValueRef c = LLVMIsASelectInst(i) ? LLVMGetOperand(i, 0) : NULL;
    if (!c || !LLVMIsAICmpInst(c))
        return false;
    LLVMIntPredicate p = LLVMGetICmpPredicate(c);
    bool less = p == LLVMIntULT || p == LLVMIntULE;
    if (!less && p != LLVMIntUGT && p != LLVMIntUGE)
        return false;
    LLVMValueRef x = LLVMGetOperand(c, !less), y = LLVMGetOperand(c, less); // selects by x < y, or x <= y
    LLVMValueRef yes = LLVMGetOperand(i, 1), no = LLVMGetOperand(i, 2);
    *d = (struct difference){x, y, x, y};
    return is_sub(yes, y, x) && is_sub(no, x, y);
}

static bool of_extremes(LLVMValueRef i, struct difference *d)
{
    if (!ir_is_opcode(i, LLVMSub))
        return false;
    LLVMValueRef most = LLVMGetOperand(i, 0), least = LLVMGetOperand(i, 1);
    if (!calls(most, "llvm.umax.") || !calls(least, "llvm.umin."))
        return false;
    LLVMValueRef a = LLVMGetOperand(most, 0), b = LLVMGetOperand(most, 1);
    LLVMValueRef x = LLVMGetOperand(least, 0), y = LLVMGetOperand(least, 1);
    *d = (struct difference){a, b, a, b};
    return (a == x && b == y) || (a == y && b == x);
}

static bool of_abs(LLVMValueRef i, struct difference *d)
{
    LLVMValueRef s = calls(i, "llvm.abs.") ? LLVMGetOperand(i, 0) : NULL;
    if (!s || !ir_is_opcode(s, LLVMSub))
        return false;
    LLVMValueRef a = LLVMGetOperand(s, 0), b = LLVMGetOperand(s, 1);
    if (!LLVMIsAZExtInst(a) || !LLVMIsAZExtInst(b))
        return false;
    *d = (struct difference){LLVMGetOperand(a, 0), LLVMGetOperand(b, 0), a, b};
    return LLVMTypeOf(d->a) == LLVMTypeOf(d->b);
}

static bool wrong(LLVMValueRef v)
{
    LLVMTypeRef type = LLVMTypeOf(v);
    if (LLVMGetTypeKind(type) != LLVMVectorTypeKind || LLVMGetTypeKind(LLVMGetElementType(type)) != LLVMIntegerTypeKind)
        return false;
    unsigned bits = LLVMGetIntTypeWidth(LLVMGetElementType(type));
    return bits > 16 && !target_has_unsigned_maximum(bits);
}

static void rewrite(LLVMBuilderRef b, LLVMValueRef i)
{
    struct difference d;
    if (LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMVectorTypeKind ||
        !(of_select(i, &d) || of_extremes(i, &d) || of_abs(i, &d)) || !wrong(d.a))
        return;
    LLVMPositionBuilderBefore(b, i);
    LLVMValueRef m = LLVMBuildSExt(b, LLVMBuildICmp(b, LLVMIntULT, d.a, d.b, ""), LLVMTypeOf(i), "");
    LLVMValueRef r = LLVMBuildSub(b, LLVMBuildXor(b, LLVMBuildSub(b, d.as, d.bs, ""), m, ""), m, "");
    ir_replace(i, r);
}

bool pass_absdiff(struct compilation *c)
{
    return ir_rewrite(c->module, rewrite);
}
