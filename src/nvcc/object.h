// What the device link needs of object files: the relocatable fat binaries, and the names of the registration functions
// that they ask for or define.
#ifndef HEDDLE_NVCC_OBJECT_H
#define HEDDLE_NVCC_OBJECT_H
#include "base/arena.h"
#include "base/vec.h"
#include "nvcc/option.h"

struct object_fatbin {
    const char *file; // and member, for messages
    const void *data;
    size_t size;
};

struct objects {
    struct arena *arena;
    struct VEC(struct object_fatbin) fatbins;
    struct texts wanted;  // undefined __cudaRegisterLinkedBinary* names
    struct texts defined; // those that an earlier device link has defined
};

// Reads an object or an archive of objects; other files are passed over. The data is the arena's.
bool objects_read(struct objects *o, const char *path);
void objects_fini(struct objects *o);
#endif
