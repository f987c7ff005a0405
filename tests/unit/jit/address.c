// SPDX-License-Identifier: Apache-2.0
// Base pointers and constant distances, and the objects that addresses lead into; where there may be two there is none.
#include "jit/analysis/address.h"
#include "test.h"
#include "parse.h"

static const char text[] =
    "declare ptr addrspace(4) @heddle.args()\ndeclare ptr addrspace(3) @heddle.shared()\ndeclare i64 @heddle.gridid()\n"
    "define void @f(i1 %c) {\n"
    "entry:\n"
    "  %args = call ptr addrspace(4) @heddle.args()\n"
    "  %a = load i64, ptr addrspace(4) %args\n"
    "  %args8 = getelementptr i8, ptr addrspace(4) %args, i64 8\n"
    "  %b = load i64, ptr addrspace(4) %args8\n"
    "  %args16 = getelementptr i8, ptr addrspace(4) %args8, i64 8\n"
    "  %n = load i32, ptr addrspace(4) %args16\n"
    "  %s = call ptr addrspace(3) @heddle.shared()\n"
    "  %local = alloca i64\n"
    "  %wide = sext i32 %n to i64\n"
    "  %index = shl i64 %wide, 2\n"
    "  %sum = add i64 %a, %index\n"
    "  %other = add i64 %index, %b\n"
    "  %p = inttoptr i64 %sum to ptr\n"
    "  %p4 = getelementptr i8, ptr %p, i64 4\n"
    "  %p24 = getelementptr i32, ptr %p4, i64 5\n"
    "  %pn = getelementptr i8, ptr %p24, i64 %index\n"
    "  %both = add i64 %a, %b\n"
    "  %loaded = load i64, ptr %p\n"
    "  %unclear = add i64 %loaded, %b\n"
    "  %minus = sub i64 %b, %a\n"
    "  %items = ashr i64 %minus, 2\n"
    "  %scaled = shl i64 %items, 2\n"
    "  %across = add i64 %a, %scaled\n"
    "  %low = trunc i64 %minus to i32\n"
    "  %low64 = sext i32 %low to i64\n"
    "  %across32 = add i64 %a, %low64\n"
    "  %lowa = trunc i64 %a to i32\n"
    "  %lowb = trunc i64 %b to i32\n"
    "  %lows = sub i32 %lowb, %lowa\n"
    "  %lows64 = zext i32 %lows to i64\n"
    "  %across_low = getelementptr i8, ptr %p, i64 %lows64\n"
    "  %row = mul i64 %loaded, %b\n"
    "  %cell = shl i64 %row, 2\n"
    "  %table = add i64 %a, %cell\n"
    "  %from_end = sub i64 %wide, %loaded\n"
    "  %from_end4 = mul i64 %from_end, 4\n"
    "  %end_cell = add i64 %a, %from_end4\n"
    "  %items_a = lshr i64 %a, 2\n"
    "  %items_b = lshr i64 %b, 2\n"
    "  %minus_a = sub i64 0, %items_a\n"
    "  %back = getelementptr float, ptr %p, i64 %minus_a\n"
    "  %split = getelementptr float, ptr %back, i64 %items_b\n"
    "  %rest = sub i64 31, %wide\n"
    "  %rest4 = shl i64 %rest, 2\n"
    "  %far = add i64 %table, %rest4\n"
    "  %shared = getelementptr i8, ptr addrspace(3) %s, i64 %wide\n"
    "  %bytes = getelementptr i8, ptr %local, i64 %wide\n"
    "  br label %loop\n"
    "loop:\n"
    "  %run = phi i64 [ %sum, %entry ], [ %next, %loop ]\n"
    "  %two = phi i64 [ %sum, %entry ], [ %other, %loop ]\n"
    "  %leaps = phi i64 [ %sum, %entry ], [ %leap, %loop ]\n"
    "  %leap = add i64 %leaps, %minus\n"
    "  %strides = phi i64 [ %sum, %entry ], [ %stride, %loop ]\n"
    "  %stride = add i64 %strides, %cell\n"
    "  %count = phi i64 [ 0, %entry ], [ %count1, %loop ]\n"
    "  %turn = phi i64 [ %flip, %loop ], [ %loaded, %entry ]\n"
    "  %flip = sub i64 %b, %turn\n"
    "  %turn4 = shl i64 %turn, 2\n"
    "  %turned = add i64 %a, %turn4\n"
    "  %next = add i64 %run, 16\n"
    "  %count1 = add i64 %count, 4\n"
    "  %counted = add i64 %a, %count\n"
    "  br i1 %c, label %loop, label %end\n"
    "end:\n  ret void\n}\n";

int main(void)
{
    LLVMContextRef c = LLVMContextCreate();
    LLVMModuleRef m = parse(c, text);
    LLVMValueRef f = LLVMGetNamedFunction(m, "f"), a = named(f, "a"), b = named(f, "b");
    int64_t at = -1;
    CHECK(address_base(named(f, "p24"), &at) == named(f, "p") && at == 24);
    CHECK(address_base(named(f, "p"), &at) == named(f, "p") && at == 0);
    CHECK(address_base(named(f, "pn"), &at) == named(f, "pn") && at == 0);
    CHECK(address_source(named(f, "p24"), &at) == named(f, "sum") && at == 24);
    CHECK(address_source(named(f, "bytes"), &at) == named(f, "bytes") && at == 0);
    CHECK(address_object(named(f, "p24")) == a && address_object(named(f, "pn")) == a &&
          address_object(named(f, "sum")) == a);
    CHECK(address_object(named(f, "other")) == b);
    CHECK(address_object(named(f, "shared")) == named(f, "s") &&
          address_object(named(f, "bytes")) == named(f, "local"));
    CHECK(address_object(named(f, "run")) == a && address_object(named(f, "counted")) == a);
    CHECK(!address_object(named(f, "two")) && !address_object(named(f, "both")));
    CHECK(!address_object(named(f, "unclear")) && !address_object(named(f, "loaded")) &&
          !address_object(named(f, "index")));
    // The difference of two pointers, as it is, scaled, cut to 32 bits or taken of their low halves, leads into another object.
    CHECK(!address_object(named(f, "across")) && !address_object(named(f, "across32")));
    CHECK(!address_object(named(f, "across_low")) && !address_object(named(f, "leaps")));
    // In two numbers, and in turns.
    CHECK(!address_object(named(f, "split")) && !address_object(named(f, "turned")));
    CHECK(address_object(named(f, "far")) == a);
    CHECK(address_object(named(f, "table")) == a && address_object(named(f, "end_cell")) == a);
    CHECK(address_object(named(f, "strides")) == a);
    CHECK(address_parameter(a, &at) && at == 0 && address_parameter(b, &at) && at == 8);
    CHECK(address_parameter(named(f, "n"), &at) && at == 16);
    CHECK(!address_parameter(named(f, "loaded"), &at) && !address_parameter(named(f, "sum"), &at));
    LLVMDisposeModule(m);
    LLVMContextDispose(c);
    return test_summary();
}
