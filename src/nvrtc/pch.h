// SPDX-License-Identifier: Apache-2.0
// Precompiled headers of the user's: which part of a source they hold.
#ifndef HEDDLE_NVRTC_PCH_H
#define HEDDLE_NVRTC_PCH_H
#include <stdbool.h>
#include <stddef.h>

// The length of the source's beginning that has only directives and comments, up to '#pragma nv_hdrstop' where there is
// one, with every #if closed.
size_t pch_prefix(const char *source);
#endif
