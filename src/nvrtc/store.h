// SPDX-License-Identifier: Apache-2.0
// What is kept between compilations: the place of the toolkit, precompiled headers, and results on disk.
#ifndef HEDDLE_NVRTC_STORE_H
#define HEDDLE_NVRTC_STORE_H
#include "base/hash.h"
#include "front/front.h"
#include "nvrtc/program.h"

// The toolkit that this library lies in, for texts of the arena; false with a message.
bool store_toolkit(struct toolkit *out, struct arena *a, struct str *message);
// Changes with any file of the toolkit, or with the compiler.
const char *store_toolkit_id(void);

// Results of a compilation: log, PTX and lowered names. With them goes a list of the files that it read, each with size
// and time: it counts only while all are as they were.
bool store_get(const struct hash128 *key, struct program *p);
// depends: the makefile rule that the compiler wrote. Files below skip (folders that end with '/') are not listed.
void store_put(const struct hash128 *key, const struct program *p, const char *depends, const char *const *skip);
#endif
