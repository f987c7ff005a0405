// SPDX-License-Identifier: Apache-2.0
// Brings the regions' gang code to the form that idle.c and interleave.c read, by passes of LLVM; large ones, and what is to be quick code, only by
// those that are quick: of quick code the others were a tenth of the time, and what follows does their work.
// They know no target machine: what its vectors cost must not decide which branches are left to read.
#include "jit/ir/pass.h"

bool pass_simplify(struct compilation *c)
{
    static const char all[] =
        "function(early-cse,instcombine<no-verify-fixpoint>,simplifycfg,jump-threading,simplifycfg)";
    unsigned size = 0;
    for (size_t r = 0; r < c->plan.regions.len; r++)
        size += c->plan.regions.data[r].full ? ir_function_size(c->plan.regions.data[r].full) : 0;
    LLVMPassBuilderOptionsRef o = LLVMCreatePassBuilderOptions();
    bool whole = size < TUNE_SIMPLIFY_MAX && !c->plan.lean;
    LLVMErrorRef e = pass_run_llvm(c, whole ? all : "function(early-cse,simplifycfg)", NULL, o);
    if (e)
        LLVMConsumeError(e);
    LLVMDisposePassBuilderOptions(o);
    return true;
}
