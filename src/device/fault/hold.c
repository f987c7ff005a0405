// SPDX-License-Identifier: Apache-2.0
// See hold.h. A write to read-only memory is a signal, SIGSEGV, on the thread that writes; its handler waits until the hold is over and lets the
// instruction run again. So a thread must take the signal, and by our handler: hold_possible() looks whether that is so.
//
// The signal may be handled when the hold is over, or another has begun. So the handler does not ask which memory is held: a thread runs
// its instruction again if there was a hold since it last did that. If the fault was none of a hold, it comes again, and is then what it was.
//
// A system call of the program's own that writes to the memory, from another thread and during the hold, fails (EFAULT). CUDA does not allow one on
// device memory; what this project does itself touches the memory and calls again.
#include "device/fault/hold.h"
#include <dirent.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static atomic_ullong count; // of holds so far
static atomic_bool active;
static _Thread_local unsigned long long seen;
static _Atomic(hold_handler_fn *) ours;

void hold_handler(hold_handler_fn *handler)
{
    atomic_store(&ours, handler);
}

static bool is_ours(void)
{
    struct sigaction a;
    hold_handler_fn *handler = atomic_load(&ours);
    return handler && !sigaction(SIGSEGV, NULL, &a) && a.sa_flags & SA_SIGINFO && a.sa_sigaction == handler;
}

// Whether a thread has SIGSEGV blocked, or it is not known.
static bool is_blocked(const char *thread)
{
    char path[64], line[128];
    snprintf(path, sizeof path, "/proc/self/task/%.20s/status", thread);
    FILE *f = fopen(path, "re");
    bool blocked = false, known = !f; // without the file the thread has ended
    while (f && !known && fgets(line, sizeof line, f)) {
        known = !strncmp(line, "SigBlk:", 7);
        blocked = known && strtoull(line + 7, NULL, 16) >> (SIGSEGV - 1) & 1;
    }
    if (f)
        fclose(f);
    return blocked || !known;
}

static bool all_can_wait(void)
{
    DIR *d = opendir("/proc/self/task");
    bool ok = d;
    for (struct dirent *e; ok && (e = readdir(d));)
        ok = e->d_name[0] == '.' || !is_blocked(e->d_name);
    if (d)
        closedir(d);
    return ok;
}

bool hold_possible(void)
{
    return is_ours() && all_can_wait();
}

void hold_begin(void)
{
    atomic_store(&active, true);
    atomic_fetch_add(&count, 1);
}

void hold_end(void)
{
    atomic_store(&active, false);
}

bool hold_waits(const siginfo_t *info)
{
    unsigned long long now = atomic_load(&count);
    if (info->si_code != SEGV_ACCERR || seen == now)
        return false;
    seen = now;
    while (atomic_load(&active) && atomic_load(&count) == now)
        sched_yield();
    return true;
}
