// SPDX-License-Identifier: Apache-2.0
// What every bench measures with.
#ifndef HEDDLE_BENCH_CLOCK_H
#define HEDDLE_BENCH_CLOCK_H
#include <time.h>
#ifdef __cplusplus
extern "C" {
#endif
extern clockid_t bench_clock; // CLOCK_PROCESS_CPUTIME_ID: of the processor, by all threads
double bench_now(void);       // seconds
void bench_quiet(void); // ends OpenMP's threads, which would spin for milliseconds on cores that others are timed on
#ifdef __cplusplus
}
#endif
#endif
