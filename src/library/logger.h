// SPDX-License-Identifier: Apache-2.0
// The logger of libraries whose interface has levels (cuSPARSE, cuSOLVER). False: a value that there is not.
#ifndef HEDDLE_LIBRARY_LOGGER_H
#define HEDDLE_LIBRARY_LOGGER_H
#include <stdbool.h>
#include <stdio.h>

typedef void library_logger_fn(int level, const char *function, const char *message);
bool library_logger_callback(library_logger_fn *f);
bool library_logger_file(FILE *f);
bool library_logger_open(const char *name);
bool library_logger_level(int level);
bool library_logger_mask(int mask);
bool library_logger_disable(void);
#endif
