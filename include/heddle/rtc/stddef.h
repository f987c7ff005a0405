// SPDX-License-Identifier: Apache-2.0
// See stddef_types.h.
#include "heddle/rtc/stddef_types.h"
