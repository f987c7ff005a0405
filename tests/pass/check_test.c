// SPDX-License-Identifier: Apache-2.0
// The checks themselves: what passes, and above all what must not.
#include "check.h"
#include "../unit/test.h"

static const char text[] = "define i32 @f() {\n"
                           "  %1 = add i32 2,   3\n"
                           "  store i32 %1, ptr %p\n"
                           "  ret i32 %1\n"
                           "}\n";

int main(void)
{
    static const struct {
        const char *input;
        bool passes;
    } cases[] = {
        {"; CHECK: add i32 2, 3\n", true},
        {"; CHECK: add i32 2, 4\n", false},
        {"", false}, // nothing is checked
        {"; CHECK-NOT: mul\n", false},
        {"; CHECK: define\n; CHECK-NEXT: add\n", true},
        {"; CHECK: define\n; CHECK-NEXT: store\n", false},
        {"; CHECK: store\n; CHECK: add\n", false}, // in this order
        {"; CHECK: define\n; CHECK-NOT: store\n; CHECK: ret\n", false},
        {"; CHECK: store\n; CHECK-NOT: store\n; CHECK: ret\n", true},
        {"; CHECK: define\n; CHECK-NOT: ret\n", false},
        {"; CHECK: ret\n; CHECK-NOT: add\n", true},
        {"; CHECK: {{%[0-9]+}} = add\n", true},
        {"; CHECK: {{%[a-z]+}} = add\n", false},
        {"; CHECK: [[V:%[0-9]+]] = add\n; CHECK: ret i32 [[V]]\n", true},
        {"; CHECK: store i32 %1, ptr [[V:%[a-z]+]]\n; CHECK: ret i32 [[V]]\n", false},
        {"; CHECK: ret i32 %1{{$}}\n", true},
        {"; CHECK: ret i32 .1\n", false}, // no regular expression
        {"// CHECK: add\n", true},
        {"; CHECK: add {{i64|i32}} 2\n", true},
        {"; CHECK: mul {{i64|i32}} 2\n", false}, // no alternative to all before it
        {"; CHECK: {{(add|mul)}} i32 [[V:[0-9]+]], 3\n; CHECK: store i32 %1\n; CHECK-NOT: ret i32 [[V]]\n", true},
        {"; CHECK: {{(add|mul)}} i32 2, [[V:(3|4)]]\n; CHECK: ret i32 [[W]]\n", false}, // nothing has that name
        {"; CHECK: add\n; CHECK-NOT: {{(}}\n", false},                                  // no regular expression
        {"; CHECK-SAME: add\n; CHECK: add\n", false},                                   // no such check
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bool passes = check_text("test", cases[i].input, text);
        if (passes != cases[i].passes)
            fprintf(stderr, "case %zu\n", i);
        CHECK(passes == cases[i].passes);
    }
    return test_summary();
}
