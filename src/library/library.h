// SPDX-License-Identifier: Apache-2.0
// What the libraries of CUDA are made of here: work launched as native kernels, scratch memory, handles that are checked, and
// calls that go to NVIDIA's library of the same name where the device is a GPU. docs/libraries.md tells how a library is made.
//
// 1. A call returns when its work is in the stream; it waits only where its result is the host's. Scalars of the host are
//    copied, scalars of the device are read when the work runs.
// 2. Results do not depend on the number of workers: how work is cut into parts follows from its size alone.
// 3. All functions may be called from any thread. One handle is for one thread at a time, as CUDA has it.
#ifndef HEDDLE_LIBRARY_LIBRARY_H
#define HEDDLE_LIBRARY_LIBRARY_H
#include "driver/native.h"
#include <cuda_runtime_api.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

// ---- place.c: where calls are served
// What a library is; each has one, library_self (stub.h).
struct library {
    const char *name;    // in messages: "cuBLAS"
    const char *soname;  // of NVIDIA's library that takes the calls on a GPU, "libcublas.so.13"
    const char *log_env; // the variable that turns logging on; NULL: it has none
    const char *log_to;  // and the one that names its file, stdout or stderr
};

// Whether the device is a GPU, so that calls go to NVIDIA's library. Known from the first call on.
bool library_is_elsewhere(void);
// NVIDIA's function of this name, which is kept in *there; NULL: its library, or the function, is not to be found, as one
// message on stderr says.
void *library_there(const struct library *self, _Atomic(void *) *there, const char *name);

// ---- launch.c: native kernels of a library. A static object each; struct Block begins with struct native_head.
struct library_kernel {
    const char *name;
    native_run_fn *run;
    size_t bytes; // of the argument block
    _Atomic(CUkernel) handle;
};
#define LIBRARY_KERNEL(kernel_name, run_function, Block)                                                               \
    {.name = kernel_name, .run = run_function, .bytes = sizeof(Block)}
// Launches run(block, part) for all parts. block begins with a native_head of which only `state` is set. work: how many
// operations a part has, about. No part: nothing is launched. Errors are CUDA's.
cudaError_t library_launch(struct library_kernel *k, cudaStream_t stream, uint64_t parts, double work, void *block);

// A task of a library: one launch, whose block begins with struct native_task_head of which only `state` is set.
struct library_task {
    const char *name;
    native_turn_fn *turn;
    native_abandon_fn *abandon;
    size_t bytes;
    _Atomic(CUkernel) handle;
};
#define LIBRARY_TASK(task_name, turn_function, abandon_function, Block)                                                \
    {.name = task_name, .turn = turn_function, .abandon = abandon_function, .bytes = sizeof(Block)}
cudaError_t library_task_launch(struct library_task *t, cudaStream_t stream, void *block);
void library_task_wake(struct native_task *task); // of one that was launched
// As heddleNativeFile (driver/native.h).
bool library_file(const void *address, size_t size, struct native_file *out);

// ---- scratch.c: memory for what one grid leaves to the next one in the same stream
struct library_scratch {
    pthread_mutex_t lock;
    struct library_buffer *buffers;
    void *given; // the program's own memory, which comes first
    size_t given_bytes;
};
void library_scratch_init(struct library_scratch *s);
void library_scratch_fini(struct library_scratch *s); // the caller has waited for its streams
void library_scratch_give(struct library_scratch *s, void *memory, size_t bytes);
// Memory of so many bytes at least, 256-byte aligned, for the launches of this thread up to library_scratch_end: they follow each
// other in the stream, so that nobody else's work with this memory is between them. Streams do not share it. What a captured stream gets
// is memory of its graph. NULL: there is none, and library_scratch_end is not to be called.
void *library_scratch_begin(struct library_scratch *s, cudaStream_t stream, size_t bytes);
void library_scratch_end(struct library_scratch *s, cudaStream_t stream, void *memory);

// ---- handle.c: handles that a library gives out. Memory of a handle that was destroyed is kept, and so is the mark in it: a
// handle that is used after that is told from one that lives.
struct library_handle {
    const void *mark; // NULL once it is destroyed
    struct library_handle *next;
    size_t size;
};
// Zeroed but for mark and size; size is that of a struct that begins with struct library_handle.
void *library_handle_create(size_t size);
bool library_handle_alive(const void *handle);
void library_handle_destroy(void *handle);

// ---- log.c
typedef void library_log_fn(const char *message);
bool library_log_on(const struct library *self);
void library_log(const struct library *self, const char *function); // one line
void library_log_set(library_log_fn *callback);
library_log_fn *library_log_get(void);
// Where lines go besides; file NULL: to no file. False: it cannot be opened.
bool library_log_configure(const struct library *self, bool on, bool to_stdout, bool to_stderr, const char *file);
#endif
