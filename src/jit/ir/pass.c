// SPDX-License-Identifier: Apache-2.0
#include "jit/ir/pass.h"
#include "base/env.h"
#include "base/str.h"
#include <stdio.h>
#include <string.h>

LLVMErrorRef pass_run_llvm(struct compilation *c, const char *pipeline, LLVMTargetMachineRef machine,
                           LLVMPassBuilderOptionsRef options)
{
    if (c->t.flush_denormals)
        ir_flush_denormals(c->module);
    return LLVMRunPasses(c->module, pipeline, machine, options);
}

bool pass_functions(struct compilation *c, void (*fn)(struct compilation *c, LLVMValueRef function))
{
    FOR_MODULE (c->module, f)
        if (!LLVMIsDeclaration(f))
            fn(c, f);
    return true;
}

bool pass_dump_asked(const char *name)
{
    const char *list = env_get("HEDDLE_DUMP");
    char group[64];
    snprintf(group, sizeof group, "%.*s", (int)strcspn(name, "."), name);
    return str_list_has(list, name) || str_list_has(list, group) || str_list_has(list, "all");
}
