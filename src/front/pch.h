// SPDX-License-Identifier: Apache-2.0
// Precompiled headers in the disk cache: their place, and what they were made from. nvcc and NVRTC share the folder.
#ifndef HEDDLE_FRONT_PCH_H
#define HEDDLE_FRONT_PCH_H
#include "base/arena.h"
#include "base/hash.h"
#include "base/vec.h"
#include <stdbool.h>

// The place of a precompiled header of that key; NULL: there is no cache, or others can write to its
// folder. The text is the arena's.
const char *front_pch_path(struct arena *a, const struct hash128 *key);
// Removes those that were not used for longest, beyond a few.
void front_pch_trim(void);
// Whether the compiler's messages say that a precompiled header does not fit (options, or a header that changed).
bool front_pch_is_stale(const char *messages);

// The next file of a makefile rule, from malloc; NULL: no more. p moves on.
char *front_rule_next(const char **p);

// A record beside a precompiled header tells which files it was made from, with size and time, and which names stand in
// them. rule: the makefile rule that the compiler wrote.
bool front_pch_record(const char *path, const char *rule);
// The record's text, from malloc; NULL: there is none of this user's own, or a file is not as it was.
char *front_pch_check(const char *path);
// Whether a name stands in one of the files: a macro of that name may change what they mean.
bool front_pch_has_name(const char *record, const char *name, size_t size);
// Whether a folder has a file that would be found in place of one of them.
bool front_pch_is_shadowed(const char *record, const char *folder);
#endif
