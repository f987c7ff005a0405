// SPDX-License-Identifier: Apache-2.0
// What kernels launch: the children of a grid, and the streams and events that order them.
//
// Requirements, and how they are met:
//  1. A grid is over only when all its children are. `end`, an operation without work, waits for the grid's own blocks and
//     for every child; it ends the grid. A child is over when its own children are, so this holds for the whole tree.
//  2. Nobody waits: a launch puts an operation on the list of what is ready, or behind another operation. The engine never
//     holds a thread for a grid whose children have not run, so any number of cores, one as well, runs any tree.
//  3. Launches of one block into stream 0 follow each other; other blocks have their own. Streams that kernels make belong
//     to the grid. Tail launches are kept until the grid and its other children are over, then run one after the other.
//  4. Memory: no more launches wait than the limit says. Beyond it the thread that launches runs some of its own grid's
//     children first, on top of its block. Tail launches, which cannot begin, are refused.
//  5. Threads: everything may be called by any thread of the grid. Handles are those of the grid and end with it.
#ifndef HEDDLE_DEVICE_SCHED_NESTED_H
#define HEDDLE_DEVICE_SCHED_NESTED_H
#include "device/device.h"

struct nested;
enum nested_result { NESTED_OK, NESTED_BAD_HANDLE, NESTED_FULL };
// Streams that every grid has.
enum { NESTED_NULL = 0, NESTED_LEGACY = 1, NESTED_PER_THREAD = 2, NESTED_TAIL = 3, NESTED_FIRE_AND_FORGET = 4 };

// grid is under way; finish(grid) is called once, when it and its children are over.
struct nested *nested_create(struct op *grid, void (*finish)(struct op *grid));
void nested_discard(struct nested *n); // nothing was launched, and finish() is not called
// All blocks of the grid are over. The nested is freed, now or later.
void nested_close(struct nested *n);

// Takes the op, also where it is refused. limit: how many launches may wait.
enum nested_result nested_submit(struct nested *n, uint64_t block, uint64_t stream, struct op *op, size_t limit);
uint64_t nested_stream_create(struct nested *n);
enum nested_result nested_stream_destroy(struct nested *n, uint64_t stream);
uint64_t nested_event_create(struct nested *n);
enum nested_result nested_event_destroy(struct nested *n, uint64_t event);
enum nested_result nested_event_record(struct nested *n, uint64_t block, uint64_t event, uint64_t stream);
enum nested_result nested_event_wait(struct nested *n, uint64_t block, uint64_t stream, uint64_t event);
// Everything that the block has launched so far is over.
bool nested_block_done(struct nested *n, uint64_t block);

// The last error of one thread.
void nested_error_set(struct nested *n, uint64_t block, uint32_t thread, uint32_t error);
uint32_t nested_error_get(struct nested *n, uint64_t block, uint32_t thread);

// Memory for the arguments of a launch, and what is known of it beforehand; given back by nested_buffer_free or with the grid.
struct nested_buffer {
    struct nested_buffer *next, **back;
    struct nested *owner;
    const void *function; // NULL: named by the launch
    uint32_t grid[3], block[3], shared;
    size_t size;
    _Alignas(64) char data[];
};
struct nested_buffer *nested_buffer_create(struct nested *n, size_t size); // NULL: out of memory
struct nested_buffer *nested_buffer_find(struct nested *n, void *data);    // NULL: none of ours
void nested_buffer_free(struct nested *n, struct nested_buffer *b);

// ---- transfer.c
struct transfer {
    char *to;
    const char *from; // NULL: `to` is filled with `value`
    size_t to_pitch, to_slice, from_pitch, from_slice;
    size_t width, height, depth; // bytes, rows, slices
    int value;
};
// faults must live as long as the op. NULL: out of memory.
struct op *transfer_op_create(const struct transfer *t, struct fault_state *faults);
#endif
