// SPDX-License-Identifier: Apache-2.0
// The scalar dialect (docs/dialect.md) as C declarations, for kernels that are compiled by clang instead of from PTX.
#ifndef HEDDLE_TEST_RESUME_DIALECT_H
#define HEDDLE_TEST_RESUME_DIALECT_H
#include <stdint.h>

#define NAMED(n)   __asm__("heddle." n)
#define PURE       __attribute__((const))
#define COLLECTIVE __attribute__((convergent, nothrow))
#define CONSTANT   __attribute__((address_space(4)))
#define SHARED     __attribute__((address_space(3)))
typedef uint32_t u32;
typedef uint64_t u64;

u32 tid_x(void) PURE NAMED("tid.x");
u32 tid_y(void) PURE NAMED("tid.y");
u32 ntid_x(void) PURE NAMED("ntid.x");
u32 ctaid_x(void) PURE NAMED("ctaid.x");
u32 ctaid_y(void) PURE NAMED("ctaid.y");
u32 nctaid_x(void) PURE NAMED("nctaid.x");
u32 laneid(void) PURE NAMED("laneid");
u32 warpid(void) PURE NAMED("warpid");
const CONSTANT char *args(void) PURE NAMED("args");
SHARED char *shared(void) PURE NAMED("shared");

COLLECTIVE void barrier(u32 id, u32 threads) NAMED("barrier");
COLLECTIVE void barrier_arrive(u32 id, u32 threads) NAMED("barrier.arrive");
COLLECTIVE u32 barrier_popc(u32 id, u32 threads, _Bool p) NAMED("barrier.red.popc");
COLLECTIVE _Bool barrier_and(u32 id, u32 threads, _Bool p) NAMED("barrier.red.and");
COLLECTIVE _Bool barrier_or(u32 id, u32 threads, _Bool p) NAMED("barrier.red.or");
COLLECTIVE void warp_sync(u32 mask) NAMED("warp.sync");
COLLECTIVE u32 activemask(void) NAMED("activemask");
COLLECTIVE u32 shfl_up(u32 mask, u32 v, u32 b, u32 c) NAMED("shfl.up");
COLLECTIVE u32 shfl_down(u32 mask, u32 v, u32 b, u32 c) NAMED("shfl.down");
COLLECTIVE u32 shfl_bfly(u32 mask, u32 v, u32 b, u32 c) NAMED("shfl.bfly");
COLLECTIVE u32 shfl_idx(u32 mask, u32 v, u32 b, u32 c) NAMED("shfl.idx");
COLLECTIVE _Bool shfl_pred_up(u32 mask, u32 v, u32 b, u32 c) NAMED("shfl.pred.up");
COLLECTIVE u32 ballot(u32 mask, _Bool p) NAMED("vote.ballot");
COLLECTIVE _Bool vote_any(u32 mask, _Bool p) NAMED("vote.any");
COLLECTIVE _Bool vote_all(u32 mask, _Bool p) NAMED("vote.all");
COLLECTIVE u32 match_any(u32 mask, u32 v) NAMED("match.any.b32");
COLLECTIVE u32 match_all(u32 mask, u32 v) NAMED("match.all.b32");
COLLECTIVE u32 redux_add(u32 mask, u32 v) NAMED("redux.add");
COLLECTIVE u32 redux_min(u32 mask, u32 v) NAMED("redux.min.s32");
COLLECTIVE void yield(void) NAMED("yield");

// The one shape of parameters that all test kernels share.
struct params {
    const void *in;
    const void *in2;
    void *out;
    void *aux;
    u32 n, m;
};
#define P      ((const CONSTANT struct params *)args())
#define SYNC() barrier(0, 0)
#define FULL   0xffffffffu
#endif
