// SPDX-License-Identifier: Apache-2.0
// The machine that code is made for: this one, or another that JIT_FOR_AARCH64 or JIT_FOR_X86_64 names, since tests in an emulator have
// their kernels compiled outside of it (tests/cross).
#ifndef HEDDLE_JIT_TARGET_H
#define HEDDLE_JIT_TARGET_H
#include "base/diag.h"
#include "base/str.h"
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
// A target machine for one compilation; the caller disposes of it. NULL with a diagnostic.
LLVMTargetMachineRef target_machine_create(bool optimise, struct diag *d);
// Appends those of the features in its table (features.c) that the target machine's code uses, each with a '+' before it and a ',' behind.
void features_find(LLVMTargetMachineRef tm, struct str *out);
// Lanes a gang when the kernel has no reason of its own.
unsigned target_natural_width(void);
// Whether vectors of elements of so many bytes are loaded and stored under a mask by one instruction.
bool target_masks_memory(unsigned bytes);
// Whether such a store of words costs no more than one of all lanes.
bool target_stores_lanes(void);
// Whether gathers and scatters of such elements are better left to the processor than made of single accesses.
bool target_gathers(unsigned bytes);
// Whether there is arithmetic of halves with one rounding, whatever becomes of f32's subnormals.
bool target_computes_halves(void);
// Whether one instruction gives minima and maxima as PTX has them: heddle.min.*, heddle.max.*.
bool target_ranges(void);
// Whether `x < y ? x : y` is one instruction; elsewhere the minimum that passes over NaNs is.
bool target_selects_minima(void);
// Whether one instruction brings the active lanes of a vector together (compress), another one takes them apart again (expand).
bool target_packs(void);
// Whether there is an estimate of 1/sqrt(x) with 14 bits that takes subnormals: heddle.rsqrt.estimate.
bool target_estimates_rsqrt(void);
// Whether one instruction does any function of three operands, bit by bit (see bitselect.c).
bool target_has_ternary_logic(void);
// Whether vectors of unsigned integers of so many bits have a maximum that is one instruction (see absdiff.c).
bool target_has_unsigned_maximum(unsigned bits);
#endif
