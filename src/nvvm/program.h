// SPDX-License-Identifier: Apache-2.0
// A program of libnvvm: its modules, and the results of the last compilation.
#ifndef HEDDLE_NVVM_PROGRAM_H
#define HEDDLE_NVVM_PROGRAM_H
#include "base/str.h"
#include "base/vec.h"
#include "front/alive.h"
#include <nvvm.h>
#include <stdbool.h>

struct module {
    char *name, *data; // from malloc; data has a zero behind it
    size_t size;
    bool lazy;
};

struct program {
    struct alive alive; // one call at a time works on a program
    struct VEC(struct module) modules;
    struct str log, ptx;
};

// compile.c: fills in the results; the program is locked. verify: nothing is made, errors alone are looked for.
nvvmResult program_compile(struct program *p, int count, const char *const *options, bool verify);
#endif
