// SPDX-License-Identifier: Apache-2.0
// Differences between the LLVM versions that Heddle builds with (19 to 22), in one file.
#ifndef HEDDLE_JIT_LLVM_COMPAT_H
#define HEDDLE_JIT_LLVM_COMPAT_H
#include <llvm-c/Core.h>
#include <llvm/Config/llvm-config.h>

// Code for atomicrmw uinc_wrap and udec_wrap is there on every processor since LLVM 20.
#define LLVM_COMPAT_WRAPPING_ATOMICS (LLVM_VERSION_MAJOR >= 20)

// llvm.masked.* have their alignment as an attribute of the pointer since LLVM 22, before as an argument.
#define LLVM_COMPAT_MASKED_ALIGN_ATTRIBUTE (LLVM_VERSION_MAJOR >= 22)
#endif
