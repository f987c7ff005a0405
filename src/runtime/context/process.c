// SPDX-License-Identifier: Apache-2.0
// The state of the process and of each host thread: the driver, the contexts, the current device. Nothing happens
// before the first call; a context that the program made itself with the driver interface is used as it is.
#include "runtime/emulate/emulate.h"
#include "runtime/runtime.h"
#include "runtime/told_watch.h"
#include "base/log.h"
#include "base/os.h"
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>

#define MAX_DEVICES 256

struct rt_process rt_process;
_Thread_local struct rt_thread rt_thread;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool attempted;          // under lock: the driver was looked for, and memory was no reason not to find it
static cudaError_t init_result; // under lock: what came of it
static bool lost;               // a child: another thread of its parent was in the middle of something here
static struct {
    CUcontext context; // the primary one, retained; NULL: not yet
    bool retained;
} devices[MAX_DEVICES]; // under lock

bool rt_devices_lock(unsigned ms)
{
    return os_lock_within(&lock, ms);
}

void rt_devices_unlock(void)
{
    pthread_mutex_unlock(&lock);
}

void rt_devices_lock_renew(void)
{
    lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    lost = true;
}

// The handler of the process's end is a function of the C library, and what it counts up lies in memory that is never given
// back: this library's own code may be part of a plugin, which is closed before.
static _Atomic(sem_t *) ended;

// The library is one that never ends before the process does. NULL would be such, but ThreadSanitizer calls the handlers of that one
// without their data.
extern int __cxa_atexit(void (*handler)(void *), void *data, void *library);

bool rt_exit_watch(void)
{
    sem_t *word = atomic_load(&ended), *fresh = NULL;
    if (!word) {
        fresh = calloc(1, sizeof *fresh);
        if (!fresh)
            return false;
        sem_init(fresh, 0, 0);
        if (atomic_compare_exchange_strong(&ended, &word, fresh))
            word = fresh;
        else
            free(fresh);
    }
    return !__cxa_atexit((void (*)(void *))(void *)sem_post, word, (void *)sem_post);
}

bool rt_exiting(void)
{
    sem_t *word = atomic_load(&ended);
    int n = 0;
    return word && !sem_getvalue(word, &n) && n > 0;
}

static cudaError_t process_init(void)
{
    bool lacks_memory;
    if (!driver_load(&lacks_memory))
        return lacks_memory ? cudaErrorMemoryAllocation : cudaErrorInsufficientDriver;
    if (drv.timeline) // a tool that is loaded now may call us
        drv.timeline->put_off(true);
    CUresult r = drv.cuInit(0);
    if (drv.timeline)
        drv.timeline->put_off(false);
    if (!r)
        r = drv.cuDeviceGetCount(&rt_process.devices);
    if (r) {
        log_write(LOG_ERROR, "the driver could not be initialised (%d)", (int)r);
        return (cudaError_t)r;
    }
    if (rt_process.devices <= 0)
        return cudaErrorNoDevice;
    if (rt_process.devices > MAX_DEVICES)
        rt_process.devices = MAX_DEVICES;
    return cudaSuccess;
}

cudaError_t rt_init(void)
{
    if (atomic_load_explicit(&rt_process.ready, memory_order_acquire))
        return cudaSuccess;
    if (emulate_is_mixed())
        return rt_fail(cudaErrorMixedDeviceExecution);
    if (lost)
        return rt_fail(cudaErrorInitializationError);
    pthread_mutex_lock(&lock);
    if (!attempted) {
        attempted = true;
        init_result = process_init();
        attempted = init_result != cudaErrorMemoryAllocation;
        if (!init_result)
            atomic_store_explicit(&rt_process.ready, true, memory_order_release);
    }
    cudaError_t e = init_result;
    pthread_mutex_unlock(&lock);
    if (!e && drv.timeline)
        drv.timeline->inject();
    return rt_fail(e);
}

void rt_watch_begin(void)
{
    rt_init();
}

static bool loading_is_eager(void)
{
    const char *mode = secure_getenv("CUDA_MODULE_LOADING");
    return mode && !strcmp(mode, "EAGER");
}

// Makes the primary context of a device current in this thread.
static cudaError_t device_bind(int device)
{
    static atomic_bool eager_done;
    pthread_mutex_lock(&lock);
    CUresult r = CUDA_SUCCESS;
    if (!devices[device].retained) {
        CUdevice d;
        r = drv.cuDeviceGet(&d, device);
        if (!r)
            r = drv.cuDevicePrimaryCtxRetain(&devices[device].context, d);
        devices[device].retained = !r;
    }
    CUcontext c = devices[device].context;
    unsigned generation = atomic_load_explicit(&rt_process.generation, memory_order_relaxed);
    pthread_mutex_unlock(&lock);
    if (!r)
        r = drv.cuCtxSetCurrent(c);
    if (r)
        return rt_fail_driver(r);
    rt_thread.device = device;
    rt_thread.generation = generation;
    if (loading_is_eager() && !atomic_exchange(&eager_done, true)) {
        void (*load)(void) = atomic_load(&rt_process.modules_load);
        if (load)
            load();
    }
    return cudaSuccess;
}

static bool context_is_primary(CUcontext c)
{
    bool found = false;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < rt_process.devices; i++)
        found |= devices[i].context == c;
    pthread_mutex_unlock(&lock);
    return found;
}

cudaError_t rt_enter_slow(void)
{
    cudaError_t e = rt_init();
    if (e)
        return e;
    CUcontext c = NULL;
    if (!drv.cuCtxGetCurrent(&c) && c) {
        unsigned now = atomic_load_explicit(&rt_process.generation, memory_order_relaxed);
        if (rt_thread.generation == now || !context_is_primary(c)) {
            rt_thread.generation = now;
            return cudaSuccess;
        }
    }
    return device_bind(rt_thread.device);
}

int rt_device(void)
{
    CUdevice d;
    return drv.cuCtxGetDevice(&d) ? rt_thread.device : d;
}

cudaError_t rt_device_check(int device)
{
    cudaError_t e = rt_init();
    return e ? e : rt_fail(device < 0 || device >= rt_process.devices ? cudaErrorInvalidDevice : cudaSuccess);
}

cudaError_t cudaGetDeviceCount(int *count)
{
    if (!count)
        return rt_fail(cudaErrorInvalidValue);
    cudaError_t e = rt_init();
    *count = e ? 0 : rt_process.devices;
    return e;
}

cudaError_t cudaSetDevice(int device)
{
    cudaError_t e = rt_device_check(device);
    return e ? e : device_bind(device);
}

// Mapping of host memory is always on; the driver has no flag for it in primary contexts.
static cudaError_t device_set_flags(int device, unsigned flags)
{
    const unsigned known = cudaDeviceScheduleMask | cudaDeviceLmemResizeToMax | cudaDeviceSyncMemops;
    if (flags & ~(unsigned)cudaDeviceMask)
        return rt_fail(cudaErrorInvalidValue);
    return rt_result(drv.cuDevicePrimaryCtxSetFlags(device, flags & known));
}

cudaError_t cudaInitDevice(int device, unsigned int deviceFlags, unsigned int flags)
{
    cudaError_t e = rt_device_check(device);
    if (e)
        return e;
    if (flags & cudaInitDeviceFlagsAreValid) {
        e = device_set_flags(device, deviceFlags);
        if (e)
            return e;
    }
    CUcontext before = NULL;
    struct rt_thread thread = rt_thread;
    drv.cuCtxGetCurrent(&before);
    e = device_bind(device);
    rt_thread = thread;
    return e ? e : rt_result(drv.cuCtxSetCurrent(before));
}

cudaError_t cudaGetDevice(int *device)
{
    if (!device)
        return rt_fail(cudaErrorInvalidValue);
    cudaError_t e = rt_init();
    if (e)
        return e;
    CUcontext c = NULL;
    *device = !drv.cuCtxGetCurrent(&c) && c ? rt_device() : rt_thread.device;
    return cudaSuccess;
}

cudaError_t cudaSetValidDevices(int *device_arr, int len)
{
    if (len < 0 || (len && !device_arr))
        return rt_fail(cudaErrorInvalidValue);
    cudaError_t e = rt_init();
    for (int i = 0; i < len && !e; i++)
        if (device_arr[i] < 0 || device_arr[i] >= rt_process.devices)
            e = rt_fail(cudaErrorInvalidValue);
    if (e)
        return e;
    // Only the first of the list matters where a device is never refused: it is the one used from now on by default.
    rt_thread.device = len ? device_arr[0] : 0;
    return rt_result(drv.cuCtxSetCurrent(NULL));
}

cudaError_t cudaSetDeviceFlags(unsigned int flags)
{
    cudaError_t e = rt_init();
    if (!e)
        e = device_set_flags(rt_thread.device, flags);
    return e ? e : device_bind(rt_thread.device);
}

cudaError_t cudaGetDeviceFlags(unsigned int *flags)
{
    if (!flags)
        return rt_fail(cudaErrorInvalidValue);
    cudaError_t e = rt_init();
    if (e)
        return e;
    CUcontext c = NULL;
    int active;
    CUresult r = !drv.cuCtxGetCurrent(&c) && c ? drv.cuCtxGetFlags(flags)
                                               : drv.cuDevicePrimaryCtxGetState(rt_thread.device, flags, &active);
    if (!r)
        *flags |= cudaDeviceMapHost;
    return rt_result(r);
}

cudaError_t cudaDeviceSynchronize(void)
{
    cudaError_t e = rt_enter();
    return e ? e : rt_result(drv.cuCtxSynchronize());
}

cudaError_t cudaDeviceReset(void)
{
    cudaError_t e = rt_init();
    if (e)
        return e;
    int device = rt_thread.device;
    pthread_mutex_lock(&lock);
    CUresult r = drv.cuDevicePrimaryCtxReset(device);
    if (devices[device].retained) // the context stays current; every thread binds it anew on its next call
        drv.cuDevicePrimaryCtxRelease(device);
    devices[device].retained = false;
    atomic_fetch_add(&rt_process.generation, 1);
    pthread_mutex_unlock(&lock);
    rt_errors_reset();
    return rt_result(r);
}
