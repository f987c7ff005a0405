// SPDX-License-Identifier: Apache-2.0
// What nvidia-smi can say of a device, a text each.
#ifndef HEDDLE_NVML_SMI_FIELD_H
#define HEDDLE_NVML_SMI_FIELD_H
#include <nvml.h>
#include <stddef.h>

enum { FIELD_SIZE = 128 };
// Writes the value of FIELD_SIZE bytes at most; what the device does not tell is "[N/A]".
typedef nvmlReturn_t field_fn(nvmlDevice_t device, char *out);

struct field {
    const char *name, *other, *unit;
    field_fn *show;
};
// By a name of it, so many characters long; NULL: there is none.
const struct field *field_find(const char *name, size_t n);
const struct field *field_at(size_t number); // NULL: past the last
void field_write(const struct field *f, nvmlDevice_t device, char *out);
#endif
