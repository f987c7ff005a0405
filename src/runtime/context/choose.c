// SPDX-License-Identifier: Apache-2.0
// See choose.h.
#include "runtime/context/choose.h"
#include "base/env.h"
#include "base/log.h"
#include "base/os.h"
#include <cuda.h>
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define LIBRARY "libcuda.so.1"

// The folder of Heddle's libraries, for programs that carry libcudart inside: nvcc puts it into every object
// (cuda_runtime.h), and static/sdk_lib.c has it for programs without one.
extern const char __heddle_sdk_lib[];

// Our driver has its compiler beside it; no vendor's has.
bool driver_is_ours(void *library)
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
        if (h && !driver_is_ours(h) && library_has_device(h))
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

// The driver that the program itself is linked with or has opened, if it is of the kind that was chosen: a second copy of it, from
// another place, would have contexts of its own. Where the loader gave the program one of the other kind, that cannot be taken
// back: it is said. What nvcc links for -lcuda has no driver of its own.
static void *linked_open(bool ours)
{
    void *h = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
    Dl_info info;
    if (!h || driver_is_ours(h) == ours)
        return h;
    if (dladdr(dlsym(h, "cuInit"), &info))
        log_write(LOG_ERROR, "the program's own calls of the driver go to %s, which is not %s; %s", info.dli_fname,
                  ours ? "Heddle's" : "the GPU's",
                  ours ? "link it with Heddle's nvcc, or put Heddle's lib64 first in LD_LIBRARY_PATH"
                       : "link it with Heddle's nvcc, or set HEDDLE_DEVICE=cpu");
    dlclose(h);
    return NULL;
}

// Our own driver: the program's; beside this library; where the compiler that made the program says; beside the program; or wherever
// the loader finds one. Not another one where there is no memory for the first.
static void *own_open(bool *lacks_memory)
{
    char dir[PATH_MAX];
    void *h = strcmp(env_get("HEDDLE_DEVICE"), "cpu") ? NULL : linked_open(true);
    if (!h && os_self_dir((void *)driver_choose, dir, sizeof dir))
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

void *driver_choose(bool *lacks_memory)
{
    const char *want = env_get("HEDDLE_DEVICE");
    void *h = NULL;
    *lacks_memory = false;
    if (strcmp(want, "cpu"))
        h = vendor_open(lacks_memory);
    if (h)
        linked_open(false);
    if (!h && !*lacks_memory && strcmp(want, "gpu"))
        h = own_open(lacks_memory);
    if (!h && !*lacks_memory && !strcmp(want, "gpu"))
        log_write(LOG_ERROR, "no %s found that has a GPU", LIBRARY);
    else if (!h && !*lacks_memory)
        log_write(LOG_ERROR,
                  "no %s found: not %s%s%sbeside the program, nor by the loader; if the SDK was moved, "
                  "LD_LIBRARY_PATH=SDK/lib64 finds it",
                  LIBRARY, *__heddle_sdk_lib ? "in " : "", __heddle_sdk_lib,
                  *__heddle_sdk_lib ? ", where the program's SDK was, nor " : "");
    return h;
}
