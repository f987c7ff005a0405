// SPDX-License-Identifier: Apache-2.0
// Faults of kernels: signals and traps become the context's sticky error; private to the engine.
#ifndef HEDDLE_DEVICE_FAULT_FAULT_H
#define HEDDLE_DEVICE_FAULT_FAULT_H
#include "device/device.h"
#include "device/fault/watchdog.h"
#include <setjmp.h>
#include <signal.h>

// A stretch of kernel code on this thread. While one is entered, SIGSEGV, SIGBUS, SIGILL and SIGFPE on the thread jump to
// `jump` with the fault filled in; elsewhere they go where they went before.
struct fault_scope {
    sigjmp_buf jump;
    struct fault_scope *outer;
    char *stack; // below it nothing is needed after a fault
    // Of a kernel that has a limit of time; set before fault_enter(). NULL: none.
    const struct watch *watch;
    const struct jit_code *code;
    const struct jit_block *block; // for debuggers, with the kernel's name; NULL: not known
    const char *kernel;
    enum device_fault fault;
    const void *address, *pc; // pc: in the kernel, where known
    int64_t thread;           // linear index in the block; -1: not known
    char detail[96];          // more about the fault; "": nothing
};

void fault_prepare(void);                // the handlers are there, as from the first kernel on
void fault_enter(struct fault_scope *s); // after sigsetjmp(s->jump, 0) returned 0
void fault_leave(struct fault_scope *s); // also after a fault
// The code that follows on this thread has another stack, which begins there; returns where the one before does.
const char *fault_stack(const char *low);
// Ends the kernel code that runs on this thread, at pc (the address that the hook returns to; the call ends there), or
// NULL where that is not known.
enum { FAULT_THREAD_UNKNOWN = 0xffff };
_Noreturn void fault_raise(enum device_fault fault, uint32_t thread, const void *pc);
// The same, at an address; NULL: none is known.
_Noreturn void fault_raise_at(enum device_fault fault, const void *address, uint32_t thread, const void *pc);
// The same, with a text in place of an address.
_Noreturn void fault_raise_detail(enum device_fault fault, const char *detail, uint32_t thread, const void *pc);
// The same, with all that another thread, which ran the kernel for this one, knows of its fault.
_Noreturn void fault_raise_again(const struct fault_scope *met);
const struct fault_scope *fault_scope_of_thread(void); // the innermost; NULL: none
// Ends the kernel code that runs on this thread if its time is up: in hooks that hold locks and may take most of a kernel's
// time, where they hold none.
void fault_checkpoint(uint32_t thread, const void *pc);
// The signal that ends the kernel on a thread it is sent to, if its time is up and the thread is in its code; and its handler.
int fault_interrupt_choose(void);
void fault_interrupt_install(int signal);
// Records the first fault of a context, and tells of it on stderr in one line. An assertion has its line already.
void fault_record(struct fault_state *state, enum device_fault fault, const char *kernel, const struct jit_block *block,
                  const struct fault_scope *scope);
#endif
