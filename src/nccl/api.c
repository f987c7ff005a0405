// SPDX-License-Identifier: Apache-2.0
// The exported functions of NCCL, from the table. On a GPU they are NVIDIA's.
#include "library/stub.h"
#include "nccl/comm.h"

const struct library library_self = {"NCCL", "libnccl.so.2", NULL, NULL};

#define LOST(result) _Generic((result)0, const char *: "NVIDIA's libnccl.so.2 is not there", default: ncclSystemError)
#define ROW(result, name, params, args, call, status) LIBRARY_STUB(result, name, params, args, call, LOST(result))
#define TWIN(result, name, params, of) __attribute__((alias(#of), visibility("default"))) result name params;
#include "nccl/api.def"

#define NEWER(name, params, args)                                                                                      \
    LIBRARY_STUB(ncclResult_t, nccl##name, params, args,                                                               \
                 fail(ncclInvalidUsage, #name ": this is NCCL 2.28's interface, which does not have it"),              \
                 ncclSystemError)                                                                                      \
    TWIN(ncclResult_t, pnccl##name, params, nccl##name)
#include "nccl/newer.def"
