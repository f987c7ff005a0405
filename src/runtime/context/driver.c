// SPDX-License-Identifier: Apache-2.0
// See driver.h.
#include "runtime/context/driver.h"
#include "base/env.h"
#include "base/log.h"
#include "runtime/context/choose.h"
#include "runtime/told_watch.h"
#include <dlfcn.h>

struct driver drv;

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
#include "heddle/driver/calls.def"
#undef CALL
#undef CALL_ANY
    drv.library_bind = (CUresult (*)(CUlibrary, const char *, void *, size_t))dlsym(library, "heddleLibraryBind");
    drv.texture_read =
        (CUresult (*)(unsigned long long, unsigned, const unsigned *, unsigned *))dlsym(library, "heddleTextureRead");
}

bool driver_load(bool *lacks_memory)
{
    void *h = driver_choose(lacks_memory);
    Dl_info info;
    if (!h)
        return false;
    if (!driver_is_ours(h)) // ours reports for itself
        env_report();
    table_fill(h);
    if (log_on(LOG_INFO) && dladdr((void *)drv.cuInit, &info))
        log_write(LOG_INFO, "driver: %s", info.dli_fname);
    timeline_access_fn *access = (timeline_access_fn *)dlsym(h, "heddleTimeline");
    drv.timeline = access ? access() : NULL;
    if (drv.timeline && drv.timeline->version != TIMELINE_VERSION)
        drv.timeline = NULL;
    rt_watch(drv.timeline);
    return true;
}
