// SPDX-License-Identifier: Apache-2.0
// LAPACK of OpenBLAS: its routines, for all types or for none.
#include "base/log.h"
#include "cublas/compute/product.h"
#include "cusolver/dense/la.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool there;

static void *routine(void *library, char letter, const char *name)
{
    char text[32];
    snprintf(text, sizeof text, "%c%s_", letter + ('a' - 'A'), name);
    return dlsym(library, text);
}

#define TEXT_(x) #x
#define TEXT(x)  TEXT_(x)
#define TEMPLATE "cusolver/dense/lapack.h"
#include "library/number.h"
#undef TEMPLATE

static void find(void)
{
    void *library = product_openblas_library();
    there =
        library && lapack_find_S(library) && lapack_find_D(library) && lapack_find_C(library) && lapack_find_Z(library);
    log_write(LOG_INFO, "cuSOLVER: LAPACK %s", there ? "by OpenBLAS" : "by code of its own");
}

#define FOR_TYPE(letter)                                                                                               \
    const struct lapack_##letter *la_lapack_##letter(void)                                                             \
    {                                                                                                                  \
        pthread_once(&once, find);                                                                                     \
        return there ? &lapack_table_##letter : NULL;                                                                  \
    }
FOR_TYPE(S)
FOR_TYPE(D)
FOR_TYPE(C)
FOR_TYPE(Z)
