// SPDX-License-Identifier: Apache-2.0
// See device_call.h.
#include "jit/translate/reach/device_call.h"
#include "base/str.h"
#include "jit/abi/device_api.h"
#include <string.h>

const struct device_call device_calls[] = {
#define DEVICE_API(name, result, args) {#name, #result[0], args},
#include "jit/abi/device_api.def"
#undef DEVICE_API
};

// The rest behind the prefix, or NULL.
static const char *behind(const char *name, const char *prefix)
{
    size_t n = strlen(prefix);
    return strncmp(name, prefix, n) ? NULL : name + n;
}

int device_call_find(const char *name)
{
    const char *rest = behind(name, "__cudaCDP2");
    if (!rest)
        rest = behind(name, "cuda");
    if (!strcmp(name, "__cudaDeviceSynchronizeDeprecationAvoidance"))
        rest = "DeviceSynchronize";
    if (!rest)
        return -1;
    size_t n = strlen(rest);
    if (n > 5 && !strcmp(rest + n - 5, "_ptsz"))
        n -= 5;
    for (int i = 0; i < DEVICE_API_COUNT; i++)
        if (str_is(rest, n, device_calls[i].name))
            return i;
    return -1;
}

const struct engine_call *engine_call_find(const char *name)
{
    static const struct engine_call calls[] = {
#define ENGINE(name, hook, result, args, ends) {#name, #hook, result, args, ends},
#include "jit/translate/reach/engine.def"
#undef ENGINE
    };
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (!strcmp(calls[i].name, name))
            return &calls[i];
    return NULL;
}

bool device_call_waits(int row)
{
    return row == DEVICE_API_DeviceSynchronize;
}
