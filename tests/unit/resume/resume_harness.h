// SPDX-License-Identifier: Apache-2.0
// Compiles a kernel of resume_kernels.c with the passes of the JIT and runs grids of it, round robin over the blocks as
// the device engine does.
#ifndef HEDDLE_TEST_RESUME_HARNESS_H
#define HEDDLE_TEST_RESUME_HARNESS_H
#include "jit/abi/abi.h"
#include "jit/lower/lower.h"
#include <llvm-c/LLJIT.h>
#include <llvm-c/TargetMachine.h>
#include <stdbool.h>
#include <stddef.h>

enum harness_lanes {
    HARNESS_SCALAR,         // without the vectoriser: lane after lane, heddle.* are C functions
    HARNESS_SCALAR_UNIFORM, // and the block is said to move together
    HARNESS_VECTOR
};

struct harness_kernel {
    jit_entry_fn *entry;
    struct jit_variant variant;
    LLVMOrcLLJITRef jit;
    unsigned regions, slots, raw_slots, yields;
    unsigned forwards; // loads that take what another lane stored from a register
    bool uniform;      // every region's next is block-uniform
    bool refused;      // not compiled: to be made again with STRUCTURED_DISPATCH
};

struct harness_params {
    const void *in, *in2;
    void *out, *aux;
    uint32_t n, m;
};

// How kernels get structured control flow, LLVM's passes over the gang code, and how much its code generator does.
extern enum structured_how harness_structure;
extern const char *harness_optimise;
extern LLVMCodeGenOptLevel harness_level;

// block 0: any shape. Prints what went wrong.
bool harness_compile(struct harness_kernel *k, const char *name, enum harness_lanes lanes, unsigned width,
                     const unsigned block[3]);
// The same for a kernel in a module that the caller made; the context and the module are the harness's from then on.
bool harness_compile_module(struct harness_kernel *k, LLVMContextRef context, LLVMModuleRef module, const char *name,
                            enum harness_lanes lanes, unsigned width, const unsigned block[3]);
void harness_destroy(struct harness_kernel *k);
// Returns the number of calls of the entry; 0 when it does not come to an end.
uint64_t harness_run(const struct harness_kernel *k, const unsigned grid[3], const unsigned block[3],
                     const struct harness_params *params);
#endif
