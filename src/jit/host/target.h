// SPDX-License-Identifier: Apache-2.0
// The machine that code is made for: this one, or another that JIT_FOR_AARCH64 or JIT_FOR_X86_64 names, since tests in an emulator have
// their kernels compiled outside of it (tests/cross).
#ifndef HEDDLE_JIT_TARGET_H
#define HEDDLE_JIT_TARGET_H
#include "base/diag.h"
#include "base/str.h"
#include "jit/ir/machine.h"
#include <llvm-c/TargetMachine.h>

#if defined(JIT_FOR_AARCH64)
#define JIT_TRIPLE "aarch64-linux-gnu"
#define JIT_CPU    "generic" // where HEDDLE_CPU says nothing; "": the one at hand
#elif defined(JIT_FOR_X86_64)
#define JIT_TRIPLE "x86_64-linux-gnu"
#define JIT_CPU    "x86-64-v3"
#elif defined(__aarch64__)
#define JIT_TRIPLE      NULL // the system's
#define JIT_CPU         ""
#define JIT_FOR_AARCH64 1
#elif defined(__x86_64__)
#define JIT_TRIPLE     NULL
#define JIT_CPU        ""
#define JIT_FOR_X86_64 1
#endif

// The library is open: what fails from now on for want of memory may escape (llvm_memory.c).
void llvm_memory_opened(void);
// A target machine for one compilation, perhaps of one before; the caller releases or disposes of it. NULL with a diagnostic.
LLVMTargetMachineRef target_machine_create(bool optimise, struct diag *d);
// For the next one that asks for this kind.
void target_machine_release(LLVMTargetMachineRef machine, bool optimise);
// Appends those of the features in its table (features.c) that the target machine's code uses, each with a '+' before it and a ',' behind.
void features_find(LLVMTargetMachineRef tm, struct str *out);
// Lanes a gang when the kernel has no reason of its own.
unsigned target_natural_width(void);
unsigned target_figure(enum figure f); // of the machine that code is made for
#define TARGET(name, parameters, x86, arm, about) bool target_##name parameters;
#include "jit/host/target.def"
#endif
