// SPDX-License-Identifier: Apache-2.0
// libnvvm: NVVM IR to PTX.
#ifndef NVVM_H
#define NVVM_H
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct _nvvmProgram *nvvmProgram;

typedef enum {
    NVVM_SUCCESS = 0,
    NVVM_ERROR_OUT_OF_MEMORY = 1,
    NVVM_ERROR_PROGRAM_CREATION_FAILURE = 2,
    NVVM_ERROR_IR_VERSION_MISMATCH = 3,
    NVVM_ERROR_INVALID_INPUT = 4,
    NVVM_ERROR_INVALID_PROGRAM = 5,
    NVVM_ERROR_INVALID_IR = 6,
    NVVM_ERROR_INVALID_OPTION = 7,
    NVVM_ERROR_NO_MODULE_IN_PROGRAM = 8,
    NVVM_ERROR_COMPILATION = 9,
    NVVM_ERROR_CANCELLED = 10
} nvvmResult;

const char *nvvmGetErrorString(nvvmResult result);
nvvmResult nvvmVersion(int *major, int *minor);
nvvmResult nvvmIRVersion(int *majorIR, int *minorIR, int *majorDbg, int *minorDbg);

nvvmResult nvvmCreateProgram(nvvmProgram *__prog);
nvvmResult nvvmDestroyProgram(nvvmProgram *__prog);
// A module as text or as bitcode; of a lazy one only what others need.
nvvmResult nvvmAddModuleToProgram(nvvmProgram __prog, const char *__buffer, size_t size, const char *name);
nvvmResult nvvmLazyAddModuleToProgram(nvvmProgram __prog, const char *__buffer, size_t size, const char *name);
nvvmResult nvvmCompileProgram(nvvmProgram __prog, int numOptions, const char **__options);
nvvmResult nvvmVerifyProgram(nvvmProgram __prog, int numOptions, const char **__options);

// Sizes count the zero at the end.
nvvmResult nvvmGetCompiledResultSize(nvvmProgram __prog, size_t *bufferSizeRet);
nvvmResult nvvmGetCompiledResult(nvvmProgram __prog, char *__buffer);
nvvmResult nvvmGetProgramLogSize(nvvmProgram __prog, size_t *bufferSizeRet);
nvvmResult nvvmGetProgramLog(nvvmProgram __prog, char *__buffer);

#ifdef __cplusplus
}
#endif
#endif
