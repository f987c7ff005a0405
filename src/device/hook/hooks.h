// SPDX-License-Identifier: Apache-2.0
// The functions that kernels call, one call a lane; the rows of jit/abi/hooks.def. Private to the engine.
#ifndef HEDDLE_DEVICE_HOOK_HOOKS_H
#define HEDDLE_DEVICE_HOOK_HOOKS_H
#include "jit/abi/abi.h"

extern void (*const hooks_table[JIT_HOOK_COUNT])(void);

// output.c
int32_t hook_vprintf(struct jit_block *b, uint32_t thread, const char *format, const void *args);
void output_write(const char *text, unsigned size); // appends to what output_flush writes
// memory/heap.c
uint64_t hook_malloc(struct jit_block *b, uint32_t thread, uint64_t size);
uint64_t hook_aligned_malloc(struct jit_block *b, uint32_t thread, uint64_t size, uint64_t alignment);
void hook_free(struct jit_block *b, uint32_t thread, uint64_t address);
// memory/stack.c: local memory of any size
uint64_t hook_stack_alloc(struct jit_block *b, uint32_t thread, uint64_t size, uint64_t align);
uint64_t hook_stack_save(struct jit_block *b, uint32_t thread);
void hook_stack_restore(struct jit_block *b, uint32_t thread, uint64_t state);
// debug/stacks.c: threads with stacks of their own
void hook_pause(struct jit_block *b, uint32_t thread, uint32_t state);
uint32_t hook_run_stacks(struct jit_block *b, uint32_t threads, void *fn, uint32_t padded, uint32_t flags);
// memory/sums.c
void hook_collect(struct jit_block *b, uint32_t thread, struct jit_cell *cell, uint64_t address, uint32_t sum);
void hook_window(struct jit_block *b, uint32_t thread, struct jit_window *w, uint64_t address, uint32_t sum,
                 uint64_t params);
uint32_t hook_merge(struct jit_block *b, uint32_t thread, struct jit_merged *m, uint64_t address, uint32_t kind,
                    uint64_t params);
// device_call.c: the runtime interface in kernels; see jit/abi/device_api.def
uint64_t hook_device_api(struct jit_block *b, uint32_t thread, uint32_t function, const uint64_t *args);
// memory/tensor.c: boxes of tensors; at: the coordinates. A load returns how many bytes the box has.
uint32_t hook_tensor_load(struct jit_block *b, uint32_t thread, void *shared, const void *map, const void *at);
void hook_tensor_store(struct jit_block *b, uint32_t thread, void *shared, const void *map, const void *at,
                       uint32_t op);
// check/access.c: what checked code tells; jit/abi/check.h
void hook_check_access(struct jit_block *b, uint32_t first, uint32_t what, uint32_t lanes, const uint64_t *addresses,
                       uint64_t origin, const uint64_t *values);
void hook_check_row(struct jit_block *b, uint32_t first, uint32_t what, uint32_t lanes, uint64_t address, uint64_t row,
                    const uint64_t *values);
struct jit_told;
void hook_check_rows(struct jit_block *b, uint32_t first, uint32_t lanes, const struct jit_told *told, uint32_t n);
void hook_check_local(struct jit_block *b, uint32_t first, uint32_t what, uint32_t lanes, const int64_t *offsets,
                      uint32_t size);
void hook_check_sync(struct jit_block *b, uint32_t first, uint32_t how, uint32_t lanes, const uint32_t *number);
void hook_check_object(struct jit_block *b, uint32_t first, uint32_t how, uint32_t lanes, const uint64_t *address,
                       const uint32_t *number);
// count/warp.c: what counted code tells; jit/abi/count.h
void hook_count(struct jit_block *b, uint32_t first, uint32_t what, uint32_t lanes, const uint64_t *addresses);
// texture/instruction.c: textures and surfaces, one call for a gang
void hook_image(struct jit_block *b, uint32_t first, uint32_t op, uint32_t width, uint32_t active,
                const uint64_t *handle, const uint32_t *args, uint32_t *out);
// matrix/matrix.c: products of matrices by a warp; op: jit/abi/matrix.h. addresses: of each lane, and the stride for all
void hook_matrix(struct jit_block *b, uint32_t first, uint32_t op, const void *in, void *out, const uint64_t *address);
#endif
