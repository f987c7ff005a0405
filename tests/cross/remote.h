// SPDX-License-Identifier: Apache-2.0
// Kernels of tests in an emulator are compiled outside of it: libheddle-jit.so (client.c), which the emulated process opens, starts a
// process of this machine for each (compiler.c) with a JIT that makes code for the emulated one. An emulator takes twenty to thirty
// times as long for LLVM as the processor, and LLVM is most of what tests do; the code that comes out is the same, and is run in
// the emulator with everything else. Both sides are little-endian with pointers of 64 bits, so structures go as they are.
#ifndef HEDDLE_TESTS_REMOTE_H
#define HEDDLE_TESTS_REMOTE_H
#include "jit/abi/interface.h"
#include "jit/jit.h"

// To the compiler's standard input: this, names with a zero byte each, the module's text. The names are the kernel's and those of all
// functions and variables in their order: generated code knows them by their numbers, which the text need not keep.
struct remote_request {
    char interface[sizeof JIT_INTERFACE];
    uint32_t nfuncs, nvars;
    uint64_t names_size, text_size;
    struct jit_options options; // watch: NULL
};

// From its standard output: this, then the object, or the messages.
struct remote_answer {
    uint32_t ok, errors, warnings, cause; // of struct diag
    uint64_t size;
    struct jit_variant variant;
};
#endif
