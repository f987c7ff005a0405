// SPDX-License-Identifier: Apache-2.0
// The exported functions of cuFFT, from the tables.
#include "cufft/plan.h"
#include "library/stub.h"

const struct library library_self = {"cuFFT", "libcufft.so.12", NULL, NULL};

#define ROW(result, name, params, args, call, status) LIBRARY_STUB(result, name, params, args, call, CUFFT_SETUP_FAILED)
#include "cufft/api.def"
#include "cufft/xt.def"
