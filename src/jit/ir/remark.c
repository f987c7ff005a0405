// SPDX-License-Identifier: Apache-2.0
#include "jit/ir/remark.h"
#include "base/env.h"
#include "base/str.h"
#include "jit/ir/ir.h"
#include <llvm-c/DebugInfo.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

_Thread_local bool remark_asked;
void (*remark_sink)(const char *line);
static _Thread_local const char *pass_now, *kernel_now;

void remark_begin(const char *pass, const char *kernel, bool by_all)
{
    const char *list = env_get("HEDDLE_REMARKS");
    char group[64];
    if (!*list)
        return;
    snprintf(group, sizeof group, "%.*s", (int)strcspn(pass, "."), pass);
    remark_asked = str_list_has(list, pass) || str_list_has(list, group) || (by_all && str_list_has(list, "all"));
    pass_now = pass;
    kernel_now = kernel;
}

void remark_end(void)
{
    remark_asked = false;
}

// By its name; else the number of the block in its function.
static void append_block(struct str *s, LLVMBasicBlockRef block)
{
    const char *name = LLVMGetBasicBlockName(block);
    unsigned n = 0;
    for (LLVMBasicBlockRef b = LLVMGetPreviousBasicBlock(block); b; b = LLVMGetPreviousBasicBlock(b))
        n++;
    if (*name)
        str_printf(s, ", block %s", name);
    else
        str_printf(s, ", block %u", n);
}

// Of code that was inlined, the line of the outermost call: that of the kernel.
static void append_line(struct str *s, LLVMValueRef instruction)
{
    LLVMMetadataRef at = LLVMInstructionGetDebugLoc(instruction), outer;
    while (at && (outer = LLVMDILocationGetInlinedAt(at)))
        at = outer;
    LLVMMetadataRef file = at && LLVMDILocationGetLine(at) ? LLVMDIScopeGetFile(LLVMDILocationGetScope(at)) : NULL;
    unsigned length = 0;
    const char *name = file ? LLVMDIFileGetFilename(file, &length) : NULL;
    if (length)
        str_printf(s, ", %.*s:%u", (int)length, name, LLVMDILocationGetLine(at));
}

static void append_location(struct str *s, LLVMValueRef where)
{
    LLVMBasicBlockRef block = LLVMIsAInstruction(where)      ? LLVMGetInstructionParent(where)
                              : LLVMValueIsBasicBlock(where) ? LLVMValueAsBasicBlock(where)
                                                             : NULL;
    LLVMValueRef function = block ? LLVMGetBasicBlockParent(block) : LLVMIsAFunction(where);
    if (function && strcmp(ir_function_name(function), kernel_now))
        str_printf(s, ", %s", ir_function_name(function));
    if (block)
        append_block(s, block);
    if (LLVMIsAInstruction(where))
        append_line(s, where);
}

void remark_write(LLVMValueRef where, const char *format, ...)
{
    struct str s = {0};
    char text[512];
    va_list a;
    va_start(a, format);
    vsnprintf(text, sizeof text, format, a);
    va_end(a);
    str_printf(&s, "%s: %s", pass_now, kernel_now);
    if (where)
        append_location(&s, where);
    str_printf(&s, ": %s\n", text);
    if (remark_sink)
        remark_sink(str_text(&s));
    else
        fputs(str_text(&s), stderr);
    str_free(&s);
}
