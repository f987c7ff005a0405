// SPDX-License-Identifier: Apache-2.0
// The logger: calls are told at level 5, bit 16 of the mask, to a file and to a function of the program's.
#include "cusparse/sparse.h"
#include <pthread.h>

enum { LEVEL_CALLS = 5, MASK_CALLS = 16 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static cusparseLoggerCallback_t callback;
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
    cusparseLoggerCallback_t f = callback;
    if (file) {
        fputs(line, file);
        fflush(file);
    }
    pthread_mutex_unlock(&lock);
    if (f)
        f(LEVEL_CALLS, name, line);
}

static cusparseStatus_t leave(void)
{
    library_log_set(wanted && !disabled && (callback || file) ? tell : NULL);
    pthread_mutex_unlock(&lock);
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t sparse_LoggerSetCallback(cusparseLoggerCallback_t f)
{
    pthread_mutex_lock(&lock);
    callback = f;
    return leave();
}

static cusparseStatus_t set_file(FILE *f, bool ours)
{
    pthread_mutex_lock(&lock);
    if (file && file_is_ours)
        fclose(file);
    file = f;
    file_is_ours = ours;
    return leave();
}

cusparseStatus_t sparse_LoggerSetFile(FILE *f)
{
    return set_file(f, false);
}

cusparseStatus_t sparse_LoggerOpenFile(const char *name)
{
    FILE *f = name ? fopen(name, "w") : NULL;
    SPARSE_CHECK(f);
    return set_file(f, true);
}

cusparseStatus_t sparse_LoggerSetLevel(int level)
{
    SPARSE_CHECK(level >= 0 && level <= LEVEL_CALLS);
    pthread_mutex_lock(&lock);
    wanted = level == LEVEL_CALLS;
    return leave();
}

cusparseStatus_t sparse_LoggerSetMask(int mask)
{
    SPARSE_CHECK(mask >= 0 && mask < 2 * MASK_CALLS);
    pthread_mutex_lock(&lock);
    wanted = mask & MASK_CALLS;
    return leave();
}

cusparseStatus_t sparse_LoggerForceDisable(void)
{
    pthread_mutex_lock(&lock);
    disabled = true;
    return leave();
}
