// SPDX-License-Identifier: Apache-2.0
// The options of one compilation, read by the table option.def.
#ifndef HEDDLE_NVVM_OPTION_H
#define HEDDLE_NVVM_OPTION_H
#include "base/str.h"
#include "front/front.h"
#include <stdbool.h>

enum nvvm_option {
#define OPT(id, name, kind) NVVM_##id,
#include "nvvm/option.def"
#undef OPT
    NVVM_OPTION_COUNT
};

struct nvvm_options {
    bool given[NVVM_OPTION_COUNT];
    long values[NVVM_OPTION_COUNT];
    struct target target;
};

// False with a message in the log.
bool nvvm_options_read(struct nvvm_options *o, int count, const char *const *texts, struct str *log);
bool nvvm_option_on(const struct nvvm_options *o, enum nvvm_option id, bool absent);
#endif
