// SPDX-License-Identifier: Apache-2.0
// The logger of libraries whose interface has levels: calls are told at level 5, bit 16 of the mask, to a file and to a function of the
// program's.
#include "library/logger.h"
#include "library/library.h"
#include <string.h>

enum { LEVEL_CALLS = 5, MASK_CALLS = 16 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static library_logger_fn *callback;
static FILE *file;
static bool file_is_ours, wanted, disabled;

// A line is "[cuSPARSE] name()".
static void tell(const char *line)
{
    char name[128] = "";
    const char *start = strchr(line, ' '), *end = strchr(line, '(');
    if (start && end && end > start)
        snprintf(name, sizeof name, "%.*s", (int)(end - start - 1), start + 1);
    pthread_mutex_lock(&lock);
    library_logger_fn *f = callback;
    if (file) {
        fputs(line, file);
        fflush(file);
    }
    pthread_mutex_unlock(&lock);
    if (f)
        f(LEVEL_CALLS, name, line);
}

static bool leave(void)
{
    library_log_set(wanted && !disabled && (callback || file) ? tell : NULL);
    pthread_mutex_unlock(&lock);
    return true;
}

bool library_logger_callback(library_logger_fn *f)
{
    pthread_mutex_lock(&lock);
    callback = f;
    return leave();
}

static bool set_file(FILE *f, bool ours)
{
    pthread_mutex_lock(&lock);
    if (file && file_is_ours)
        fclose(file);
    file = f;
    file_is_ours = ours;
    return leave();
}

bool library_logger_file(FILE *f)
{
    return set_file(f, false);
}

bool library_logger_open(const char *name)
{
    FILE *f = name ? fopen(name, "w") : NULL;
    return f && set_file(f, true);
}

bool library_logger_level(int level)
{
    if (level < 0 || level > LEVEL_CALLS)
        return false;
    pthread_mutex_lock(&lock);
    wanted = level == LEVEL_CALLS;
    return leave();
}

bool library_logger_mask(int mask)
{
    if (mask < 0 || mask >= 2 * MASK_CALLS)
        return false;
    pthread_mutex_lock(&lock);
    wanted = mask & MASK_CALLS;
    return leave();
}

bool library_logger_disable(void)
{
    pthread_mutex_lock(&lock);
    disabled = true;
    return leave();
}
