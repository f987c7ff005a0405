// SPDX-License-Identifier: Apache-2.0
// What must and must not stand in a text, after the idea of LLVM's FileCheck. In lines of the input:
//   ; CHECK: words        a line behind the last match has these words
//   ; CHECK-NEXT: words   the line right behind it does
//   ; CHECK-NOT: words    no line between the matches before and behind it does, or up to the end
// Blanks count as one. {{...}} is an extended regular expression, [[NAME:...]] one whose match is kept, [[NAME]] that text.
#ifndef HEDDLE_TESTS_PASS_CHECK_H
#define HEDDLE_TESTS_PASS_CHECK_H
#include <stdbool.h>

// Whether the text passes the checks of the input; tells on stderr which one fails, by `name` and line. Without a CHECK that some line
// must match it fails.
bool check_text(const char *name, const char *input, const char *text);
#endif
