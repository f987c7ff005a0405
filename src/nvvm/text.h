// SPDX-License-Identifier: Apache-2.0
// NVVM IR as text, made into the text that today's LLVM reads.
#ifndef HEDDLE_NVVM_TEXT_H
#define HEDDLE_NVVM_TEXT_H
#include "base/str.h"
#include <stdbool.h>

struct ir_options {
    bool ftz, fma;         // floats flush denormals; a product and a sum may become one operation
    bool debug, line_info; // what of debug information is kept
};

// The module, rewritten (text.c says what of it).
void ir_upgrade(struct str *out, const char *text, const struct ir_options *o);
// The major and minor number of !nvvmir.version; 1.0 where the module does not say.
void ir_version(const char *text, unsigned *major, unsigned *minor);
#endif
