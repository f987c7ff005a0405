// SPDX-License-Identifier: Apache-2.0
// The interface of NVML. It is opened and closed by count; calls in between answer here, or on a GPU in NVIDIA's library.
#include "library/stub.h"
#include "base/version.h"
#include "nvml/device.h"
#include <pthread.h>
#include <stdio.h>
#include <string.h>

const struct library library_self = {.name = "NVML", .soname = "libnvidia-ml.so.1"};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_uint opened;

static nvmlReturn_t nvml_init(unsigned flags)
{
    nvmlReturn_t r = NVML_SUCCESS;
    if (flags & ~(unsigned)(NVML_INIT_FLAG_NO_GPUS | NVML_INIT_FLAG_NO_ATTACH | NVML_INIT_FLAG_FORCE_INIT))
        return NVML_ERROR_INVALID_ARGUMENT;
    pthread_mutex_lock(&lock);
    if (!opened) {
        r = monitor_open();
        host_busy_start();
    }
    opened += !r;
    pthread_mutex_unlock(&lock);
    return r;
}

static nvmlReturn_t nvml_shutdown(void)
{
    pthread_mutex_lock(&lock);
    bool was = opened > 0;
    opened -= was;
    pthread_mutex_unlock(&lock);
    return was ? NVML_SUCCESS : NVML_ERROR_UNINITIALIZED;
}

// As a number of a driver's release that has this version of CUDA; 580 came with 13.0.
static nvmlReturn_t system_driver(char *version, unsigned length)
{
    return text_give(version, length, "580.0");
}

static nvmlReturn_t system_nvml(char *version, unsigned length)
{
    return text_give(version, length, NVML_API_VERSION_STR ".580.0");
}

static nvmlReturn_t system_cuda(int *version)
{
    if (!version)
        return NVML_ERROR_INVALID_ARGUMENT;
    return cudaDriverGetVersion(version) ? NVML_ERROR_UNKNOWN : NVML_SUCCESS;
}

static nvmlReturn_t system_process(unsigned pid, char *name, unsigned length)
{
    if (!name || !length)
        return NVML_ERROR_INVALID_ARGUMENT;
    return process_name(pid, name, length) ? NVML_SUCCESS : NVML_ERROR_NOT_FOUND;
}

static nvmlReturn_t unit_count(unsigned *count)
{
    if (!count)
        return NVML_ERROR_INVALID_ARGUMENT;
    *count = 0;
    return NVML_SUCCESS;
}

LIBRARY_EXPORT const char *nvmlErrorString(nvmlReturn_t result)
{
    static const struct {
        nvmlReturn_t code;
        const char *text;
    } table[] = {
#define ERROR(name, text) {NVML_##name, text},
#include "nvml/error.def"
#undef ERROR
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i].code == result)
            return table[i].text;
    return "Unknown Error";
}

#define LOST                                             NVML_ERROR_LIBRARY_NOT_FOUND
#define ALWAYS(result, name, params, args, call, status) LIBRARY_STUB(result, name, params, args, call, LOST)
#define ROW(result, name, params, args, call, status)                                                                  \
    LIBRARY_STUB(result, name, params, args, (opened ? (call) : NVML_ERROR_UNINITIALIZED), LOST)
#include "nvml/api.def"
