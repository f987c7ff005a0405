// SPDX-License-Identifier: Apache-2.0
// Checked kernels, for compute-sanitizer (docs/sanitizer.md): what the engine does with what their code tells it. Everything here is asked
// only where check_wanted, which is so in a process that a compute-sanitizer has started.
#ifndef HEDDLE_DEVICE_CHECK_CHECK_H
#define HEDDLE_DEVICE_CHECK_CHECK_H
#include "base/process/sanitizer.h"
#include "device/order/order.h"

struct fault_scope;
struct resident;

extern bool check_wanted;
void check_prepare(void); // asks; before anything is allocated

// ---- for the driver
unsigned check_tools_for(const char *kernel);        // enum jit_check: how its code is made
void check_allocated(const void *base, size_t size); // by a call of the program, which has to free it
void check_freed(const void *base);
void check_written(const void *base, size_t size); // by a copy or fill, or somebody who is not seen
void check_context_over(const void *owner);        // what was allocated in it and not freed is a leak

// ---- launch.c: one of a launch; NULL: it is not checked
struct race_pairs;
struct race_grid;
struct check_launch {
    struct sanitizer_stack stack; // who launched it
    const char *kernel;
    const struct jit_code *code;
    const char *args;
    size_t args_size;
    unsigned tools;
    bool goes_on;             // an error ends the kernel and not the context
    char race_report[16];     // --racecheck-report
    struct race_pairs *pairs; // hazards so far
    struct race_grid *grid;   // what its blocks share for racecheck
    const struct op *op;      // that runs it
    struct touch *touch;      // what it touches, where operations are compared; else NULL
    bool stores_known;        // and where it stores, all of it (stores.c)
    uint32_t stored;
    struct memory_range store[JIT_STORES_MAX];
    uint32_t site_pc[CHECK_SITES]; // where the sites are that racecheck has seen
    atomic_bool failed;            // an error was reported that ends the kernel
};
struct check_launch *check_launch_create(const struct launch_desc *d, const char *args);
void check_launch_begin(struct check_launch *c, const struct op *op); // each time that it runs
void check_launch_over(struct check_launch *c);
void check_launch_destroy(struct check_launch *c);
void check_resident(struct resident *r, struct check_launch *c); // before blocks of the launch run there
void check_resident_end(struct resident *r);
// A kernel has ended by a fault. False: it is over with that, and the context lives.
bool check_fault(struct check_launch *c, enum device_fault fault, const struct jit_block *b,
                 const struct fault_scope *scope);

// An access that the engine makes for a thread, before it is made. Ends the kernel where it is wrong.
void check_engine_access(struct jit_block *b, uint32_t thread, uint64_t address, uint64_t bytes, uint32_t kind,
                         const void *pc);

// ---- memory.c, quarantine.c
enum { CHECK_RED_ZONE = 256, CHECK_GUARD = 1 << 20 };
#endif
