// SPDX-License-Identifier: Apache-2.0
// Reductions by exchanges, after which all lanes of a warp have the same:
//
//     for (int d = 16; d > 0; d /= 2) x = op(x, __shfl_xor_sync(0xffffffff, x, d));
//
// Every lane computes the result, as a vector; what is made of it would be a vector too, as often as the gang has registers. Here one lane's
// result is taken in its place (shfl.idx), which the vectoriser knows to be one value for the gang, and of the vectors it leaves as much as
// that lane needs.
//
// Proof. Let y be invariant under lane -> lane ^ m for each m of a set M, and x = op(y, bfly(y, d)) with op commutative. x of lane ^ d is
// op(y of lane ^ d, y of lane), which is x of lane; and x of lane ^ m is op(y of lane ^ m, y of lane ^ d ^ m) = op(y of lane, y of lane ^ d), since y is
// invariant under m: x is invariant under M and d. Under all of 1, 2, 4, 8, 16 it is the same in every lane. Floating-point sums and products are
// commutative but for the bits of a NaN, which PTX does not tell. With a lane that is not there, or not active, every lane's result depends on
// a value that PTX leaves undefined, and any will do: it is the lowest active lane's, since in blocks of fewer threads than a warp, and
// where the last threads have left, that lane's is made of all others' however the undefined ones come out.
#include "jit/ir/dialect.h"
#include "jit/ir/pass.h"

enum { WARP = 32, ALL = WARP - 1 };

static bool is_commutative(LLVMValueRef x)
{
    static const char *const names[] = {"llvm.smin.", "llvm.smax.", "llvm.umin.", "llvm.umax."};
    if (LLVMIsACallInst(x))
        return op_is(x, IS_MINMAX) || str_begins_any(call_name(x), names, sizeof names / sizeof *names);
    return IR_IS(x, LLVMAdd, LLVMMul, LLVMAnd, LLVMOr, LLVMXor, LLVMFAdd, LLVMFMul);
}

static LLVMValueRef bits_of(LLVMValueRef x)
{
    while (ir_is_opcode(x, LLVMBitCast))
        x = LLVMGetOperand(x, 0);
    return x;
}

// The exchange of all lanes by one bit of their number; 0: it is none.
static unsigned exchange_of(LLVMValueRef x)
{
    int64_t members, bit, range;
    if (op_of(x) != OP_SHFL_BFLY || !value_constant(LLVMGetOperand(x, 0), &members) ||
        !value_constant(LLVMGetOperand(x, 2), &bit) || !value_constant(LLVMGetOperand(x, 3), &range))
        return 0;
    bool whole = (uint32_t)members == UINT32_MAX && range == ALL;
    return whole && bit > 0 && bit < WARP && !(bit & (bit - 1)) ? (unsigned)bit : 0;
}

// The bits of a lane's number that x does not depend on. exchange: the last one that it is made of.
static unsigned invariant(LLVMValueRef x, LLVMValueRef *exchange)
{
    unsigned bits = 0;
    for (*exchange = NULL; LLVMIsAInstruction(x) && is_commutative(x);) {
        LLVMValueRef a = bits_of(LLVMGetOperand(x, 0)), b = bits_of(LLVMGetOperand(x, 1));
        LLVMValueRef s = exchange_of(a) ? a : b, y = s == a ? b : a;
        if (!exchange_of(s) || bits_of(LLVMGetOperand(s, 1)) != y)
            break;
        bits |= exchange_of(s);
        *exchange = *exchange ? *exchange : s;
        x = y;
    }
    return bits;
}

static LLVMValueRef as_type(LLVMBuilderRef b, LLVMValueRef x, LLVMTypeRef t)
{
    return LLVMTypeOf(x) == t ? x : LLVMBuildBitCast(b, x, t, "");
}

static void share(LLVMBuilderRef b, LLVMValueRef x)
{
    LLVMTypeRef i32 = LLVMInt32TypeInContext(LLVMGetTypeContext(LLVMTypeOf(x)));
    LLVMValueRef whole = LLVMConstInt(i32, UINT32_MAX, 0), last = LLVMGetNextInstruction(x), reader;
    LLVMPositionBuilderBefore(b, last);
    LLVMValueRef args[2] = {op_build(b, OP_ACTIVEMASK, NULL, 0),
                            LLVMConstInt(LLVMInt1TypeInContext(LLVMGetTypeContext(i32)), 0, 0)};
    LLVMValueRef lane = ir_intrinsic(b, "llvm.cttz", &i32, 1, args, 2), bits = as_type(b, x, i32);
    LLVMValueRef one = op_build(b, OP_SHFL_IDX, (LLVMValueRef[]){whole, bits, lane, LLVMConstInt(i32, ALL, 0)}, 4);
    reader = bits == x ? one : bits;
    LLVMReplaceAllUsesWith(x, as_type(b, one, LLVMTypeOf(x)));
    LLVMSetOperand(reader, bits == x, x);
}

static bool is_word(LLVMTypeRef t)
{
    return LLVMGetTypeKind(t) == LLVMFloatTypeKind || type_bits(t) == 32;
}

static void visit(LLVMBuilderRef b, LLVMValueRef x)
{
    LLVMValueRef exchange;
    if (!LLVMIsAInstruction(x) || !is_commutative(x) || !is_word(LLVMTypeOf(x)) || !LLVMGetFirstUse(x))
        return;
    unsigned bits = invariant(x, &exchange);
    if (bits != ALL) {
        if (bits)
            remark(x, "stays: lanes have the same that differ in bits %x alone", bits);
        return;
    }
    // As many lanes are active here as where the last exchange was made.
    if (LLVMGetInstructionParent(x) != LLVMGetInstructionParent(exchange)) {
        remark(x, "stays: another block than that of the last exchange");
        return;
    }
    remark(x, "one value for all lanes");
    share(b, x);
}

bool pass_butterfly(struct compilation *c)
{
    if (c->plan.width != WARP)
        return remark_return(true, NULL, "nothing: gangs of %u lanes, in which no exchange is left", c->plan.width);
    return ir_rewrite(c->module, visit);
}
