// SPDX-License-Identifier: Apache-2.0
// PTX to the scalar dialect (docs/dialect.md).
#ifndef HEDDLE_JIT_TRANSLATE_H
#define HEDDLE_JIT_TRANSLATE_H
#include "base/diag.h"
#include "ptx/ptx.h"
#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>

struct translate_result {
    LLVMValueRef kernel;    // void ()
    uint32_t shared_static; // bytes, the dynamic part begins here
    bool warp_collectives;  // shfl, vote, match, redux, activemask, bar.warp, mma anywhere in reach
    bool volatile_shared;   // volatile accesses to shared memory (warp-synchronous code)
    bool flush_denormals;   // every f32 operation in reach is .ftz and there is no f64 arithmetic
    bool cluster;           // may reach other blocks of its cluster
    uint32_t instructions;  // PTX instructions in reach
    LLVMDIBuilderRef debug; // NULL, or the builder of debug information, which the caller finalises and disposes of
};

// Translates the kernel and every function it can reach into `module` (whose data layout and triple are set), and links
// the builtins it uses. whole_warps: a gang will be a warp, and matrix instructions one call (matrix.h). An instruction that Heddle lacks is diag_unsupported with its line.
bool translate_kernel(LLVMModuleRef module, const struct ptx_module *m, const struct ptx_func *kernel, bool whole_warps,
                      struct translate_result *out, struct diag *d);
#endif
