// SPDX-License-Identifier: Apache-2.0
// The compiler's messages in the form that NVRTC's clients know.
#ifndef HEDDLE_NVRTC_LOG_H
#define HEDDLE_NVRTC_LOG_H
#include "base/str.h"
#include "base/vec.h"
#include <stdbool.h>

// The arguments by which the compiler writes what log_translate reads.
void log_add_arguments(struct texts *argv, bool brief);
// Appends the messages; name is the program's. Where prefix (may be NULL) stands before a file's name it is taken off, and
// the file gets the name among headers that it was handed in by.
void log_translate(struct str *out, const char *messages, const char *name, const char *prefix,
                   const struct texts *headers);
#endif
