// SPDX-License-Identifier: Apache-2.0
// Where events come from: the driver that the process has, if that is ours. One that is loaded already is asked without libcudart, since a tool
// may begin inside of its first call.
#include "cupti/inner.h"
#include "library/library.h"
#include "base/os.h"
#include <dlfcn.h>
#include <pthread.h>
#include <time.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct source source;
static bool elsewhere;

static void *driver_find(void)
{
    void *driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
    if (driver && dlsym(driver, "heddleTimeline"))
        return driver;
    if (driver)
        dlclose(driver);
    elsewhere = library_is_elsewhere(); // libcudart loads one
    return elsewhere ? NULL : dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
}

static void find(void)
{
    void *driver = driver_find();
    timeline_access_fn *access = driver ? (timeline_access_fn *)dlsym(driver, "heddleTimeline") : NULL;
    const struct timeline_access *t = access ? access() : NULL;
    if (!t || t->version != TIMELINE_VERSION || !os_library_keep((const void *)find))
        return;
    source = (struct source){
        .timeline = t,
        .context_get = (CUresult (*)(CUcontext *))dlsym(driver, "cuCtxGetCurrent"),
        .device_count = (CUresult (*)(int *))dlsym(driver, "cuDeviceGetCount"),
        .device_name = (CUresult (*)(char *, int, CUdevice))dlsym(driver, "cuDeviceGetName"),
        .device_attribute = (CUresult (*)(int *, CUdevice_attribute, CUdevice))dlsym(driver, "cuDeviceGetAttribute"),
        .device_memory = (CUresult (*)(size_t *, CUdevice))dlsym(driver, "cuDeviceTotalMem_v2"),
        .device_uuid = (CUresult (*)(CUuuid *, CUdevice))dlsym(driver, "cuDeviceGetUuid_v2"),
        .function_name = (CUresult (*)(const char **, CUfunction))dlsym(driver, "cuFuncGetName"),
        .kernel_name = (CUresult (*)(const char **, CUkernel))dlsym(driver, "cuKernelGetName")};
}

bool source_is_elsewhere(void)
{
    pthread_once(&once, find);
    return elsewhere;
}

const struct source *source_get(void)
{
    pthread_once(&once, find);
    return source.timeline ? &source : NULL;
}

// ---- the clock
// CUPTI's time is that of CLOCK_REALTIME, or what the tool's own clock says. That one may count in any unit and drift, so that it is looked at
// again when some time has passed; in between it goes on as it did since the first look.
enum { LOOK_NS = 10000000 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static CUpti_TimestampCallbackFunc own_clock;
static struct {
    uint64_t os, own;
} first, last;

static uint64_t real_time(void)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return (uint64_t)t.tv_sec * 1000000000ull + (uint64_t)t.tv_nsec;
}

static uint64_t by_own_clock(uint64_t os_time)
{
    pthread_mutex_lock(&lock);
    uint64_t now = os_time_ns();
    if (now - last.os > LOOK_NS) {
        last.os = now;
        last.own = own_clock();
    }
    double rate = (double)(last.own - first.own) / (double)(last.os - first.os);
    uint64_t t = last.own + (uint64_t)(int64_t)((double)(int64_t)(os_time - last.os) * rate);
    pthread_mutex_unlock(&lock);
    return t;
}

uint64_t source_time(uint64_t os_time)
{
    static atomic_ullong offset;
    if (!os_time)
        return 0;
    if (__builtin_expect(own_clock != NULL, 0))
        return by_own_clock(os_time);
    if (!atomic_load_explicit(&offset, memory_order_relaxed)) {
        unsigned long long none = 0;
        atomic_compare_exchange_strong(&offset, &none, real_time() - os_time_ns());
    }
    return os_time + atomic_load_explicit(&offset, memory_order_relaxed);
}

CUptiResult source_time_by(CUpti_TimestampCallbackFunc clock)
{
    if (!clock)
        return CUPTI_ERROR_INVALID_PARAMETER;
    pthread_mutex_lock(&lock);
    first.os = os_time_ns();
    first.own = clock();
    struct timespec pause = {0, 2000000};
    nanosleep(&pause, NULL);
    last.os = os_time_ns();
    last.own = clock();
    own_clock = clock;
    pthread_mutex_unlock(&lock);
    return CUPTI_SUCCESS;
}
