// SPDX-License-Identifier: Apache-2.0
// What values are in each thread of a block: exact ones, addresses with a common part, and those that are not known.
#include "jit/analysis/thread_value.h"
#include "test.h"
#include "parse.h"

static const char text[] = "declare i32 @heddle.tid.x()\ndeclare i32 @heddle.tid.y()\ndeclare i32 "
                           "@heddle.laneid()\ndeclare i32 @heddle.warpid()\n"
                           "declare i32 @heddle.ctaid.x()\ndeclare ptr addrspace(3) @heddle.shared()\n"
                           "define void @f(ptr %p) {\n"
                           "  %x = call i32 @heddle.tid.x()\n"
                           "  %y = call i32 @heddle.tid.y()\n"
                           "  %lane = call i32 @heddle.laneid()\n"
                           "  %warp = call i32 @heddle.warpid()\n"
                           "  %block = call i32 @heddle.ctaid.x()\n"
                           "  %shared = call ptr addrspace(3) @heddle.shared()\n"
                           "  %row = mul i32 %y, 40\n"
                           "  %linear = add i32 %row, %x\n"
                           "  %half = lshr i32 %linear, 1\n"
                           "  %less = sub i32 %x, 20\n"
                           "  %test = icmp slt i32 %less, 0\n"
                           "  %choice = select i1 %test, i32 %less, i32 7\n"
                           "  %wide = zext i32 %less to i64\n"
                           "  %offset = mul i32 %block, 256\n"
                           "  %index = add i32 %offset, %x\n"
                           "  %index64 = sext i32 %index to i64\n"
                           "  %bytes = shl i64 %index64, 2\n"
                           "  %address = getelementptr i8, ptr addrspace(3) %shared, i64 %bytes\n"
                           "  %next = getelementptr i8, ptr addrspace(3) %address, i64 4\n"
                           "  %data = load i32, ptr %p\n"
                           "  %unknown = add i32 %data, %x\n"
                           "  ret void\n}\n";

enum { X = 40, Y = 2 };

int main(void)
{
    LLVMContextRef c = LLVMContextCreate();
    LLVMModuleRef m = parse(c, text);
    LLVMValueRef f = LLVMGetNamedFunction(m, "f");
    struct arena arena;
    struct thread_values e;
    arena_init(&arena);
    thread_values_init(&e, &arena, (unsigned[]){X, Y, 1}, 100);
    const struct thread_value *linear = thread_value_find(&e, named(f, "linear")),
                              *half = thread_value_find(&e, named(f, "half")),
                              *lane = thread_value_find(&e, named(f, "lane")),
                              *warp = thread_value_find(&e, named(f, "warp")),
                              *choice = thread_value_find(&e, named(f, "choice")),
                              *wide = thread_value_find(&e, named(f, "wide")),
                              *address = thread_value_find(&e, named(f, "address")),
                              *next = thread_value_find(&e, named(f, "next"));
    CHECK(linear && half && lane && warp && choice && wide && address && next);
    CHECK(linear->exact && half->exact && lane->exact && warp->exact && choice->exact && wide->exact &&
          !address->exact);
    unsigned wrong = 0;
    for (int t = 0; t < X * Y; t++) {
        int x = t % X;
        wrong += linear->constant[t] != t || half->constant[t] != t / 2;
        wrong += lane->constant[t] != t % 32 || warp->constant[t] != t / 32;
        wrong += choice->constant[t] != (x < 20 ? x - 20 : 7) || wide->constant[t] != (int64_t)(uint32_t)(x - 20);
        wrong += address->constant[t] != 4 * x || next->constant[t] != 4 * x + 4 || next->rest[t] != address->rest[t];
    }
    CHECK(!wrong);
    CHECK(!thread_value_find(&e, named(f, "data")) && !thread_value_find(&e, named(f, "unknown")) &&
          !thread_value_find(&e, LLVMGetParam(f, 0)));
    thread_values_fini(&e);
    thread_values_init(&e, &arena, (unsigned[]){X, Y, 1}, 2); // no room for more
    CHECK(thread_value_find(&e, named(f, "x")) && !thread_value_find(&e, named(f, "half")));
    thread_values_fini(&e);
    arena_fini(&arena);
    LLVMDisposeModule(m);
    LLVMContextDispose(c);
    return test_summary();
}
