// SPDX-License-Identifier: Apache-2.0
// Processes that fork. A child has one thread, and locks that others held in its parent would be taken for ever. A fork waits for
// them, though not for a reset that waits for a kernel.
#include "runtime/runtime.h"
#include <pthread.h>

static _Thread_local bool held, modules_held;

static void before_fork(void)
{
    held = rt_devices_lock(1000);
    modules_held = rt_modules_lock(1000);
}

static void after_fork(void)
{
    if (modules_held)
        rt_modules_unlock();
    if (held)
        rt_devices_unlock();
}

static void in_child(void)
{
    rt_modules_renew(modules_held);
    if (held)
        rt_devices_unlock();
    else
        rt_devices_lock_renew();
}

__attribute__((constructor)) static void fork_watch(void)
{
    pthread_atfork(before_fork, after_fork, in_child);
}
