// SPDX-License-Identifier: Apache-2.0
// Where calls are served. libcudart has chosen a driver, and a driver that knows native kernels is ours: the work is done here.
// Any other is a GPU's, and NVIDIA's library of the same name takes the calls. It has our own soname, so that the loader would
// give us ourselves for it: it is opened by its path, and its own names come before ours in it.
#include "library/library.h"
#include "base/log.h"
#include "library/native_entry.h"
#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum place { UNKNOWN, HERE, ELSEWHERE };
static atomic_int place;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool sought;
static void *vendor; // NVIDIA's library; NULL: not to be found
native_kernel_fn *library_native_kernel;
native_task_fn *library_native_task;
native_file_fn *library_native_file;

// Where nothing answers, the work stays here: it fails with the error that the runtime has for that.
static void find_place(void)
{
    enum cudaDriverEntryPointQueryResult status;
    void *function = NULL;
    cudaError_t e = cudaGetDriverEntryPointByVersion("heddleNativeKernel", &function, CUDART_VERSION, 0, &status);
    library_native_kernel = (native_kernel_fn *)function;
    void *task = NULL;
    if (function && !cudaGetDriverEntryPointByVersion("heddleNativeTask", &task, CUDART_VERSION, 0, &status))
        library_native_task = (native_task_fn *)task;
    void *file = NULL;
    if (function && !cudaGetDriverEntryPointByVersion("heddleNativeFile", &file, CUDART_VERSION, 0, &status))
        library_native_file = (native_file_fn *)file;
    bool vendor_driver = e == cudaErrorNotSupported || (!e && !function); // an old one cannot be asked
    atomic_store_explicit(&place, vendor_driver ? ELSEWHERE : HERE, memory_order_release);
}

bool library_is_elsewhere(void)
{
    int p = atomic_load_explicit(&place, memory_order_acquire);
    if (__builtin_expect(p == UNKNOWN, 0)) {
        pthread_once(&once, find_place);
        p = atomic_load_explicit(&place, memory_order_acquire);
    }
    return p == ELSEWHERE;
}

static bool is_self(const char *path)
{
    Dl_info info;
    struct stat a, b;
    return dladdr((const void *)&vendor, &info) && !stat(info.dli_fname, &a) && !stat(path, &b) &&
           a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

// The vendor's library finds its own names before ours. A sanitizer's library ends a process that asks for that.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { OWN_NAMES_FIRST = 0 };
#else
enum { OWN_NAMES_FIRST = RTLD_DEEPBIND };
#endif

static void *open_in(const struct library *self, const char *dir, size_t len, const char *below)
{
    char path[PATH_MAX];
    struct stat s;
    if (!len || snprintf(path, sizeof path, "%.*s%s/%s", (int)len, dir, below, self->soname) >= (int)sizeof path ||
        stat(path, &s) || is_self(path))
        return NULL;
    void *h = dlopen(path, RTLD_NOW | RTLD_LOCAL | OWN_NAMES_FIRST);
    if (!h)
        log_write(LOG_WARN, "%s", dlerror());
    else
        log_write(LOG_INFO, "%s: calls go to %s", self->name, path);
    return h;
}

// The folders that the loader and CUDA's own tools look in.
static void open_vendor(const struct library *self)
{
    static const char *const dirs[] = {"/usr/local/cuda/lib64", "/usr/lib/x86_64-linux-gnu",
                                       "/usr/lib/aarch64-linux-gnu", "/usr/lib64"};
    static const char *const homes[] = {"CUDA_PATH", "CUDA_HOME"};
    const char *list = secure_getenv("LD_LIBRARY_PATH");
    for (const char *end; list && *list && !vendor; list = *end ? end + 1 : end) {
        end = strchrnul(list, ':');
        vendor = open_in(self, list, (size_t)(end - list), "");
    }
    for (size_t i = 0; i < sizeof homes / sizeof *homes && !vendor; i++) {
        const char *home = secure_getenv(homes[i]);
        vendor = home ? open_in(self, home, strlen(home), "/lib64") : NULL;
    }
    for (size_t i = 0; i < sizeof dirs / sizeof *dirs && !vendor; i++)
        vendor = open_in(self, dirs[i], strlen(dirs[i]), "");
    if (!vendor)
        log_write(LOG_ERROR,
                  "%s on a GPU needs NVIDIA's %s, which is not to be found: put its folder into LD_LIBRARY_PATH, or "
                  "set HEDDLE_DEVICE=cpu",
                  self->name, self->soname);
}

void *library_there(const struct library *self, _Atomic(void *) *there, const char *name)
{
    void *f = atomic_load_explicit(there, memory_order_acquire);
    if (f)
        return f;
    pthread_mutex_lock(&lock);
    if (!sought)
        open_vendor(self);
    sought = true;
    pthread_mutex_unlock(&lock);
    f = vendor ? dlsym(vendor, name) : NULL;
    if (vendor && !f)
        log_write(LOG_ERROR, "%s has no function %s", self->soname, name);
    atomic_store_explicit(there, f, memory_order_release);
    return f;
}
