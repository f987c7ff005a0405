// SPDX-License-Identifier: Apache-2.0
// Arithmetic on constants against that of C, and what it has no result for.
#include "jit/analysis/fold.h"
#include "test.h"

static uint64_t fold(LLVMOpcode op, unsigned bits, uint64_t a, uint64_t b)
{
    uint64_t x = 0;
    CHECK(fold_binary(op, bits, a, b, &x));
    return x;
}

static bool fails(LLVMOpcode op, unsigned bits, uint64_t a, uint64_t b)
{
    uint64_t x;
    return !fold_binary(op, bits, a, b, &x);
}

// All pairs of 8 bits.
static void test_bytes(void)
{
    unsigned wrong = 0;
    for (unsigned a = 0; a < 256; a++)
        for (unsigned b = 0; b < 256; b++) {
            int8_t x = (int8_t)a, y = (int8_t)b;
            uint64_t r;
            wrong += !fold_binary(LLVMAdd, 8, a, b, &r) || r != (uint8_t)(a + b);
            wrong += !fold_binary(LLVMSub, 8, a, b, &r) || r != (uint8_t)(a - b);
            wrong += !fold_binary(LLVMMul, 8, a, b, &r) || r != (uint8_t)(a * b);
            wrong += fold_binary(LLVMShl, 8, a, b, &r) != (b < 8) || (b < 8 && r != (uint8_t)(a << b));
            wrong += fold_binary(LLVMAShr, 8, a, b, &r) != (b < 8) || (b < 8 && r != (uint8_t)(x >> b));
            wrong += fold_binary(LLVMUDiv, 8, a, b, &r) != (b != 0) || (b && r != a / b);
            bool divides = b && !(x == -128 && y == -1);
            wrong += fold_binary(LLVMSDiv, 8, a, b, &r) != divides || (divides && r != (uint8_t)(x / y));
            wrong += fold_binary(LLVMSRem, 8, a, b, &r) != divides || (divides && r != (uint8_t)(x % y));
            wrong += fold_compare(LLVMIntSLT, 8, a, b) != (x < y) || fold_compare(LLVMIntSLE, 8, a, b) != (x <= y);
            wrong += fold_compare(LLVMIntSGT, 8, a, b) != (x > y) || fold_compare(LLVMIntSGE, 8, a, b) != (x >= y);
            wrong += fold_compare(LLVMIntULT, 8, a, b) != (a < b) || fold_compare(LLVMIntULE, 8, a, b) != (a <= b);
            wrong += fold_compare(LLVMIntUGT, 8, a, b) != (a > b) || fold_compare(LLVMIntUGE, 8, a, b) != (a >= b);
            wrong += fold_compare(LLVMIntEQ, 8, a, b) != (a == b) || fold_compare(LLVMIntNE, 8, a, b) != (a != b);
        }
    CHECK(!wrong);
}

int main(void)
{
    test_bytes();
    CHECK(fold(LLVMAdd, 64, UINT64_MAX, 2) == 1 && fold(LLVMAdd, 1, 1, 1) == 0 && fold(LLVMXor, 32, 5, 3) == 6);
    CHECK(fold(LLVMAnd, 16, 0xff0f, 0x0ff0) == 0x0f00 && fold(LLVMOr, 16, 0xf000, 1) == 0xf001);
    CHECK(fold(LLVMLShr, 32, 0x80000000, 31) == 1 && fold(LLVMAShr, 32, 0x80000000, 31) == 0xffffffff);
    CHECK(fold(LLVMAShr, 64, UINT64_C(1) << 63, 63) == UINT64_MAX && fold(LLVMURem, 64, UINT64_MAX, 10) == 5);
    CHECK(fails(LLVMLShr, 32, 1, 32) && fails(LLVMURem, 32, 1, 0) &&
          fails(LLVMSDiv, 64, UINT64_C(1) << 63, UINT64_MAX));
    CHECK(fails(LLVMFAdd, 32, 1, 1) && fails(LLVMLoad, 32, 1, 1));
    CHECK(fold_low(0x1ff, 8) == 0xff && fold_signed(0x80, 8) == -128 && fold_signed(UINT64_MAX, 64) == -1);
    return test_summary();
}
