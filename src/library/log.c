// SPDX-License-Identifier: Apache-2.0
// The logger that programs can turn on: a line for each call, to a file, to stdout, to stderr, to a function of theirs.
#include "library/library.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_bool on;
static FILE *out[3]; // a file, stdout, stderr
static bool owned;   // the file is ours to close
static _Atomic(library_log_fn *) callback;

static bool file_set(const char *path)
{
    if (owned)
        fclose(out[0]);
    out[0] = path ? fopen(path, "w") : NULL;
    owned = out[0];
    return !path || owned;
}

// CUBLAS_LOGINFO_DBG=1 and CUBLAS_LOGDEST_DBG=stdout|stderr|file, as cuBLAS has them.
static void read_env(void)
{
    const char *level = library_self.log_env ? secure_getenv(library_self.log_env) : NULL;
    const char *to = library_self.log_to ? secure_getenv(library_self.log_to) : NULL;
    if (!level || strcmp(level, "1") != 0)
        return;
    atomic_store(&on, true);
    if (!to || !strcmp(to, "stdout"))
        out[1] = stdout;
    else if (!strcmp(to, "stderr"))
        out[2] = stderr;
    else
        file_set(to);
}

bool library_log_on(void)
{
    pthread_once(&once, read_env);
    return __builtin_expect(atomic_load_explicit(&on, memory_order_relaxed), 0) ||
           __builtin_expect(atomic_load_explicit(&callback, memory_order_relaxed) != NULL, 0);
}

void library_log(const char *function)
{
    char line[256];
    snprintf(line, sizeof line, "[%s] %s()\n", library_self.name, function);
    pthread_mutex_lock(&lock);
    for (int i = 0; i < 3; i++)
        if (atomic_load(&on) && out[i]) {
            fputs(line, out[i]);
            fflush(out[i]);
        }
    pthread_mutex_unlock(&lock);
    library_log_fn *f = atomic_load(&callback);
    if (f)
        f(line);
}

void library_log_set(library_log_fn *f)
{
    atomic_store(&callback, f);
}

library_log_fn *library_log_get(void)
{
    return atomic_load(&callback);
}

bool library_log_configure(bool turn_on, bool to_stdout, bool to_stderr, const char *file)
{
    pthread_once(&once, read_env);
    pthread_mutex_lock(&lock);
    bool ok = file_set(file);
    out[1] = to_stdout ? stdout : NULL;
    out[2] = to_stderr ? stderr : NULL;
    atomic_store(&on, turn_on);
    pthread_mutex_unlock(&lock);
    return ok;
}
