// SPDX-License-Identifier: Apache-2.0
// cuInit, and what the environment says of the devices: how many, of which capability, which of them are visible.
#include "device/debug/state.h"
#include "driver/driver.h"
#include "base/env.h"
#include "base/os.h"
#include "driver/context/device.h"
#include "driver/context/inject.h"
#include "driver/explore/explore.h"
#include <stdio.h>
#include <stdlib.h>

static struct {
    int visible[DEVICE_LIMIT]; // ordinal -> number among all
    int count, all;
    unsigned capability;
    int sms;
    bool launch_blocking;
    unsigned width;
} config;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static atomic_bool ready;

static long number_of(const char *text, long least, long most, long otherwise)
{
    char *end;
    long n = strtol(text, &end, 10);
    return end == text || n < least || n > most ? otherwise : n;
}

// One entry of CUDA_VISIBLE_DEVICES: a number, or the beginning of "GPU-uuid". -1: no such device.
static int visible_entry(const char *text, size_t len)
{
    char entry[64], uuid[48];
    if (!len || len >= sizeof entry)
        return -1;
    memcpy(entry, text, len);
    entry[len] = 0;
    if (!strncmp(entry, "GPU-", 4)) {
        for (int i = 0; i < config.all; i++) {
            device_uuid_text(i, uuid);
            if (!strncmp(uuid, entry, len))
                return i;
        }
        return -1;
    }
    return (int)number_of(entry, 0, config.all - 1, -1);
}

// Entries count up to the first that names no device, as CUDA has it.
static void read_visible(const char *list)
{
    while (*list || config.count == 0) {
        while (*list == ' ')
            list++;
        size_t len = strcspn(list, ",");
        size_t trimmed = len;
        while (trimmed && list[trimmed - 1] == ' ')
            trimmed--;
        int d = visible_entry(list, trimmed);
        if (d < 0 || config.count == DEVICE_LIMIT)
            return;
        config.visible[config.count++] = d;
        list += len;
        if (!*list)
            return;
        list++;
    }
}

static void read_config(void)
{
    unsigned major = 9, minor = 0;
    env_report();
    explore_begin();
    check_prepare();
    config.all = (int)env_number("HEDDLE_DEVICES");
    const char *list = secure_getenv("CUDA_VISIBLE_DEVICES");
    if (list) {
        read_visible(list);
    } else {
        for (int i = 0; i < config.all; i++)
            config.visible[config.count++] = i;
    }
    sscanf(env_get("HEDDLE_CC"), "%u.%u", &major, &minor);
    config.capability = major * 10 + minor;
    config.sms = (int)env_number("HEDDLE_SMS");
    const char *blocking = secure_getenv("CUDA_LAUNCH_BLOCKING");
    config.launch_blocking = blocking && !strcmp(blocking, "1");
    config.width = (unsigned)env_number("HEDDLE_WIDTH");
}

CUresult driver_init(unsigned flags)
{
    if (flags)
        return CUDA_ERROR_INVALID_VALUE;
    pthread_once(&once, read_config);
    if (!config.count)
        return CUDA_ERROR_NO_DEVICE;
    // Threads go on when a program closes the library. (-z nodelete keeps it too, but where memory runs out while the library is
    // opened, the C library keeps it half open and takes it for open the next time.)
    if (!driver_ready() && (!handles_ready() || !os_library_keep((const void *)driver_init)))
        return CUDA_ERROR_OUT_OF_MEMORY;
    if (debug_wanted())
        debug_device(cpu_title(), config.sms ? (uint32_t)config.sms : pool_workers(), config.capability);
    atomic_store(&ready, true);
    inject_at_init();
    return CUDA_SUCCESS;
}

bool driver_ready(void)
{
    return atomic_load_explicit(&ready, memory_order_acquire);
}

// The child of a process that has a context has neither the driver's threads nor a way to know what these were doing: as in
// CUDA, nothing is initialised there and nothing can be; another program has to be started. Before there are such threads a child may
// begin anew, unless another thread was in the middle of a call: its locks would be taken for ever.
_Atomic(enum driver_phase) driver_phase;
static atomic_int early_calls; // under way in all threads
static _Thread_local int own_calls;

static void at_fork(void)
{
    if (atomic_load(&driver_phase) == DRIVER_RUNNING || atomic_load(&early_calls) > own_calls)
        atomic_store(&driver_phase, DRIVER_FORKED);
}

__attribute__((constructor)) static void fork_watch(void)
{
    pthread_atfork(NULL, NULL, at_fork);
}

bool driver_early_enter(void)
{
    if (atomic_load(&driver_phase) != DRIVER_EARLY)
        return false;
    own_calls++;
    atomic_fetch_add(&early_calls, 1);
    return true;
}

void driver_early_leave(void)
{
    atomic_fetch_sub(&early_calls, 1);
    own_calls--;
}

bool driver_threads_begin(void)
{
    enum driver_phase early = DRIVER_EARLY;
    atomic_compare_exchange_strong(&driver_phase, &early, DRIVER_RUNNING);
    return pool_start();
}

CUresult driver_version(int *version)
{
    if (!version)
        return CUDA_ERROR_INVALID_VALUE;
    *version = CUDA_VERSION;
    return CUDA_SUCCESS;
}

CUresult profiler_start(void)
{
    return driver_ready() ? CUDA_SUCCESS : CUDA_ERROR_NOT_INITIALIZED;
}

CUresult profiler_stop(void)
{
    return driver_ready() ? CUDA_SUCCESS : CUDA_ERROR_NOT_INITIALIZED;
}

int device_count(void)
{
    return config.count;
}

int device_number(CUdevice d)
{
    return config.visible[d];
}

unsigned device_capability(void)
{
    return config.capability;
}

int device_sms(void)
{
    return config.sms ? config.sms : (int)pool_workers();
}

bool driver_launch_blocking(void)
{
    return config.launch_blocking;
}

unsigned driver_width(void)
{
    return config.width;
}
