// SPDX-License-Identifier: Apache-2.0
// Reading fat binaries: everything is bounds-checked, since they come from files and from other compilers.
#ifndef HEDDLE_FATBIN_FATBIN_READ_H
#define HEDDLE_FATBIN_FATBIN_READ_H
#include "base/diag.h"
#include "base/vec.h"
#include "fatbin/fatbin.h"
#include <stdbool.h>
#include <stddef.h>

struct fatbin_entry {
    unsigned kind;   // enum fatbin_kind, or another number that is not known here
    unsigned sm;     // 90 for sm_90
    unsigned object; // 0; in a device-linked binary the number of the object, from 1 (0 is the linked machine code)
    unsigned ptx_major, ptx_minor;
    uint64_t flags;
    const char *name; // not zero-terminated; may be NULL
    size_t name_size;
    const void *payload; // as stored, perhaps compressed
    size_t payload_size; // without padding where that is known
    size_t full_size;    // uncompressed
};

// Points into the caller's memory, which must outlive it.
struct fatbin {
    struct VEC(struct fatbin_entry) entries;
    unsigned objects; // of a device-linked binary; 0: a plain one
};

// data: a fat binary, or, when size is 0, also a wrapper in this process's memory; its pointers are then followed and
// the sizes in the headers believed. On false *out is empty and d says why.
bool fatbin_read(const void *data, size_t size, struct fatbin *out, struct diag *d);
void fatbin_fini(struct fatbin *f);
// Whether the memory begins like a fat binary or a wrapper; size 0 as above.
bool fatbin_is(const void *data, size_t size);
// The entry's content, uncompressed and zero-terminated, from malloc; NULL with a message in d.
char *fatbin_entry_read(const struct fatbin_entry *e, size_t *size, struct diag *d);
// The best PTX of one object for a compute capability (90 for 9.0): the newest that is not newer than the device, else
// the oldest there is. NULL with a message when there is none.
const struct fatbin_entry *fatbin_ptx_choose(const struct fatbin *f, unsigned object, unsigned capability,
                                             struct diag *d);
#endif
