// SPDX-License-Identifier: Apache-2.0
// Functions from LLVM's text, and their values by name.
#ifndef HEDDLE_TEST_PARSE_H
#define HEDDLE_TEST_PARSE_H
#include "jit/ir/ir.h"
#include <llvm-c/IRReader.h>
#include <string.h>

static inline LLVMModuleRef parse(LLVMContextRef c, const char *text)
{
    LLVMMemoryBufferRef memory = LLVMCreateMemoryBufferWithMemoryRangeCopy(text, strlen(text), "test");
    LLVMModuleRef m = NULL;
    char *message = NULL;
    if (LLVMParseIRInContext(c, memory, &m, &message)) {
        fprintf(stderr, "%s\n", message);
        exit(1);
    }
    return m;
}

static inline LLVMValueRef named(LLVMValueRef f, const char *name)
{
    size_t n;
    FOR_FUNCTION (f, x)
        if (!strcmp(LLVMGetValueName2(x, &n), name))
            return x;
    fprintf(stderr, "no value %%%s\n", name);
    exit(1);
}
#endif
