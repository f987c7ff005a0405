// SPDX-License-Identifier: Apache-2.0
// The machine that code is made for: the one that the JIT runs on, or another that JIT_FOR_AARCH64 or JIT_FOR_X86_64 names, since tests
// in an emulator have their kernels compiled outside of it (tests/cross).
#ifndef HEDDLE_JIT_HOST_MACHINE_H
#define HEDDLE_JIT_HOST_MACHINE_H
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
#endif
