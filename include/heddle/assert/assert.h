// SPDX-License-Identifier: Apache-2.0
// The C library's assert.h, which may be included again and again, with NDEBUG and without: where it declares __assert_fail for the
// host, there is one for the device too, and where it does not there is none, so that a header of the user's may declare it.
#if __has_include_next(<assert.h>)
#include_next <assert.h>
#endif
#if defined(__CUDA__) && defined(__clang__) && !defined(NDEBUG)
#include "heddle/device_assert.h"
#endif
