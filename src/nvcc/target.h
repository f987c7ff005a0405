// SPDX-License-Identifier: Apache-2.0
// The targets that a command asks for with -arch, -code and -gencode.
#ifndef HEDDLE_NVCC_TARGET_H
#define HEDDLE_NVCC_TARGET_H
#include "front/front.h"
#include "nvcc/option.h"

struct targets VEC(struct target);

// The targets to compile for, each once, rising. PTX is all that we embed, so sm_NN and compute_NN mean the same.
bool targets_read(struct targets *t, const struct options *o);
// compute_NN, sm_NN, or both as -gencode takes them.
void targets_print_list(bool virtual, bool real);
#endif
