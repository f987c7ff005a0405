// SPDX-License-Identifier: Apache-2.0
// The parts of the vectoriser's test: its cases, the reference, and compilation.
#ifndef HEDDLE_TEST_VECTORISE_TEST_H
#define HEDDLE_TEST_VECTORISE_TEST_H
#include "jit/abi/abi.h"
#include <llvm-c/LLJIT.h>
#include <stdbool.h>
#include <stdint.h>

enum { TEST_SHARED_BYTES = 16384 };

struct params;
struct case_row {
    const char *name;
    void (*native)(void);
    unsigned block[3], grid[2];
    int64_t n, m;
    int fill[2], compare, widths;
};

// vectorise_reference.c
void reference_run(const struct case_row *row, const struct params *params);

// vectorise_compile.c
struct compiled {
    jit_entry_fn *entry;
    struct jit_variant variant;
    LLVMOrcLLJITRef jit;
    bool generic;
};
// The kernel's function is k_NAME of vectorise_kernels.c. generic: for any block shape. Prints what went wrong.
bool compile_kernel(struct compiled *c, const char *name, unsigned width, const unsigned block[3], bool generic);
void compiled_destroy(struct compiled *c);
// Runs the grid; the fill of shared memory is fixed.
bool compiled_run(const struct compiled *c, const struct case_row *row, const struct params *params);
#endif
