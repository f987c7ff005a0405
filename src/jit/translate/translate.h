// SPDX-License-Identifier: Apache-2.0
// PTX to the scalar dialect (docs/dialect.md).
#ifndef HEDDLE_JIT_TRANSLATE_H
#define HEDDLE_JIT_TRANSLATE_H
#include "base/diag.h"
#include "jit/ir/pass.h"
#include "ptx/ptx.h"
#include <llvm-c/Core.h>

// Translates the kernel and every function it can reach into `module` (whose data layout and triple are set), and links
// the builtins it uses. How: a gang will be a warp, and matrix instructions one call (matrix.h); the code is counted
// (count.c); what only checked code needs is told. An instruction that Heddle lacks is diag_unsupported with its line.
enum { TRANSLATE_WHOLE_WARPS = 1, TRANSLATE_COUNTS = 2, TRANSLATE_CHECKED = 4 };
bool translate_kernel(LLVMModuleRef module, const struct ptx_module *m, const struct ptx_func *kernel, unsigned how,
                      struct translate_result *out, struct diag *d);
#endif
