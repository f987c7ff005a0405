// SPDX-License-Identifier: Apache-2.0
// What a debugger reads of the engine: heddle_debug, a variable that libcuda exports, and all that it leads to. cuda-gdb
// (src/debugger) finds the variable by its name and reads memory by this layout, of a process and of a core file alike; a change
// counts DEBUG_VERSION up. Only 32-bit and 64-bit members, each at a multiple of its size.
//
// It also stops at the functions heddle_debug_*: they do nothing, and are called where something happens that it may want to see.
#ifndef HEDDLE_DEVICE_DEBUG_STATE_H
#define HEDDLE_DEVICE_DEBUG_STATE_H
#include "device/device.h"

enum { DEBUG_VERSION = 1, DEBUG_TEXT = 512 };

enum debug_status {
    DEBUG_READY,    // has not begun
    DEBUG_RUNS,     // it is the one of its block that runs
    DEBUG_HELD,     // stands in the middle of its code, as a debugger asked
    DEBUG_WAITS,    // at a barrier and the like
    DEBUG_RELEASED, // the same, and may go on when its turn comes
    DEBUG_OVER
};

struct own_stack;

// A thread of a block whose threads have stacks of their own (stacks.h).
struct debug_thread {
    uint32_t status; // enum debug_status
    uint32_t tid;    // of the thread of the system that has its stack; 0: none
    uint32_t state;  // where it waits (jit/abi/state.h)
    uint32_t ran;    // it has reached that, and its scheduler does not know yet
    struct own_stack *stack;
    void *context; // where core files are asked for: a ucontext_t of where it waits; NULL: it does not
};

// A block that runs, or is put aside.
struct debug_block {
    struct debug_block *next, *before;
    const char *kernel;
    const struct jit_launch *launch;
    const struct jit_block *block;
    struct debug_thread *threads; // NULL: the code runs them by gangs
    uint64_t grid_id, shared;     // shared: the address
    uint32_t count, current;      // threads, which of them runs
    uint32_t ctaid[3], grid[3], shape[3], cluster[3];
    uint32_t smid, shared_bytes;
};

// The last fault of a kernel. It is filled in before heddle_debug_exception is called, on the thread that met it.
struct debug_exception {
    uint32_t fault, known; // enum device_fault; 1: there was one
    uint64_t address, pc;  // 0: not known
    int64_t thread;        // linear; of a gang the first; -1: not known
    uint64_t serial;       // how many there were
    struct debug_block at; // `kernel` is NULL where nothing is known; `threads` as the block's own has it
    char kernel[256];
};

struct debug_state {
    char magic[8]; // "heddle\0\0"
    uint32_t version, hold_signal;
    struct debug_block *blocks;
    // Written by the debugger: this thread of this block (its address, its number and one) is to run next. The one that runs is
    // held as soon as it gets hold_signal.
    uint64_t wanted_block;
    uint64_t wanted_thread;
    struct debug_exception exception;
    char device[64];
    uint32_t multiprocessors, capability; // 90: 9.0
};

#define DEBUG_EXPORT __attribute__((visibility("default")))
extern DEBUG_EXPORT struct debug_state heddle_debug;

// Whether the process runs under cuda-gdb (HEDDLE_DEBUGGER=1).
bool debug_wanted(void);
// Puts a block into the list, and takes it out.
void debug_block_add(struct debug_block *d);
void debug_block_remove(struct debug_block *d);
void debug_block_fill(struct debug_block *d, const struct jit_block *block, const char *kernel);

// What is told of the device.
void debug_device(const char *name, uint32_t multiprocessors, uint32_t capability);

// A debugger's stops.
DEBUG_EXPORT void heddle_debug_launch(void);    // the first block of a grid begins: the first of heddle_debug.blocks
DEBUG_EXPORT void heddle_debug_waits(void);     // the thread is about to wait
DEBUG_EXPORT void heddle_debug_ended(void);     // the thread has run to its end
DEBUG_EXPORT void heddle_debug_exception(void); // heddle_debug.exception is a new one

// A kernel has met a fault on this thread. block, kernel: NULL where they are not known. context: the ucontext of the signal that
// told, else NULL. Tells the debugger, and writes a core file where one is asked for (core.c). For signal handlers.
void debug_exception(enum device_fault fault, const void *address, const void *pc, int64_t thread,
                     const struct jit_block *block, const char *kernel, void *context);

// core.c: CUDA_ENABLE_COREDUMP_ON_EXCEPTION and its like are read; before the first fault.
void core_prepare(void);
bool core_wanted(void);
// Writes a core file of this process with this thread at `context`, and may end the process; does nothing where none is asked for.
void core_write(void *context);
#endif
