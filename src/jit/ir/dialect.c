// SPDX-License-Identifier: Apache-2.0
// See dialect.h.
#include "jit/ir/dialect.h"
#include "base/str.h"
#include "jit/ir/ir.h"
#include <string.h>

LLVMValueRef dialect_declare(LLVMModuleRef module, const char *name, LLVMTypeRef type)
{
    LLVMValueRef f = LLVMGetNamedFunction(module, name);
    if (f)
        return f;
    f = LLVMAddFunction(module, name, type);
    ir_add_attribute(f, "nounwind");
    ir_add_attribute(f, "willreturn");
    if (!strcmp(name, "heddle.yield") || !strcmp(name, "heddle.yield.block") || !strcmp(name, "heddle.resume") ||
        !strcmp(name, "heddle.gang.sync") || !strncmp(name, "heddle.lane.", 12))
        ir_add_attribute(f, "convergent");
    return f;
}

bool dialect_is_index(LLVMValueRef v)
{
    static const char *const names[] = {
        "tid.",      "ntid.",      "ctaid.",    "nctaid.", "laneid", "warpid", "nwarpid",           "smid",
        "nsmid",     "gridid",     "lanemask.", "envreg",  "never",  "args",   "dynamic_smem_size", "total_smem_size",
        "clusterid", "nclusterid", "cluster_",  "shared",  "window", "global", "frame.local",       "frame.lane"};
    if (!LLVMIsACallInst(v))
        return false;
    const char *name = call_name(v);
    return !strncmp(name, "heddle.", 7) && str_begins_any(name + 7, names, sizeof names / sizeof *names);
}

bool dialect_is_block_wait(LLVMValueRef v)
{
    static const char *const names[] = {"heddle.barrier", "heddle.cluster."};
    return LLVMIsACallInst(v) && str_begins_any(call_name(v), names, 2);
}

bool dialect_is_collective(LLVMValueRef v)
{
    static const char *const names[] = {"heddle.warp.", "heddle.shfl.", "heddle.vote.", "heddle.match.",
                                        "heddle.redux."};
    return LLVMIsACallInst(v) && str_begins_any(call_name(v), names, sizeof names / sizeof *names);
}

bool dialect_is_fixed(LLVMValueRef call)
{
    return !strcmp(call_name(call), "heddle.args") || !strcmp(call_name(call), "heddle.global");
}

void prefetch_emit(LLVMBuilderRef b, LLVMModuleRef m, LLVMValueRef address, unsigned how)
{
    LLVMContextRef context = LLVMGetModuleContext(m);
    LLVMTypeRef i32 = LLVMInt32TypeInContext(context), parameters[2] = {LLVMTypeOf(address), i32};
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(context), parameters, 2, 0);
    LLVMValueRef f = LLVMGetNamedFunction(m, "heddle.prefetch");
    if (!f) {
        f = LLVMAddFunction(m, "heddle.prefetch", type);
        ir_add_attribute(f, "nounwind");
        ir_add_attribute(f, "willreturn");
        ir_set_memory(f, MEMORY_INACCESSIBLE);
    }
    LLVMBuildCall2(b, type, f, (LLVMValueRef[]){address, LLVMConstInt(i32, how, 0)}, 2, "");
}
