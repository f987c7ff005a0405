// SPDX-License-Identifier: Apache-2.0
// See inject.h. A tool that cannot be loaded is told of and does no harm: the program runs without it.
#include "driver/context/inject.h"
#include "base/log.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static _Thread_local bool put_off, inside; // inside: the tool itself calls cuInit

static void load(void)
{
    const char *path = secure_getenv("CUDA_INJECTION64_PATH");
    if (!path || !*path)
        return;
    inside = true;
    void *tool = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
    int (*start)(void) = tool ? (int (*)(void))dlsym(tool, "InitializeInjection") : NULL;
    if (!tool)
        log_write(LOG_ERROR, "CUDA_INJECTION64_PATH: %s", dlerror());
    else if (!start)
        log_write(LOG_ERROR, "CUDA_INJECTION64_PATH: %s has no InitializeInjection", path);
    else if (!start())
        log_write(LOG_WARN, "CUDA_INJECTION64_PATH: InitializeInjection of %s failed", path);
    inside = false;
}

void inject_now(void)
{
    if (!inside)
        pthread_once(&once, load);
}

void inject_at_init(void)
{
    if (!put_off)
        inject_now();
}

void inject_put_off(bool on)
{
    put_off = on;
}
