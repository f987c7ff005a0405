// SPDX-License-Identifier: Apache-2.0
// The exported functions of nvJPEG, from the table. On a GPU they are NVIDIA's.
#include "library/stub.h"
#include "nvjpeg/jpeg.h"

const struct library library_self = {"nvJPEG", "libnvjpeg.so.13", NULL, NULL};

#define ROW(result, name, params, args, call, status)                                                                  \
    LIBRARY_STUB(result, name, params, args, call, NVJPEG_STATUS_NOT_INITIALIZED)
#include "nvjpeg/api.def"
