// SPDX-License-Identifier: Apache-2.0
#include "heddle/runtime.h"
#include "base/os.h"
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

struct runtime rt;

const char *sdk_folder(void)
{
    static char sdk[PATH_MAX - 64];
    if (!*sdk && os_self_dir((const void *)sdk_folder, sdk, sizeof sdk))
        *strrchr(sdk, '/') = 0; // it is in bin
    return *sdk ? sdk : NULL;
}

void *sdk_library(const char *name)
{
    char path[PATH_MAX];
    const char *sdk = sdk_folder();
    snprintf(path, sizeof path, "%s%s%s", sdk ? sdk : "", sdk ? "/lib64/" : "", name);
    return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

bool runtime_open(void)
{
    void *h = sdk_library("libcudart.so.13");
    bool ok = h;
#define X(name) ok = ok && (rt.name = (__typeof__(name) *)dlsym(h, #name));
    RUNTIME_FUNCTIONS(X)
#undef X
    return ok;
}
