// SPDX-License-Identifier: Apache-2.0
// Low bits that are known to be 0: arithmetic, addresses from a base, phis that count round a loop.
#include "jit/analysis/low_bits.h"
#include "test.h"
#include "parse.h"

static const char text[] =
    "define void @f(i32 %n, ptr %p, i1 %c) {\n"
    "entry:\n  %four = shl i32 %n, 2\n  %sum = add i32 %four, 24\n  %odd = add i32 %four, 2\n  %six = mul i32 %four, "
    "2\n"
    "  %both = and i32 %n, -16\n  %wide = zext i32 %sum to i64\n  %most = select i1 %c, i32 %four, i32 %six\n"
    "  %at = getelementptr i32, ptr %p, i64 %wide\n  %by = ptrtoint ptr %p to i64\n  %plus = add i64 %by, 4\n"
    "  %left = shl i32 %n, %n\n  br label %loop\n"
    "loop:\n  %i = phi i64 [ 0, %entry ], [ %i1, %loop ]\n  %i1 = add i64 %i, 8\n  %k = phi i64 [ 1, %entry ], [ %k1, "
    "%loop ]\n"
    "  %k1 = add i64 %k, 8\n  br label %loop\n}\n";

int main(void)
{
    static const struct {
        const char *name;
        unsigned zeros;
        bool base;
    } rows[] = {{"four", 2, false}, {"sum", 2, false},  {"odd", 1, false},  {"six", 3, false},
                {"both", 4, false}, {"wide", 2, false}, {"most", 2, false}, {"at", 4, true},
                {"at", 0, false},   {"by", 64, true},   {"plus", 2, true},  {"plus", 0, false},
                {"left", 0, false}, {"i", 3, false},    {"i1", 3, false},   {"k", 0, false}};
    LLVMContextRef context = LLVMContextCreate();
    LLVMModuleRef m = parse(context, text);
    LLVMValueRef f = LLVMGetNamedFunction(m, "f");
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(m);
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
        CHECK(low_zeros(layout, named(f, rows[i].name), rows[i].base ? LLVMGetParam(f, 1) : NULL) == rows[i].zeros);
    LLVMDisposeModule(m);
    LLVMContextDispose(context);
    return test_summary();
}
