// SPDX-License-Identifier: Apache-2.0
// Links PTX texts into one: each symbol is defined once, internal names of different texts are kept apart. The result
// is a PTX text like any other, so every loader takes it. Used for relocatable device code and for the linker calls of
// the driver interface.
#ifndef HEDDLE_FATBIN_PTX_LINK_H
#define HEDDLE_FATBIN_PTX_LINK_H
#include "base/diag.h"

struct ptx_link_input {
    const char *name; // shown in messages
    const char *text;
};

// Appends the linked text to out. sm: the .target to write; 0: the highest of the texts. complete: a function or
// variable that is declared .extern, is defined nowhere and is none of those that every driver offers, is an error.
bool ptx_link(const struct ptx_link_input *inputs, size_t count, unsigned sm, bool complete, struct str *out,
              struct diag *d);
#endif
