// SPDX-License-Identifier: Apache-2.0
// Functions of libcudart that compilers call, and the second names of others: no header of CUDA has them.
#ifndef HEDDLE_TESTS_REGISTRATION_H
#define HEDDLE_TESTS_REGISTRATION_H
#include <cuda_runtime_api.h>
#include <heddle/emulation/emulation_api.h>

#define RT_HOOK(result, name, params)     result name params;
#define RT_PTSZ(name, params, args)       cudaError_t name##_ptsz params;
#define RT_PTDS(name, params, args, call) cudaError_t name##_ptds params;
#include "runtime/api.def"
#endif
