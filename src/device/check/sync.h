// SPDX-License-Identifier: Apache-2.0
// synccheck: what its files share. sync.c looks at barriers and warps, object.c at mbarrier objects.
#ifndef HEDDLE_DEVICE_CHECK_SYNC_H
#define HEDDLE_DEVICE_CHECK_SYNC_H
#include "device/check/report.h"

enum { SYNC_OBJECTS = 256 };
struct sync_object {
    uint32_t at, expected; // offset in shared memory; arrivals of a phase
};
struct sync_objects {
    unsigned n;
    bool many; // there are more, or one that is not known any more
    struct sync_object object[SYNC_OBJECTS];
};
struct sync_teller {
    const struct check_launch *check;
    const struct jit_block *block;
    uint32_t thread;
    const void *pc;
};
void sync_tell(const struct sync_teller *t, const char *what);
void sync_object_note(struct sync_objects *o, const struct object_call *call);
#endif
