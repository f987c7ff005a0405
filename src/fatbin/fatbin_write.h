// SPDX-License-Identifier: Apache-2.0
// Writes fat binaries: a header, then entries one after another, each with PTX text for one target.
#ifndef HEDDLE_FATBIN_WRITE_H
#define HEDDLE_FATBIN_WRITE_H
#include "base/str.h"
#include <stdbool.h>
#include <stdint.h>

enum fatbin_packing { FATBIN_PACK_NONE, FATBIN_PACK_LZ4, FATBIN_PACK_ZSTD };

struct fatbin_item {
    bool elf;         // machine code in place of PTX
    bool ir;          // IR for link-time optimisation in place of PTX
    const char *ptx;  // text; its terminating zero is stored too, as loaders expect a C string
    size_t size;      // without the zero
    unsigned sm;      // 75, 90 ...
    const char *name; // of the source file, may be NULL
    bool debug;       // compiled with -G
    enum fatbin_packing packing;
};

// Appends a whole fat binary (header and entries) to out.
void fatbin_write(struct str *out, const struct fatbin_item *items, size_t count);
// The version that the PTX text states, or 0.0.
void fatbin_ptx_version(const char *ptx, unsigned *major, unsigned *minor);
// The number of the text's .target ("sm_90a": 90), or 0.
unsigned fatbin_ptx_target(const char *ptx);
// The letter behind it, 'a' or 'f', or 0.
char fatbin_ptx_target_letter(const char *ptx);
#endif
