// SPDX-License-Identifier: Apache-2.0
// Whether OpenBLAS knows the processor. One that is newer than the library it takes for a Prescott of 2004, and its code for that one writes where
// it must not (spotri on one thread, in 0.3.21). OPENBLAS_CORETYPE names a processor that it knows.
#ifndef HEDDLE_BASE_CPU_OPENBLAS_H
#define HEDDLE_BASE_CPU_OPENBLAS_H
#include <dlfcn.h>
#include <stdbool.h>
#include <strings.h>

static inline bool openblas_knows_processor(void *library)
{
    char *(*core)(void) = (char *(*)(void))dlsym(library, "openblas_get_corename");
    return !core || strcasecmp(core(), "Prescott") != 0;
}
#endif
