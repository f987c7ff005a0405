// SPDX-License-Identifier: Apache-2.0
// See stddef_types.h. There is no include guard: NDEBUG counts anew each time.
#undef assert
#ifdef NDEBUG
#define assert(__e) ((void)0)
#else
#include "../device_assert.h"
#define assert(__e) ((__e) ? (void)0 : __assert_fail(#__e, __FILE__, __LINE__, __PRETTY_FUNCTION__))
#endif
