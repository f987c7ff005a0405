// SPDX-License-Identifier: Apache-2.0
// Heddle's environment variables, from the one table env.def.
#ifndef HEDDLE_BASE_ENV_H
#define HEDDLE_BASE_ENV_H
#include <stdbool.h>
#include <stdint.h>

struct env_row {
    const char *name, *value, *domain, *about;
};
extern const struct env_row env_table[]; // ends with a row whose name is NULL

// The variable's value, or its default from the table where it is not set or not in its domain. The name must be in the table.
const char *env_get(const char *name);
// The same as a number; 0 where it is empty. Of a variable of the domain "bytes", with its unit counted in.
uint64_t env_number(const char *name);
// Is the text in the domain of the row?
bool env_valid(const struct env_row *row, const char *text);
// One line on stderr for each variable whose value is not in its domain. The library that a process enters first calls it, once.
void env_report(void);
#endif
