// SPDX-License-Identifier: Apache-2.0
// Native kernels: functions of C that a library of ours launches as the grids of a stream. What libcuda promises to such a
// library; src/driver/module/native.c keeps it, src/library/ is written on it.
//
// 1. A native kernel is a CUkernel with one parameter, a block of bytes that begins with struct native_head. It is launched by
//    cuLaunchKernel and whatever else launches kernels, and so it is ordered in its stream, asynchronous, captured as a kernel
//    node, copied, updated and launched again with its graph, and counted by events, as any kernel. The block is copied.
// 2. A grid has `parts` blocks in x. head.run(block, part) is called once for each of them, by the workers of the engine and by
//    threads that wait for it, in any order and several at once. Parts do not wait for each other. The scheduler learns how
//    long a part takes, and shares out a grid by that.
// 3. The number of threads of a block, 1 to NATIVE_WORKS, says how much a part has to do: the logarithm of its work. Times are
//    learnt for each of these by itself, since one function may be called for small matrices and large ones. It changes
//    nothing else.
// 4. Memory that a part reads or writes and that is not there ends the grid and the context, with the error that a kernel of
//    PTX would give. The part is left at once, wherever it is: it must hold no lock while it touches memory of the caller.
// 5. A part runs with all exceptions masked and rounding to nearest. It does not call CUDA.
// 6. head.state, where it is not NULL, stays alive as long as a launch under way or a node of a graph has it: libcuda counts
//    these in `refs` and calls release(state) when the last of them and the library's own are gone, on any thread.
//
// A native task is such a kernel for work that waits for something outside the engine, such as another process. It has one part,
// which is done in turns: head.turn(block, task) is called by one thread at a time, does what can be done without waiting, and says
// whether it is over, is to be called again behind what is ready now, or sleeps until wake(task) is called. So the task
// holds no worker while it waits, and any number of them make progress on one. wake() may be called by any thread, during a turn
// too, but not once a turn has said that the task is over. A turn that is left by a fault, or that is not begun since the
// context is lost, is the task's last: head.abandon(block, task) is called, outside of any turn.
#ifndef HEDDLE_DRIVER_NATIVE_H
#define HEDDLE_DRIVER_NATIVE_H
#include <cuda.h>
#include <stddef.h>
#include <stdint.h>

enum { NATIVE_WORKS = 64 };

struct native_state {
    unsigned refs; // only by __atomic builtins: C++ does not know C's atomic types
    void (*release)(struct native_state *state);
};

typedef void native_run_fn(const void *block, uint64_t part);
struct native_head {
    native_run_fn *run;
    struct native_state *state;
};

// Gives the kernel of this name with a block of so many bytes, head included: made anew by each call, and there until the
// process ends. cuGetProcAddress knows it by the name heddleNativeKernel; a driver that does not is not Heddle's.
typedef CUresult native_kernel_fn(CUkernel *kernel, const char *name, size_t bytes);

// ---- tasks
enum native_turn { NATIVE_OVER, NATIVE_AGAIN, NATIVE_ASLEEP };
struct native_task;
typedef enum native_turn native_turn_fn(const void *block, struct native_task *task);
typedef void native_abandon_fn(const void *block, struct native_task *task);
struct native_task_head {
    native_turn_fn *turn;
    struct native_state *state; // as in native_head
    native_abandon_fn *abandon;
};
typedef void native_wake_fn(struct native_task *task);
// ---- memory for other processes
// Device memory as a part of a file without a name, which others map: they open it by the process's descriptor and know it by its inode.
struct native_file {
    uint64_t inode, offset,
        left; // offset: where in the file the address lies; left: from there to the end of the allocation
    int fd;   // the driver's own
};
// Where the memory at the address is a part of a file: *out. size, where it is not 0: an allocation of up to so many bytes becomes one now, at
// the same address; kernels under way may use it. An error: it is none, or cannot be. Calls nothing that waits for work; any thread may call it,
// with a size of 0 a turn of a task too. Its name is heddleNativeFile.
typedef CUresult native_file_fn(const void *address, size_t size, struct native_file *out);

// The kernel of a task, as native_kernel_fn gives one, and the function that wakes tasks. Its name is heddleNativeTask.
typedef CUresult native_task_fn(CUkernel *kernel, native_wake_fn **wake, const char *name, size_t bytes);
#endif
