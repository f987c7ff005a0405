// SPDX-License-Identifier: Apache-2.0
// See log.h.
#include "base/log.h"
#include "base/env.h"
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static enum log_level level_now;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static const char *const names[] = {"off", "error", "warn", "info", "debug"};

static void init(void)
{
    const char *v = env_get("HEDDLE_LOG");
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(v, names[i]))
            level_now = (enum log_level)i;
}

bool log_on(enum log_level level)
{
    pthread_once(&once, init);
    return level <= level_now;
}

void log_write(enum log_level level, const char *fmt, ...)
{
    if (!log_on(level))
        return;
    char line[1024];
    int n = snprintf(line, sizeof line, "heddle: %s: ", names[level]);
    va_list ap;
    va_start(ap, fmt);
    int k = vsnprintf(line + n, sizeof line - (size_t)n - 1, fmt, ap);
    va_end(ap);
    n += k < (int)sizeof line - n - 2 ? k : (int)sizeof line - n - 2;
    line[n++] = '\n';
    if (write(2, line, (size_t)n) < 0)
        return;
}
