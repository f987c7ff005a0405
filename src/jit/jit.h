// SPDX-License-Identifier: Apache-2.0
// The JIT as the layers above see it: a PTX module in, code that runs blocks out.
//
// The part that needs LLVM (translate ... object code) is a shared library of its own, opened when the first kernel must
// be compiled; with a warm cache LLVM is never loaded. A compiled variant is a relocatable object plus struct jit_variant;
// load.c maps it. All functions may be called from any thread.
#ifndef HEDDLE_JIT_JIT_H
#define HEDDLE_JIT_JIT_H
#include "base/diag.h"
#include "base/hash.h"
#include "jit/abi/abi.h"
#include "ptx/ptx.h"
#include <stdatomic.h>

// Quick code is the same gang code as any, hardly optimised: made in half the time, and up to four times slower.
enum jit_quick {
    JIT_QUICK_NEVER,
    JIT_QUICK_LARGE,  // first, where optimising would take long
    JIT_QUICK_ALWAYS, // first, for every kernel
};

// Schedules for programs without proper synchronisation (compat/compat.h).
enum jit_compat {
    JIT_COMPAT_OFF,
    JIT_COMPAT_GUESSED,    // where programs seem to count on them
    JIT_COMPAT_EVERYWHERE, // gangs yield all the time: a test of kernels and of the JIT
    JIT_COMPAT_BLOCKS,     // and so do blocks, to each other
};

// What someone wants to see of a compilation: `heddle compile`.
struct jit_watch {
    // After each pass that ran: its time, and the instructions of the module before and after it.
    void (*pass)(struct jit_watch *w, const char *name, uint64_t ns, unsigned before, unsigned after);
    void (*ir)(struct jit_watch *w, const char *text); // behind the pass stop_after, with which the compilation ends
    const char *stop_after;                            // NULL: it goes on
    bool stopped;                                      // so it did; it failed otherwise
};

struct jit_options {
    unsigned width;       // 0: the policy decides
    unsigned block[3];    // specialise on this shape; 0,0,0: any shape
    bool debug;           // -G: keep the code as written, width 1
    bool stacks;          // and each thread has a stack of its own, for a debugger (device/debug/stacks.h)
    enum jit_quick quick; // may it be quick code?
    enum jit_compat compat;
    unsigned check;          // enum jit_check: the code tells the engine of accesses and synchronisation
    bool checked;            // count on nothing about grid and arguments (jit_variant.grid_max, assumed)
    bool descending;         // of the gangs of a block the last one runs first: another schedule, to be tried
    struct jit_watch *watch; // NULL: nobody looks on, as for all code that is kept
};

// Quick code and schedules as the environment asks for them.
void jit_options_asked(struct jit_options *o, bool debug);

// Whether threads run one by one: with -G, and in blocks of one.
static inline bool jit_runs_alone(const struct jit_options *o)
{
    return o->debug || o->block[0] * o->block[1] * o->block[2] == 1;
}

struct jit_object { // from malloc
    void *data;
    size_t size;
    struct jit_variant variant;
};

// A PTX module prepared for compilation. Keeps references to m, which may be an outline, and to the text that it was made
// of; both must outlive it. `hash`: of the text, or NULL. `linked`: the text is that of several modules, one after the other; then m is no outline.
struct jit_module;
struct jit_module *jit_module_create(const struct ptx_module *m, const char *text, size_t size,
                                     const struct hash128 *hash, bool linked);
void jit_module_destroy(struct jit_module *jm);
// The module with the bodies of its functions: m, or the text parsed when first asked for. NULL with diagnostics.
const struct ptx_module *jit_module_whole(struct jit_module *jm, struct diag *d);

enum jit_wait { WAIT_OVER, WAIT_COUNTS, WAIT_MADE };

// Code in memory, ready to run. Of quick code that has run for a while, or will by what is known of a grid, an optimised form is
// made beside the program's threads; then `entry` changes. Calls may go to either, but a block that has begun in one must end there.
struct jit_code {
    struct jit_variant variant;
    _Atomic(jit_entry_fn *) entry;
    _Atomic uint32_t
        quick; // enum jit_wait: there is no better code to come; the time it has run counts (jit_code_spent); it is made
    _Atomic uint64_t spent_ns;
    _Atomic uint64_t wait_ns; // quick code is to run so long
    const void *start;        // machine code, for faults and profilers
    size_t size;
    char name[128];
    _Atomic uint32_t block_ns; // the engine's estimate of one block's time; 0: unknown
    // Of the engine, too: grids that took longer than alone although they were shared, in a row; how many then are not shared,
    // and how many of these are left.
    _Atomic uint32_t strikes, backoff, alone;
    // And: grids of it that a team ran; those in a row whose parts took all threads the same time.
    _Atomic uint32_t runs, even;
    struct jit_code *next;
};
// The variant for this kernel and these options: from memory, from the disk cache, or compiled now. NULL with
// diagnostics. It lives as long as the module.
struct jit_code *jit_module_code(struct jit_module *jm, const struct ptx_func *kernel,
                                 const struct jit_options *options, struct diag *d);
// Quick code has run for so long, by the time of all threads together.
void jit_code_spent(struct jit_code *code, uint64_t ns);
// Whether the address lies in this code, or in the optimised form that has taken its place; safe in a signal handler.
bool jit_code_holds(const struct jit_code *code, const void *address);
// The source line of the instruction at pc, as "file:line"; false: not known (no -lineinfo, or not our code). Not for
// signal handlers. The code's module must be alive.
bool jit_code_line(const void *pc, char *out, size_t size);

// Static facts of a kernel, without compiling it (no LLVM).
struct jit_kernel_facts {
    uint32_t shared_static, local_bytes, registers, max_threads;
    bool warp_collectives, may_wait;
    bool
        keeps_state; // it allocates, launches or chooses what a graph does: not all that it does is in memory of its own
};
void jit_kernel_facts(const struct ptx_module *m, const struct ptx_func *kernel, struct jit_kernel_facts *out);

// Has every kernel no more static shared memory than this? The message is in the words of ptxas, which build systems look for.
bool jit_shared_check(const struct ptx_module *m, uint32_t limit, struct diag *d);

// Is there code for everything in the function, or in all that the kernel reaches? Without compiling it (no LLVM);
// what is lacking goes to d, by line and instruction. `whole`: the module is linked, functions without a body are errors.
bool jit_function_check(const struct ptx_func *f, bool whole, struct diag *d);
bool jit_kernel_check(const struct ptx_module *m, const struct ptx_func *kernel, struct diag *d);

// The object alone, past memory and the disk cache. False with diagnostics, or because the compilation was stopped.
bool jit_compile(const struct ptx_module *m, const struct ptx_func *kernel, const struct jit_options *options,
                 struct jit_object *out, struct diag *d);

// Machine code of a processor, instruction by instruction: where it begins, its bytes and its text. False: the library with LLVM
// cannot be loaded (the message is in d), or has no code for that processor.
enum jit_machine { JIT_MACHINE_X86_64, JIT_MACHINE_AARCH64 };
typedef void jit_listing_fn(void *data, size_t at, size_t bytes, const char *text);
typedef bool jit_disassemble_fn(enum jit_machine machine, const void *code, size_t size, jit_listing_fn *take,
                                void *data); // heddle_jit_disassemble of libheddle-jit.so
bool jit_disassemble(enum jit_machine machine, const void *code, size_t size, jit_listing_fn *take, void *data,
                     struct diag *d);

// The LLVM side's entry for kernels, exported by libheddle-jit.so as heddle_jit_compile; beside it the text heddle_jit_interface, which is
// JIT_INTERFACE (interface.h, from the build) if it is of the same one.
typedef bool jit_compile_fn(const struct ptx_module *m, const struct ptx_func *kernel,
                            const struct jit_options *options, struct jit_object *out, struct diag *d);
#endif
