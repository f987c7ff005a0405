// SPDX-License-Identifier: Apache-2.0
// nvFatbin: makes fat binaries at run time.
#ifndef nvFatbin_INCLUDED
#define nvFatbin_INCLUDED
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    NVFATBIN_SUCCESS = 0,
    NVFATBIN_ERROR_INTERNAL,
    NVFATBIN_ERROR_ELF_ARCH_MISMATCH,
    NVFATBIN_ERROR_ELF_SIZE_MISMATCH,
    NVFATBIN_ERROR_MISSING_PTX_VERSION,
    NVFATBIN_ERROR_NULL_POINTER,
    NVFATBIN_ERROR_COMPRESSION_FAILED,
    NVFATBIN_ERROR_COMPRESSED_SIZE_EXCEEDED,
    NVFATBIN_ERROR_UNRECOGNIZED_OPTION,
    NVFATBIN_ERROR_INVALID_ARCH,
    NVFATBIN_ERROR_INVALID_NVVM,
    NVFATBIN_ERROR_EMPTY_INPUT,
    NVFATBIN_ERROR_MISSING_PTX_ARCH,
    NVFATBIN_ERROR_PTX_ARCH_MISMATCH,
    NVFATBIN_ERROR_MISSING_FATBIN,
    NVFATBIN_ERROR_INVALID_INDEX,
    NVFATBIN_ERROR_IDENTIFIER_REUSE,
    NVFATBIN_ERROR_INTERNAL_PTX_OPTION
} nvFatbinResult;

typedef struct _nvFatbinHandle *nvFatbinHandle;

// NULL for success.
const char *nvFatbinGetErrorString(nvFatbinResult __result);
nvFatbinResult nvFatbinCreate(nvFatbinHandle *__handle_indirect, const char **__options, size_t __optionsCount);
nvFatbinResult nvFatbinDestroy(nvFatbinHandle *__handle_indirect);
// An architecture is a number and perhaps a letter: "80", "90a". Identifiers and options may be NULL.
nvFatbinResult nvFatbinAddPTX(nvFatbinHandle __handle, const char *__code, size_t __size, const char *__arch,
                              const char *__identifier, const char *__optionsCmdLine);
nvFatbinResult nvFatbinAddCubin(nvFatbinHandle __handle, const void *__code, size_t __size, const char *__arch,
                                const char *__identifier);
nvFatbinResult nvFatbinAddLTOIR(nvFatbinHandle __handle, const void *__code, size_t __size, const char *__arch,
                                const char *__identifier, const char *__optionsCmdLine);
// The relocatable device code of an object of the host.
nvFatbinResult nvFatbinAddReloc(nvFatbinHandle __handle, const void *__code, size_t __size);
nvFatbinResult nvFatbinAddIndex(nvFatbinHandle __handle, const void *__code, size_t __size, const char *__identifier);
// The size is asked for first.
nvFatbinResult nvFatbinSize(nvFatbinHandle __handle, size_t *__size);
nvFatbinResult nvFatbinGet(nvFatbinHandle __handle, void *__buffer);
nvFatbinResult nvFatbinVersion(unsigned int *__major, unsigned int *__minor);

#ifdef __cplusplus
}
#endif
#endif
