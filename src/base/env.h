// Heddle's environment variables, from the one table env.def.
#ifndef HEDDLE_BASE_ENV_H
#define HEDDLE_BASE_ENV_H

struct env_row {
    const char *name, *value, *about;
};
extern const struct env_row env_table[]; // ends with a row whose name is NULL

// The variable's value, or its default from the table. The name must be in the table.
const char *env_get(const char *name);
#endif
