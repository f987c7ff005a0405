// SPDX-License-Identifier: Apache-2.0
// Run-time compilation: CUDA C++ as text in, PTX out. Link with -lnvrtc. Names and values are those of CUDA 13.0.
#ifndef __NVRTC_H__
#define __NVRTC_H__
#include <stddef.h>

#if defined(__cplusplus)
extern "C" {
#endif

typedef enum {
    NVRTC_SUCCESS = 0,
    NVRTC_ERROR_OUT_OF_MEMORY = 1,
    NVRTC_ERROR_PROGRAM_CREATION_FAILURE = 2,
    NVRTC_ERROR_INVALID_INPUT = 3,
    NVRTC_ERROR_INVALID_PROGRAM = 4,
    NVRTC_ERROR_INVALID_OPTION = 5,
    NVRTC_ERROR_COMPILATION = 6,
    NVRTC_ERROR_BUILTIN_OPERATION_FAILURE = 7,
    NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION = 8,
    NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION = 9,
    NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID = 10,
    NVRTC_ERROR_INTERNAL_ERROR = 11,
    NVRTC_ERROR_TIME_FILE_WRITE_FAILED = 12,
    NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED = 13,
    NVRTC_ERROR_PCH_CREATE_HEAP_EXHAUSTED = 14,
    NVRTC_ERROR_PCH_CREATE = 15,
    NVRTC_ERROR_CANCELLED = 16,
    NVRTC_ERROR_TIME_TRACE_FILE_WRITE_FAILED = 17
} nvrtcResult;

typedef struct _nvrtcProgram *nvrtcProgram;

const char *nvrtcGetErrorString(nvrtcResult result);
nvrtcResult nvrtcVersion(int *major, int *minor);
nvrtcResult nvrtcGetNumSupportedArchs(int *numArchs);
nvrtcResult nvrtcGetSupportedArchs(int *supportedArchs);

// headers and includeNames: numHeaders texts, and the names by which the source includes them.
nvrtcResult nvrtcCreateProgram(nvrtcProgram *__prog, const char *src, const char *name, int numHeaders,
                               const char *const *__headers, const char *const *includeNames);
nvrtcResult nvrtcDestroyProgram(nvrtcProgram *__prog);
nvrtcResult nvrtcCompileProgram(nvrtcProgram __prog, int numOptions, const char *const *__options);

// Sizes count the terminating zero of texts. Before a compilation, or after one that failed, results are empty.
nvrtcResult nvrtcGetPTXSize(nvrtcProgram __prog, size_t *ptxSizeRet);
nvrtcResult nvrtcGetPTX(nvrtcProgram __prog, char *ptx);
nvrtcResult nvrtcGetCUBINSize(nvrtcProgram __prog, size_t *cubinSizeRet);
nvrtcResult nvrtcGetCUBIN(nvrtcProgram __prog, char *__cubin);
nvrtcResult nvrtcGetLTOIRSize(nvrtcProgram __prog, size_t *LTOIRSizeRet);
nvrtcResult nvrtcGetLTOIR(nvrtcProgram __prog, char *LTOIR);
nvrtcResult nvrtcGetOptiXIRSize(nvrtcProgram __prog, size_t *optixirSizeRet);
nvrtcResult nvrtcGetOptiXIR(nvrtcProgram __prog, char *__optixir);
nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram __prog, size_t *logSizeRet);
nvrtcResult nvrtcGetProgramLog(nvrtcProgram __prog, char *log);

// Expressions that name kernels and variables, before the compilation; after it, their names in the PTX.
nvrtcResult nvrtcAddNameExpression(nvrtcProgram __prog, const char *const name_expression);
nvrtcResult nvrtcGetLoweredName(nvrtcProgram __prog, const char *const name_expression, const char **lowered_name);

nvrtcResult nvrtcGetPCHHeapSize(size_t *__ret);
nvrtcResult nvrtcSetPCHHeapSize(size_t size);
nvrtcResult nvrtcGetPCHCreateStatus(nvrtcProgram __prog);
nvrtcResult nvrtcGetPCHHeapSizeRequired(nvrtcProgram __prog, size_t *size);

// The callback is asked while a compilation runs; 1 ends it with NVRTC_ERROR_CANCELLED.
nvrtcResult nvrtcSetFlowCallback(nvrtcProgram __prog, int (*__callback)(void *, void *), void *payload);

#if defined(__cplusplus)
}
#endif

// The text of a type, for name expressions; a program asks for it with this macro.
#if defined(__cplusplus) && defined(NVRTC_GET_TYPE_NAME) && NVRTC_GET_TYPE_NAME
#include <cxxabi.h>
#include <stdlib.h>
#include <string>
#include <typeinfo>

inline nvrtcResult nvrtcGetTypeName(const std::type_info &__tinfo, std::string *result)
{
    int status = 0;
    char *text = abi::__cxa_demangle(__tinfo.name(), 0, 0, &status);
    if (status == 0)
        *result = text;
    free(text);
    return status == 0 ? NVRTC_SUCCESS : status == -1 ? NVRTC_ERROR_OUT_OF_MEMORY : NVRTC_ERROR_INTERNAL_ERROR;
}

template <typename __T> struct __nvrtcTypeHolder {
};

// Wrapped, since typeid drops references and outer qualifiers.
template <typename __T> nvrtcResult nvrtcGetTypeName(std::string *result)
{
    nvrtcResult status = nvrtcGetTypeName(typeid(__nvrtcTypeHolder<__T>), result);
    if (status != NVRTC_SUCCESS)
        return status;
    size_t first = result->find('<'), last = result->rfind('>');
    if (first == std::string::npos || last == std::string::npos)
        return NVRTC_ERROR_INTERNAL_ERROR;
    *result = result->substr(first + 1, last - first - 1);
    return NVRTC_SUCCESS;
}
#endif
#endif
