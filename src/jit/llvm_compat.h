// Differences between the LLVM versions that Heddle builds with (19 to 22), in one place.
#ifndef HEDDLE_JIT_LLVM_COMPAT_H
#define HEDDLE_JIT_LLVM_COMPAT_H
#include <llvm-c/Core.h>
#include <llvm/Config/llvm-config.h>

// Code for atomicrmw uinc_wrap and udec_wrap is there on every processor since LLVM 20.
#define LLVM_COMPAT_WRAPPING_ATOMICS (LLVM_VERSION_MAJOR >= 20)
#endif
