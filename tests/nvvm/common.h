// SPDX-License-Identifier: Apache-2.0
// What the tests of libnvvm share: the head of a module, and compiling modules to PTX.
#ifndef HEDDLE_TEST_NVVM_COMMON_H
#define HEDDLE_TEST_NVVM_COMMON_H
#include "test.h"
#include <nvvm.h>
#include <stdlib.h>
#include <string.h>

#define HEAD                                                                                                           \
    "target triple = \"nvptx64-nvidia-cuda\"\n"                                                                        \
    "target datalayout = \"e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-f32:32:32-"           \
    "f64:64:64-v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64\"\n"
#define VERSION "!nvvmir.version = !{!90}\n!90 = !{i32 2, i32 0, i32 3, i32 1}\n"

#define NVVM_EXPECT(call, wanted) CHECK_RESULT(call, wanted, nvvmGetErrorString)
#define NVVM_OK(call)             NVVM_EXPECT(call, NVVM_SUCCESS)

static inline char *nvvm_log(nvvmProgram p)
{
    size_t size = 0;
    NVVM_OK(nvvmGetProgramLogSize(p, &size));
    char *text = calloc(size + 1, 1);
    NVVM_OK(nvvmGetProgramLog(p, text));
    CHECK(strlen(text) + 1 == size);
    return text;
}

static inline char *nvvm_ptx(nvvmProgram p)
{
    size_t size = 0;
    NVVM_OK(nvvmGetCompiledResultSize(p, &size));
    char *text = calloc(size + 1, 1);
    NVVM_OK(nvvmGetCompiledResult(p, text));
    CHECK(strlen(text) + 1 == size);
    return text;
}
#endif
