// SPDX-License-Identifier: Apache-2.0
// The exported functions of FFTW's interface, from the table.
#include "cufft/w/plan.h"
#include "library/stub.h"

const struct library library_self = {"cuFFTW", "libcufftw.so.12", NULL, NULL};

#define NOTHING
#define ROW(result, name, params, args, call, status) LIBRARY_STUB(result, name, params, args, call, 0)
#define VOID(name, params, args, call)                LIBRARY_STUB(void, name, params, args, call, NOTHING)
#include "cufft/w/each.h"
