// SPDX-License-Identifier: Apache-2.0
// The clocks that times are taken with, and the end of threads that would disturb them.
#include "clock.h"
#include <dirent.h>
#include <omp.h>
#include <stdlib.h>

clockid_t bench_clock = CLOCK_MONOTONIC;

static double clock_read(clockid_t clock)
{
    struct timespec t;
    return clock_gettime(clock, &t) ? 0 : (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// The clock of the process counts what its other threads have done until their last tick, some milliseconds ago; the least of many
// times would be one that a thread's work is missing from. A thread's own clock is exact.
static double processor_time(void)
{
    double sum = 0;
    DIR *tasks = opendir("/proc/self/task");
    for (struct dirent *e; tasks && (e = readdir(tasks));)
        if (e->d_name[0] != '.')
            sum += clock_read(
                (clockid_t)(~(unsigned)atoi(e->d_name) << 3 | 6)); // the kernel's name for the clock of a thread
    if (tasks)
        closedir(tasks);
    return sum;
}

double bench_now(void)
{
    return bench_clock == CLOCK_PROCESS_CPUTIME_ID ? processor_time() : clock_read(bench_clock);
}

void bench_quiet(void)
{
    omp_pause_resource_all(omp_pause_hard);
}
