// SPDX-License-Identifier: Apache-2.0
// Functions that exist and answer "not supported". Their parameters do not matter, so this file does not see cuda.h.
#include "base/log.h"
#include <stdatomic.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

static int refuse(const char *name)
{
    // Tables of functions without names, by which libraries of NVIDIA's talk to NVIDIA's driver; without them they fail and say
    // no more than that something is not supported.
    static atomic_flag told = ATOMIC_FLAG_INIT;
    if (strcmp(name, "cuGetExportTable"))
        log_write(LOG_WARN, "%s is not supported", name);
    else if (!atomic_flag_test_and_set(&told))
        log_write(
            LOG_ERROR,
            "%s is not supported: a library of NVIDIA's asks for it, often the libcudart_static that nvcc links into "
            "programs, and will not work here; build the program with -cudart shared or with Heddle's nvcc",
            name);
    return 801; // CUDA_ERROR_NOT_SUPPORTED
}

#define ANSWER(name)                                                                                                   \
    EXPORT int name(void);                                                                                             \
    EXPORT int name(void)                                                                                              \
    {                                                                                                                  \
        return refuse(#name);                                                                                          \
    }
#define REFUSED(name, suffix, since, params, reason)      ANSWER(name##suffix)
#define REFUSED_PTSZ(name, suffix, since, params, reason) ANSWER(name##suffix) ANSWER(name##suffix##_ptsz)
#include "driver/api.def"
