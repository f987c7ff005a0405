// SPDX-License-Identifier: Apache-2.0
// Fat binaries in object files, programs and archives, and what the device link needs besides: the names of the
// registration functions that objects ask for or define.
#ifndef HEDDLE_FATBIN_OBJECT_H
#define HEDDLE_FATBIN_OBJECT_H
#include "base/arena.h"
#include "base/diag.h"
#include "base/vec.h"

struct object_fatbin {
    const char *file; // and member, for messages
    const void *data;
    size_t size;
    bool relocatable; // it takes part in a device link
};

struct objects {
    struct arena *arena;
    bool all;      // also fat binaries that are linked already, and those of programs and shared libraries
    bool programs; // also relocatable ones in programs and shared libraries
    struct VEC(struct object_fatbin) fatbins;
    struct texts wanted;  // undefined __cudaRegisterLinkedBinary* names
    struct texts defined; // those that an earlier device link has defined
};

// Reads an object or an archive of objects; other files are passed over, and so is libcudadevrt.a, except with `all`: a link
// takes of the device runtime what it needs (device_link.h). The data is the arena's.
bool objects_read(struct objects *o, const char *path, struct diag *d);
// The same of a file's bytes; the name is for messages.
bool objects_read_data(struct objects *o, const char *name, const void *data, size_t size, struct diag *d);
void objects_fini(struct objects *o);
#endif
