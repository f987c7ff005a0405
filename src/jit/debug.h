// Debug information of the code that is emitted in the end.
#ifndef HEDDLE_JIT_DEBUG_H
#define HEDDLE_JIT_DEBUG_H
#include "jit/region.h"
#include <llvm-c/DebugInfo.h>

// Gives every function of the module a subprogram and makes the locations of its instructions, which name the scalar code
// that they came from, part of it. Finalises the builder.
void debug_finish(const struct region_plan *plan, LLVMDIBuilderRef builder);
#endif
