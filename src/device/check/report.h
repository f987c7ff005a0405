// SPDX-License-Identifier: Apache-2.0
// What the files of this folder share: a report of a thread of a kernel, and shadow memory.
#ifndef HEDDLE_DEVICE_CHECK_REPORT_H
#define HEDDLE_DEVICE_CHECK_REPORT_H
#include "device/check/check.h"

// The launch that the block belongs to; NULL: it is not checked.
struct check_launch *check_of(const struct jit_block *b);
// A report of one access: its first line, where it was made (the address a call returns to), by whom. Freed by check_report_end, which sends it.
struct sanitizer_report *check_report(const char *kind, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void check_report_at(struct sanitizer_report *r, const struct check_launch *c, const void *pc);
void check_report_thread(struct sanitizer_report *r, const struct jit_block *b, uint32_t thread);
void check_report_end(struct sanitizer_report *r, const struct check_launch *c);
const char *check_space_name(uint32_t space);
// Accesses that operations are compared by, where the launch has c->touch: of lanes whose addresses follow each other. What is no memory of the
// device's is left out.
void check_touch(struct check_launch *c, const struct jit_block *b, uint32_t what, uint32_t thread, uint64_t address,
                 uint32_t lanes);

// A free of what the device's malloc has not given, or not any more.
void check_bad_free(const struct jit_block *b, uint32_t thread, bool twice, const void *pc);

// ---- init.c. What lanes read or write, all of it in one range that is known.
struct check_init {
    uint32_t lanes, size;
    bool reads, writes;
    const uint64_t *address; // by lane
};
// The lanes that read bytes which are not written; what they store is written from now on. full: all of the allocation is.
uint32_t check_init_touch(const struct memory_range *r, const struct check_init *i, bool *full);

// The same of the block's shared memory.
// The lanes whose access to it is not known to be right.
uint32_t init_shared_unknown(const struct jit_block *b, uint32_t what, uint32_t lanes, const uint64_t *addresses);
bool init_shared_read(const struct jit_block *b, uint32_t at, uint32_t size);
void init_shared_write(const struct jit_block *b, uint32_t at, uint32_t size);
void init_resident(struct resident *r);
void init_resident_end(struct resident *r);

// ---- race.c
struct race_access {
    struct jit_block *block;
    uint32_t first, what, lanes;
    const uint64_t *address, *value;
    const void *pc;
};
void race_access(struct check_launch *c, const struct race_access *a);
// The same, where the addresses are told as rows (jit/abi/check.h).
void race_row(struct check_launch *c, const struct race_access *a, uint64_t address, uint64_t row);
// Several of those, reads of shared memory: what the access says of kind and site is there.
void race_rows(struct check_launch *c, const struct race_access *a, const struct jit_told *told, uint32_t n);
struct sync_call {
    struct jit_block *block;
    uint32_t first, how, lanes; // enum check_sync
    const uint32_t *number;
    const void *pc;
    bool same; // all numbers are
};
void race_sync(const struct sync_call *s);
void race_resident(struct resident *r);
void race_resident_end(struct resident *r);

struct object_call {
    struct jit_block *block;
    uint32_t first, how, lanes; // enum check_object
    const uint64_t *address;
    const uint32_t *number;
    const void *pc;
};
void race_object(struct check_launch *c, const struct object_call *call);

// ---- sync.c
void sync_object_call(const struct object_call *call);
void sync_note(const struct check_launch *c, const struct sync_call *s);
void sync_resident(struct resident *r);
void sync_resident_end(struct resident *r);
#endif
