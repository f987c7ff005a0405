// SPDX-License-Identifier: Apache-2.0
// nvJitLink: links PTX, fat binaries, objects, archives and NVVM IR into one image at run time.
#ifndef nvJitLink_INCLUDED
#define nvJitLink_INCLUDED
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    NVJITLINK_SUCCESS = 0,
    NVJITLINK_ERROR_UNRECOGNIZED_OPTION,
    NVJITLINK_ERROR_MISSING_ARCH,
    NVJITLINK_ERROR_INVALID_INPUT,
    NVJITLINK_ERROR_PTX_COMPILE,
    NVJITLINK_ERROR_NVVM_COMPILE,
    NVJITLINK_ERROR_INTERNAL,
    NVJITLINK_ERROR_THREADPOOL,
    NVJITLINK_ERROR_UNRECOGNIZED_INPUT,
    NVJITLINK_ERROR_FINALIZE,
    NVJITLINK_ERROR_NULL_INPUT,
    NVJITLINK_ERROR_INCOMPATIBLE_OPTIONS,
    NVJITLINK_ERROR_INCORRECT_INPUT_TYPE,
    NVJITLINK_ERROR_ARCH_MISMATCH,
    NVJITLINK_ERROR_OUTDATED_LIBRARY,
    NVJITLINK_ERROR_MISSING_FATBIN,
    NVJITLINK_ERROR_UNRECOGNIZED_ARCH,
    NVJITLINK_ERROR_UNSUPPORTED_ARCH,
    NVJITLINK_ERROR_LTO_NOT_ENABLED
} nvJitLinkResult;

typedef enum {
    NVJITLINK_INPUT_NONE = 0,
    NVJITLINK_INPUT_CUBIN = 1,
    NVJITLINK_INPUT_PTX,
    NVJITLINK_INPUT_LTOIR,
    NVJITLINK_INPUT_FATBIN,
    NVJITLINK_INPUT_OBJECT,
    NVJITLINK_INPUT_LIBRARY,
    NVJITLINK_INPUT_INDEX,
    NVJITLINK_INPUT_ANY = 10
} nvJitLinkInputType;

typedef struct nvJitLink *nvJitLinkHandle;

// After an error of its options a handle is given too: it has the error log, and is to be destroyed.
nvJitLinkResult __nvJitLinkCreate_13_0(nvJitLinkHandle *__handle, uint32_t __numOptions, const char *const *__options);
nvJitLinkResult __nvJitLinkDestroy_13_0(nvJitLinkHandle *__handle);
// The name is for messages, and may be NULL.
nvJitLinkResult __nvJitLinkAddData_13_0(nvJitLinkHandle __handle, nvJitLinkInputType __inputType, const void *__data,
                                        size_t __size, const char *__name);
nvJitLinkResult __nvJitLinkAddFile_13_0(nvJitLinkHandle __handle, nvJitLinkInputType __inputType,
                                        const char *__fileName);
nvJitLinkResult __nvJitLinkComplete_13_0(nvJitLinkHandle __handle);
// Results. Sizes of texts count the zero at the end; that of an empty log is 0.
nvJitLinkResult __nvJitLinkGetLinkedCubinSize_13_0(nvJitLinkHandle __handle, size_t *__size);
nvJitLinkResult __nvJitLinkGetLinkedCubin_13_0(nvJitLinkHandle __handle, void *__cubin);
nvJitLinkResult __nvJitLinkGetLinkedPtxSize_13_0(nvJitLinkHandle __handle, size_t *__size);
nvJitLinkResult __nvJitLinkGetLinkedPtx_13_0(nvJitLinkHandle __handle, char *__ptx);
nvJitLinkResult __nvJitLinkGetErrorLogSize_13_0(nvJitLinkHandle __handle, size_t *__size);
nvJitLinkResult __nvJitLinkGetErrorLog_13_0(nvJitLinkHandle __handle, char *__log);
nvJitLinkResult __nvJitLinkGetInfoLogSize_13_0(nvJitLinkHandle __handle, size_t *__size);
nvJitLinkResult __nvJitLinkGetInfoLog_13_0(nvJitLinkHandle __handle, char *__log);
nvJitLinkResult nvJitLinkVersion(unsigned int *__major, unsigned int *__minor);

// The plain names stand for those of this version, as functions. With NVJITLINK_NO_INLINE a program declares its own.
#ifndef NVJITLINK_NO_INLINE
static inline nvJitLinkResult nvJitLinkCreate(nvJitLinkHandle *__handle, uint32_t __numOptions, const char **__options)
{
    return __nvJitLinkCreate_13_0(__handle, __numOptions, __options);
}

static inline nvJitLinkResult nvJitLinkDestroy(nvJitLinkHandle *__handle)
{
    return __nvJitLinkDestroy_13_0(__handle);
}

static inline nvJitLinkResult nvJitLinkAddData(nvJitLinkHandle __handle, nvJitLinkInputType __inputType,
                                               const void *__data, size_t __size, const char *__name)
{
    return __nvJitLinkAddData_13_0(__handle, __inputType, __data, __size, __name);
}

static inline nvJitLinkResult nvJitLinkAddFile(nvJitLinkHandle __handle, nvJitLinkInputType __inputType,
                                               const char *__fileName)
{
    return __nvJitLinkAddFile_13_0(__handle, __inputType, __fileName);
}

static inline nvJitLinkResult nvJitLinkComplete(nvJitLinkHandle __handle)
{
    return __nvJitLinkComplete_13_0(__handle);
}

static inline nvJitLinkResult nvJitLinkGetLinkedCubinSize(nvJitLinkHandle __handle, size_t *__size)
{
    return __nvJitLinkGetLinkedCubinSize_13_0(__handle, __size);
}

static inline nvJitLinkResult nvJitLinkGetLinkedCubin(nvJitLinkHandle __handle, void *__cubin)
{
    return __nvJitLinkGetLinkedCubin_13_0(__handle, __cubin);
}

static inline nvJitLinkResult nvJitLinkGetLinkedPtxSize(nvJitLinkHandle __handle, size_t *__size)
{
    return __nvJitLinkGetLinkedPtxSize_13_0(__handle, __size);
}

static inline nvJitLinkResult nvJitLinkGetLinkedPtx(nvJitLinkHandle __handle, char *__ptx)
{
    return __nvJitLinkGetLinkedPtx_13_0(__handle, __ptx);
}

static inline nvJitLinkResult nvJitLinkGetErrorLogSize(nvJitLinkHandle __handle, size_t *__size)
{
    return __nvJitLinkGetErrorLogSize_13_0(__handle, __size);
}

static inline nvJitLinkResult nvJitLinkGetErrorLog(nvJitLinkHandle __handle, char *__log)
{
    return __nvJitLinkGetErrorLog_13_0(__handle, __log);
}

static inline nvJitLinkResult nvJitLinkGetInfoLogSize(nvJitLinkHandle __handle, size_t *__size)
{
    return __nvJitLinkGetInfoLogSize_13_0(__handle, __size);
}

static inline nvJitLinkResult nvJitLinkGetInfoLog(nvJitLinkHandle __handle, char *__log)
{
    return __nvJitLinkGetInfoLog_13_0(__handle, __log);
}
#endif

#ifdef __cplusplus
}
#endif
#endif
