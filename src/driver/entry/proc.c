// SPDX-License-Identifier: Apache-2.0
// cuGetProcAddress: the newest version of a function that is not newer than the version asked for.
#include "driver/entry/proc.h"
#include "base/map.h"
#include "driver/driver.h"

static struct map by_name; // first row of a name, plus 1
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void index_rows(void)
{
    for (unsigned i = proc_count; i-- > 0;)
        map_put_str(&by_name, proc_rows[i].name, (void *)(uintptr_t)(i + 1));
}

// Versions are written as 12040 for 12.4; older rows such as 2000 mean 2.0.
static CUdriverProcAddressQueryResult find(const char *symbol, int version, bool per_thread, void **fn)
{
    pthread_once(&once, index_rows);
    uintptr_t first = (uintptr_t)map_get_str(&by_name, symbol);
    *fn = NULL;
    if (!first)
        return CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
    for (unsigned i = (unsigned)first - 1; i < proc_count && !strcmp(proc_rows[i].name, symbol); i++)
        if (proc_rows[i].since <= version)
            *fn = per_thread ? proc_rows[i].per_thread : proc_rows[i].legacy;
    return *fn ? CU_GET_PROC_ADDRESS_SUCCESS : CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT;
}

CUresult proc_address(const char *symbol, void **fn, int version, cuuint64_t flags,
                      CUdriverProcAddressQueryResult *status)
{
    CUdriverProcAddressQueryResult result;
    if (!symbol || !fn || flags > CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM)
        return CUDA_ERROR_INVALID_VALUE;
    result = find(symbol, version, flags == CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM, fn);
    if (result != CU_GET_PROC_ADDRESS_SUCCESS)
        log_write(LOG_INFO, "cuGetProcAddress: %s at version %d: not here", symbol, version);
    if (status) {
        *status = result;
        return CUDA_SUCCESS;
    }
    return result == CU_GET_PROC_ADDRESS_SUCCESS ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

CUresult proc_address_old(const char *symbol, void **fn, int version, cuuint64_t flags)
{
    return proc_address(symbol, fn, version, flags, NULL);
}
