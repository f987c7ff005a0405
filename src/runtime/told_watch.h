// SPDX-License-Identifier: Apache-2.0
// How told.c, which sees CUDA's names as programs do, and the rest of libcudart know each other.
#ifndef HEDDLE_RUNTIME_TOLD_WATCH_H
#define HEDDLE_RUNTIME_TOLD_WATCH_H
#include "base/timeline/timeline.h"

// ---- context/watch.c
// The word that says whether anybody listens: the driver's, or one of our own until a driver is known, which is not 0.
extern _Atomic(const atomic_uint *) rt_watched;
extern const atomic_uint rt_watch_unknown;
extern _Atomic(const struct timeline_access *) rt_timeline; // NULL: there is none
// The driver is known; NULL: it tells nobody of anything.
void rt_watch(const struct timeline_access *t);
void rt_watch_nobody(void); // until it is

// ---- of files below told.c
// Finds and initialises the driver, which loads tools.
void rt_watch_begin(void);
// The name of the kernel that a host function stands for; NULL: none is known.
const char *rt_watch_kernel(const void *function);
#endif
