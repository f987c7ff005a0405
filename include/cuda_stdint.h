// SPDX-License-Identifier: Apache-2.0
// Integers of fixed width.
#ifndef HEDDLE_CUDA_STDINT_H
#define HEDDLE_CUDA_STDINT_H
#include <stdint.h>
#endif
