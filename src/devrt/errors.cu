// SPDX-License-Identifier: Apache-2.0
// The names and texts of errors, for kernels on a GPU that ask for them.
#include "call.h"

struct error {
    int code;
    const char *name, *text;
};
static __device__ const error errors[] = {
#define ERR(name, text, sticky) {name, #name, text},
#include "base/runtime_error.def"
#undef ERR
};

static __device__ const error *found(int code)
{
    for (const error &e : errors)
        if (e.code == code)
            return &e;
    return nullptr;
}

extern "C" __device__ const char *__cudaCDP2GetErrorName(cudaError_t code)
{
    const error *e = found(code);
    return e ? e->name : "unrecognized error code";
}

extern "C" __device__ const char *__cudaCDP2GetErrorString(cudaError_t code)
{
    const error *e = found(code);
    return e ? e->text : "unrecognized error code";
}
