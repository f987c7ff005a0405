// SPDX-License-Identifier: Apache-2.0
// How a thread waits.
#include "device/sched/pool.h"
#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

void futex_wait(atomic_uint *word, unsigned expected)
{
    syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, expected, NULL, NULL, 0);
}

void futex_wait_for(atomic_uint *word, unsigned expected, long ns)
{
    struct timespec t = {.tv_nsec = ns};
    syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, expected, &t, NULL, 0);
}

void futex_wake(atomic_uint *word, int count)
{
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, count, NULL, NULL, 0);
}

void pool_pause(unsigned turn)
{
    if (turn < 64)
        cpu_relax();
    else
        sched_yield();
}
