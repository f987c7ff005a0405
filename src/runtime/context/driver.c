// SPDX-License-Identifier: Apache-2.0
// See driver.h.
#include "runtime/context/driver.h"
#include "base/env.h"
#include "base/log.h"
#include "base/os.h"
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define LIBRARY "libcuda.so.1"

struct driver drv;

// The folder of Heddle's libraries, for programs that carry libcudart inside: nvcc puts it into every object
// (cuda_runtime.h), and static/sdk_lib.c has it for programs without one.
extern const char __heddle_sdk_lib[];

// Stands where a driver has no such function. It is called with the arguments of the function that is missing, which is
// fine in the calling conventions of the supported machines: the caller cleans up, and nothing is read.
static CUresult call_missing(void)
{
    return CUDA_ERROR_NOT_SUPPORTED;
}

static void *symbol_find(void *library, const char *name, const char *older)
{
    void *p = dlsym(library, name);
    if (!p && older)
        p = dlsym(library, older);
    if (!p)
        log_write(LOG_DEBUG, "the driver has no %s", name);
    return p ? p : (void *)call_missing;
}

#define TEXT_(x) #x
#define TEXT(x)  TEXT_(x)

static void table_fill(void *library)
{
#define CALL(name)     drv.name = (__typeof__(&name))symbol_find(library, TEXT(name), NULL);
#define CALL_ANY(name) drv.name = (__typeof__(&name))symbol_find(library, TEXT(name), #name);
#include "runtime/context/driver_calls.def"
#undef CALL
#undef CALL_ANY
    drv.library_bind = (CUresult (*)(CUlibrary, const char *, void *, size_t))dlsym(library, "heddleLibraryBind");
    drv.texture_read =
        (CUresult (*)(unsigned long long, unsigned, const unsigned *, unsigned *))dlsym(library, "heddleTextureRead");
}

// Our driver has its compiler beside it; no vendor's has.
static bool library_is_ours(void *library)
{
    char dir[PATH_MAX - 32], path[PATH_MAX];
    void *entry = dlsym(library, "cuInit");
    if (!entry || !os_self_dir(entry, dir, sizeof dir))
        return false;
    snprintf(path, sizeof path, "%s/libheddle-jit.so", dir);
    return !access(path, F_OK);
}

static bool library_has_device(void *library)
{
    CUresult (*init)(unsigned) = (CUresult (*)(unsigned))dlsym(library, "cuInit");
    CUresult (*count)(int *) = (CUresult (*)(int *))dlsym(library, "cuDeviceGetCount");
    int n = 0;
    return init && count && !init(0) && !count(&n) && n > 0;
}

// A driver that is not ours and has a device, or NULL. The loader may find ours first (LD_LIBRARY_PATH, a run path of
// the program), so the places where vendors install theirs are tried by name as well.
static void *vendor_open(bool *lacks_memory)
{
    static const char *const paths[] = {
        LIBRARY,
        "/usr/lib/x86_64-linux-gnu/" LIBRARY,
        "/usr/lib/aarch64-linux-gnu/" LIBRARY,
        "/usr/lib64/" LIBRARY,
        "/usr/lib/wsl/lib/" LIBRARY,
    };
    for (size_t i = 0; i < sizeof paths / sizeof *paths && !*lacks_memory; i++) {
        if (i && access(paths[i], R_OK))
            continue;
        void *h = os_library_open(paths[i], NULL, 0, lacks_memory);
        // What does not serve stays loaded: ours is opened again soon, and a vendor's is not made to be unloaded.
        if (h && !library_is_ours(h) && library_has_device(h))
            return h;
    }
    return NULL;
}

static void *dir_open(const char *dir, const char *below, bool *lacks_memory)
{
    char path[PATH_MAX];
    if (*lacks_memory || snprintf(path, sizeof path, "%s%s/" LIBRARY, dir, below) >= (int)sizeof path ||
        access(path, R_OK))
        return NULL;
    return os_library_open(path, NULL, 0, lacks_memory);
}

// The driver that the program itself is linked with or has opened, if it is ours: a second copy of it, from another place, would
// have contexts of its own. Where the loader gave the program a vendor's, that one cannot be taken back: it is said.
static void *linked_open(void)
{
    void *h = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
    Dl_info info;
    if (!h || library_is_ours(h))
        return h;
    if (dladdr(dlsym(h, "cuInit"), &info))
        log_write(LOG_ERROR,
                  "HEDDLE_DEVICE=cpu, but the program's own calls of the driver go to %s; put Heddle's lib64 first in "
                  "LD_LIBRARY_PATH",
                  info.dli_fname);
    dlclose(h);
    return NULL;
}

// Our own driver: the program's; beside this library; where the compiler that made the program says; beside the program; or wherever
// the loader finds one. Not another one where there is no memory for the first.
static void *own_open(bool *lacks_memory)
{
    char dir[PATH_MAX];
    void *h = strcmp(env_get("HEDDLE_DEVICE"), "cpu") ? NULL : linked_open();
    if (!h && os_self_dir(&drv, dir, sizeof dir))
        h = dir_open(dir, "", lacks_memory);
    if (!h && *__heddle_sdk_lib)
        h = dir_open(__heddle_sdk_lib, "", lacks_memory);
    ssize_t n = h ? -1 : readlink("/proc/self/exe", dir, sizeof dir - 1);
    if (n > 0) {
        dir[n] = 0;
        *strrchr(dir, '/') = 0;
        h = dir_open(dir, "", lacks_memory);
        if (!h)
            h = dir_open(dir, "/../lib64", lacks_memory);
    }
    return h || *lacks_memory ? h : os_library_open(LIBRARY, NULL, 0, lacks_memory);
}

bool driver_load(bool *lacks_memory)
{
    const char *want = env_get("HEDDLE_DEVICE");
    void *h = NULL;
    *lacks_memory = false;
    if (strcmp(want, "cpu"))
        h = vendor_open(lacks_memory);
    if (!h && !*lacks_memory && strcmp(want, "gpu"))
        h = own_open(lacks_memory);
    if (!h && *lacks_memory)
        return false;
    if (!h) {
        log_write(LOG_ERROR, "no %s found%s", LIBRARY, strcmp(want, "gpu") ? "" : " that has a GPU");
        return false;
    }
    Dl_info info;
    if (!library_is_ours(h)) // ours reports for itself
        env_report();
    table_fill(h);
    if (log_on(LOG_INFO) && dladdr((void *)drv.cuInit, &info))
        log_write(LOG_INFO, "driver: %s", info.dli_fname);
    return true;
}
