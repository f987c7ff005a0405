// SPDX-License-Identifier: Apache-2.0
// A list of texts, each owned elsewhere (mostly by an arena): arguments, file names.
#ifndef HEDDLE_BASE_TEXTS_H
#define HEDDLE_BASE_TEXTS_H
#include "base/vec.h"

struct texts VEC(const char *);
#endif
