// SPDX-License-Identifier: Apache-2.0
// The logger that programs can turn on: a line for each call, to a file, to stdout, to stderr, to a function of theirs.
#include "library/library.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static atomic_bool known; // the environment was read
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
static void read_env(const struct library *self)
{
    const char *level = self->log_env ? secure_getenv(self->log_env) : NULL;
    const char *to = self->log_to ? secure_getenv(self->log_to) : NULL;
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

static void begin(const struct library *self)
{
    if (atomic_load_explicit(&known, memory_order_acquire))
        return;
    pthread_mutex_lock(&lock);
    if (!atomic_load(&known))
        read_env(self);
    atomic_store_explicit(&known, true, memory_order_release);
    pthread_mutex_unlock(&lock);
}

bool library_log_on(const struct library *self)
{
    begin(self);
    return __builtin_expect(atomic_load_explicit(&on, memory_order_relaxed), 0) ||
           __builtin_expect(atomic_load_explicit(&callback, memory_order_relaxed) != NULL, 0);
}

void library_log(const struct library *self, const char *function)
{
    char line[256];
    snprintf(line, sizeof line, "[%s] %s()\n", self->name, function);
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

bool library_log_configure(const struct library *self, bool turn_on, bool to_stdout, bool to_stderr, const char *file)
{
    begin(self);
    pthread_mutex_lock(&lock);
    bool ok = file_set(file);
    out[1] = to_stdout ? stdout : NULL;
    out[2] = to_stderr ? stderr : NULL;
    atomic_store(&on, turn_on);
    pthread_mutex_unlock(&lock);
    return ok;
}
