// SPDX-License-Identifier: Apache-2.0
// Maps a relocatable ELF object as LLVM writes it (small code model, PIC) and makes it run: a linker for one object.
#ifndef HEDDLE_JIT_LOAD_H
#define HEDDLE_JIT_LOAD_H
#include "base/diag.h"
#include <stddef.h>

struct load_image {
    char *base; // one mapping: code, then constants, then data
    size_t size;
    size_t code_size; // executable part at the start
    char *object;     // the object with section addresses filled in, for debuggers; from malloc
    size_t object_size;
};

// The object is not trusted: anything outside its bounds or not understood is an error.
bool load_object(const void *data, size_t size, struct load_image *out, struct diag *d);
void *load_symbol(const struct load_image *image, const char *name); // a defined global symbol, or NULL
void load_release(struct load_image *image);
#endif
