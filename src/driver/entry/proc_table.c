// SPDX-License-Identifier: Apache-2.0
// The addresses of all exported functions, from the table; without cuda.h, since only addresses are wanted.
#include "driver/entry/proc.h"

#define PLAIN(name)                                          extern int name(void);
#define API(name, suffix, since, body, params, args)         PLAIN(name##suffix)
#define API_PTSZ(name, suffix, since, body, params, args)    PLAIN(name##suffix) PLAIN(name##suffix##_ptsz)
#define API_PTDS(name, suffix, since, body, params, args)    PLAIN(name##suffix) PLAIN(name##suffix##_ptds)
#define API_PTSZ_EX(name, suffix, since, body, params, args) PLAIN(name##suffix) PLAIN(name##suffix##_ptsz)
#define REFUSED(name, suffix, since, params, reason)         PLAIN(name##suffix)
#define REFUSED_PTSZ(name, suffix, since, params, reason)    PLAIN(name##suffix) PLAIN(name##suffix##_ptsz)
#include "driver/api.def"
PLAIN(heddleNativeKernel)
PLAIN(heddleNativeTask)
PLAIN(heddleNativeFile)
PLAIN(heddleTimeline)

const struct proc_row proc_rows[] = {
#define ROW(name, since, plain, other)                       {#name, since, (void *)plain, (void *)other},
#define PAIR(name, suffix, variant, since)                   ROW(name, since, name##suffix, name##suffix##variant)
#define API(name, suffix, since, body, params, args)         PAIR(name, suffix, , since)
#define API_PTSZ(name, suffix, since, body, params, args)    PAIR(name, suffix, _ptsz, since)
#define API_PTDS(name, suffix, since, body, params, args)    PAIR(name, suffix, _ptds, since)
#define API_PTSZ_EX(name, suffix, since, body, params, args) PAIR(name, suffix, _ptsz, since)
#define REFUSED(name, suffix, since, params, reason)         PAIR(name, suffix, , since)
#define REFUSED_PTSZ(name, suffix, since, params, reason)    PAIR(name, suffix, _ptsz, since)
#define NAMED(name, since, target)                           ROW(name, since, target, target)
#include "driver/api.def"
    ROW(heddleNativeKernel, 0, heddleNativeKernel, heddleNativeKernel) // for libraries of ours: native.h
    ROW(heddleNativeTask, 0, heddleNativeTask, heddleNativeTask) ROW(heddleNativeFile, 0, heddleNativeFile,
                                                                     heddleNativeFile)
        ROW(heddleTimeline, 0, heddleTimeline, heddleTimeline)}; // for libcudart and tools: base/timeline/timeline.h
const unsigned proc_count = sizeof proc_rows / sizeof *proc_rows;
