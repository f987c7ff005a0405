// SPDX-License-Identifier: Apache-2.0
// What HEDDLE_LOG asks for goes to stderr, one line a call, safe from any thread.
#ifndef HEDDLE_BASE_LOG_H
#define HEDDLE_BASE_LOG_H
#include <stdbool.h>

enum log_level { LOG_OFF, LOG_ERROR, LOG_WARN, LOG_INFO, LOG_DEBUG };

bool log_on(enum log_level level);
void log_write(enum log_level level, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
#endif
