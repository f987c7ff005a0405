// SPDX-License-Identifier: Apache-2.0
// nvPTXCompiler: assembles PTX at run time, as ptxas does.
#ifndef nvPTXCompiler_INCLUDED
#define nvPTXCompiler_INCLUDED
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct nvPTXCompiler *nvPTXCompilerHandle;

typedef enum {
    NVPTXCOMPILE_SUCCESS = 0,
    NVPTXCOMPILE_ERROR_INVALID_COMPILER_HANDLE = 1,
    NVPTXCOMPILE_ERROR_INVALID_INPUT = 2,
    NVPTXCOMPILE_ERROR_COMPILATION_FAILURE = 3,
    NVPTXCOMPILE_ERROR_INTERNAL = 4,
    NVPTXCOMPILE_ERROR_OUT_OF_MEMORY = 5,
    NVPTXCOMPILE_ERROR_COMPILER_INVOCATION_INCOMPLETE = 6,
    NVPTXCOMPILE_ERROR_UNSUPPORTED_PTX_VERSION = 7,
    NVPTXCOMPILE_ERROR_UNSUPPORTED_DEVSIDE_SYNC = 8,
    NVPTXCOMPILE_ERROR_CANCELLED = 9
} nvPTXCompileResult;

// The newest version of PTX that is read.
nvPTXCompileResult nvPTXCompilerGetVersion(unsigned int *__major, unsigned int *__minor);
// The length does not count the zero at the end.
nvPTXCompileResult nvPTXCompilerCreate(nvPTXCompilerHandle *__compiler, size_t __ptxCodeLen, const char *__ptxCode);
nvPTXCompileResult nvPTXCompilerDestroy(nvPTXCompilerHandle *__compiler);
// With the options of ptxas, a word each: "--gpu-name=sm_80".
nvPTXCompileResult nvPTXCompilerCompile(nvPTXCompilerHandle __compiler, int __numCompileOptions,
                                        const char *const *__compileOptions);
nvPTXCompileResult nvPTXCompilerGetCompiledProgramSize(nvPTXCompilerHandle __compiler, size_t *__binaryImageSize);
nvPTXCompileResult nvPTXCompilerGetCompiledProgram(nvPTXCompilerHandle __compiler, void *__binaryImage);
// Sizes of logs do not count the zero that is written behind them.
nvPTXCompileResult nvPTXCompilerGetErrorLogSize(nvPTXCompilerHandle __compiler, size_t *__errorLogSize);
nvPTXCompileResult nvPTXCompilerGetErrorLog(nvPTXCompilerHandle __compiler, char *__errorLog);
nvPTXCompileResult nvPTXCompilerGetInfoLogSize(nvPTXCompilerHandle __compiler, size_t *__infoLogSize);
nvPTXCompileResult nvPTXCompilerGetInfoLog(nvPTXCompilerHandle __compiler, char *__infoLog);
// The function is called with the payload before and after the work; what is not 0 cancels the compilation.
nvPTXCompileResult nvPTXCompilerSetFlowCallback(nvPTXCompilerHandle __compiler, int (*__callback)(void *, void *),
                                                void *__payload);

#ifdef __cplusplus
}
#endif
#endif
