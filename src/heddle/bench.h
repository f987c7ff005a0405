// SPDX-License-Identifier: Apache-2.0
// heddle bench, see bench.c.
#ifndef HEDDLE_HEDDLE_BENCH_H
#define HEDDLE_HEDDLE_BENCH_H
// The exit status.
int bench(void);
#endif
