// SPDX-License-Identifier: Apache-2.0
// The device link: the relocatable fat binaries of several objects become one, in which each target's PTX is linked.
#ifndef HEDDLE_FATBIN_DEVICE_LINK_H
#define HEDDLE_FATBIN_DEVICE_LINK_H
#include "fatbin/fatbin_read.h"
#include "fatbin/object.h"
#include "fatbin/ptx_link.h"

struct device_unit {
    const char *name; // of the file, for messages
    const void *data;
    struct fatbin fatbin;
};
struct device_units VEC(struct device_unit);

// A section may hold several fat binaries, one behind the other, with zeros in between where they are aligned (NVIDIA's
// compiler asks for 8 bytes on x86-64 and 256 on AArch64): appends them all. They point into the section's data.
bool device_units_split(struct device_units *units, const struct object_fatbin *f, struct diag *d);
void device_units_fini(struct device_units *units);
// Appends one fat binary to out. sm: the only target; 0: those that the first unit has. runtime: as below; may be NULL.
bool device_link(struct device_units *units, unsigned sm, const char *runtime, struct str *out, struct diag *d);

// The device runtime for GPUs: launches in kernels call functions that our own driver answers by their names, and that
// others know nothing of. runtime is the folder of PTX texts that define them (src/devrt); those that the inputs call for
// are read and put behind them. inputs has room for DEVICE_RUNTIME_TEXTS more, whose texts are from malloc. Their number.
enum { DEVICE_RUNTIME_TEXTS = 3 };
size_t device_runtime_add(const char *runtime, struct ptx_link_input *inputs, size_t count);
#endif
