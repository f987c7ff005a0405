// SPDX-License-Identifier: Apache-2.0
// The numbers of tuning.def, by name.
#ifndef HEDDLE_JIT_TUNING_H
#define HEDDLE_JIT_TUNING_H

enum tuning {
#define TUNE(name, value, unit, reason, measured) TUNE_##name = value,
#include "jit/ir/tuning.def"
};
#endif
