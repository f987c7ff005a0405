// SPDX-License-Identifier: Apache-2.0
// What a program names that was built with a newer NCCL: the loader finds all of it, and calls answer that it is not there.
#include "ranks.h"
#include <dlfcn.h>

extern "C" ncclResult_t ncclCommResume(ncclComm_t);
extern "C" ncclResult_t pncclCommSuspend(ncclComm_t, int);

int main()
{
    static const char *const names[] = {
#define NEWER(name, params, args) "nccl" #name, "pnccl" #name,
#include "../../src/nccl/newer.def"
    };
    for (const char *name : names)
        CHECK(dlsym(RTLD_DEFAULT, name) != nullptr);
    CHECK(dlsym(RTLD_DEFAULT, "ncclNoSuchFunction") == nullptr);
    WANT(ncclCommResume(nullptr), ncclInvalidUsage);
    WANT(pncclCommSuspend(nullptr, 0), ncclInvalidUsage);
    CHECK(strstr(ncclGetLastError(nullptr), "CommSuspend") != nullptr);
    return summary();
}
