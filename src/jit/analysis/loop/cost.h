// SPDX-License-Identifier: Apache-2.0
// The cost model of loops in one-thread code: whether a transformation pays, by what a loop does in one iteration (profile.h, rows.h) and
// what the machine is like (ir/machine.def, ir/tuning.def). The passes find out what may be done and do it; what had better be done is asked here.
// None of this bears on what a program computes.
//
// Its terms are
//  code       unrolled code takes time to compile and room in the instruction cache: TUNE_UNROLLED_MAX operations are its limit;
//  waits      each barrier of unrolled code is a resume point, with a loop over the gangs around the code behind it;
//  misses     memory further on by less than TUNE_STRIDE_FAR an iteration the processor fetches by itself, in up to TUNE_PREFETCH_STREAMS
//             rows at once. Another line costs as much as TUNE_MISS_WORK instructions, twice that where its address has to come from
//             memory first. More work than that hides it, and what is done against it is for nothing;
//  sets       rows a power of two apart share a set of the first cache, which holds FIGURE_WAYS lines;
//  registers  two vectors of a value in place of one: good against the latency of operations, as long as they fit.
#ifndef HEDDLE_JIT_COST_H
#define HEDDLE_JIT_COST_H
#include "jit/analysis/loop/profile.h"
#include "jit/analysis/loop/rows.h"

// Unrolling: the largest number of iterations of a loop that may be written out, and whether so many pay.
unsigned cost_unrolled_most(const struct profile *p);
bool cost_unrolls(const struct profile *p, unsigned iterations);
// The same of a loop whose lanes are known when it is written out.
unsigned cost_unrolled_lanes_most(const struct profile *p);
// How often the body of a loop through rows is to stand there; 1: once, since there is nothing to gain or too much code.
unsigned cost_unrolls_rows(const struct profile *p, const struct rows *r, unsigned width);
// Whether the processor fetches by itself what goes on by so much an iteration, beside so many other rows that do.
bool cost_is_fetched(const struct linear *step, unsigned rows);
// Whether gangs had better run the loop interleaved: it waits for so many lines of memory an iteration, listed: whose addresses are
// read first, and carries so many values beside its induction variables. Atomics that lanes make one by one are work of each lane.
bool cost_interleaves(const struct profile *p, unsigned lines, unsigned kept, bool listed, unsigned width);
// Why a gang had better not become as wide as a warp; NULL: it had. loops: of the kernel's n, the kernel's own behind them. rows: some loop
// reads rows of each thread's own.
const char *cost_stays_narrow(const struct profile *loops, unsigned n, bool rows);
#endif
