// What a thread needs to run blocks: shared memory, frame, sink; private to the engine.
#ifndef HEDDLE_DEVICE_RUNNER_H
#define HEDDLE_DEVICE_RUNNER_H
#include "device/device.h"

// Memory of one block. Shared memory ends against a guard page, so that an index past its end faults.
struct resident {
    struct jit_block block;
    char *shared_map;
    size_t shared_map_size;
    size_t frame_size;
    struct resident *next;
    _Alignas(64) char sink[JIT_SINK_BYTES];
};

// False: out of memory. Reuses what is large enough.
bool resident_prepare(struct resident *r, const struct jit_launch *launch, uint64_t frame_bytes, uint32_t shared_bytes);
struct resident *resident_create(void);
void resident_destroy(struct resident *r);
struct resident *resident_of_thread(void); // this thread's own; NULL: out of memory
#endif
