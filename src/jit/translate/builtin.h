// SPDX-License-Identifier: Apache-2.0
// The builtins of src/jit/lib as bitcode: one topic a source file, with the names it defines.
#ifndef HEDDLE_JIT_TRANSLATE_BUILTIN_H
#define HEDDLE_JIT_TRANSLATE_BUILTIN_H
#include <stddef.h>

struct builtin_topic {
    const char *name;
    const char *const *functions; // NULL-terminated
    const unsigned char *bitcode;
    size_t size;
};
extern const struct builtin_topic builtin_topics[]; // ends with a NULL name; generated
#endif
