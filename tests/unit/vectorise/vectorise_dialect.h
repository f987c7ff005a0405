// SPDX-License-Identifier: Apache-2.0
// The scalar dialect as C declarations for vectorise_kernels.c, which is compiled twice: to bitcode for the JIT, and
// natively for the reference (vectorise_reference.c), where a thread is a fiber.
#ifndef HEDDLE_TEST_VECTORISE_DIALECT_H
#define HEDDLE_TEST_VECTORISE_DIALECT_H
#include <stdint.h>

#define NAMED(n) __asm__("heddle." n)
#define PURE     __attribute__((const))
#ifdef HEDDLE_BITCODE
#define COLLECTIVE __attribute__((convergent, nothrow))
#define SPACE(n)   __attribute__((address_space(n)))
#else
#define COLLECTIVE
#define SPACE(n)
#endif
#define GLOBAL SPACE(1)
#define SHARED SPACE(3)
typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int64_t i64;

u32 tid_x(void) NAMED("tid.x") PURE;
u32 tid_y(void) NAMED("tid.y") PURE;
u32 tid_z(void) NAMED("tid.z") PURE;
u32 ntid_x(void) NAMED("ntid.x") PURE;
u32 ntid_y(void) NAMED("ntid.y") PURE;
u32 ctaid_x(void) NAMED("ctaid.x") PURE;
u32 ctaid_y(void) NAMED("ctaid.y") PURE;
u32 nctaid_x(void) NAMED("nctaid.x") PURE;
u32 laneid(void) NAMED("laneid") PURE;
u32 warpid(void) NAMED("warpid") PURE;
u32 lanemask_lt(void) NAMED("lanemask_lt") PURE;
u32 lanemask_ge(void) NAMED("lanemask_ge") PURE;
const SPACE(4) char *args(void) NAMED("args") PURE;
SHARED char *shared(void) NAMED("shared") PURE;
u32 rt_vprintf(const void *format, const void *values) NAMED("rt.vprintf");

COLLECTIVE void barrier(u32 id, u32 threads) NAMED("barrier");
COLLECTIVE u32 activemask(void) NAMED("activemask");
COLLECTIVE u32 shfl_up(u32 mask, u32 v, u32 b, u32 c) NAMED("shfl.up");
COLLECTIVE u32 shfl_down(u32 mask, u32 v, u32 b, u32 c) NAMED("shfl.down");
COLLECTIVE u32 shfl_bfly(u32 mask, u32 v, u32 b, u32 c) NAMED("shfl.bfly");
COLLECTIVE u32 shfl_idx(u32 mask, u32 v, u32 b, u32 c) NAMED("shfl.idx");
COLLECTIVE _Bool shfl_pred_up(u32 mask, u32 v, u32 b, u32 c) NAMED("shfl.pred.up");
COLLECTIVE _Bool shfl_pred_idx(u32 mask, u32 v, u32 b, u32 c) NAMED("shfl.pred.idx");
COLLECTIVE u32 ballot(u32 mask, _Bool p) NAMED("vote.ballot");
COLLECTIVE _Bool vote_any(u32 mask, _Bool p) NAMED("vote.any");
COLLECTIVE _Bool vote_all(u32 mask, _Bool p) NAMED("vote.all");
COLLECTIVE _Bool vote_uni(u32 mask, _Bool p) NAMED("vote.uni");
COLLECTIVE u32 match_any(u32 mask, u32 v) NAMED("match.any.b32");
COLLECTIVE u32 match_any64(u32 mask, u64 v) NAMED("match.any.b64");
COLLECTIVE u32 match_all(u32 mask, u32 v) NAMED("match.all.b32");
COLLECTIVE u32 redux_add(u32 mask, u32 v) NAMED("redux.add");
COLLECTIVE u32 redux_min(u32 mask, u32 v) NAMED("redux.min.s32");
COLLECTIVE u32 redux_max(u32 mask, u32 v) NAMED("redux.max.u32");
COLLECTIVE u32 redux_xor(u32 mask, u32 v) NAMED("redux.xor");
COLLECTIVE _Bool elect(u32 mask) NAMED("elect");

// The parameters of every test kernel.
struct params {
    const void *in, *in2;
    void *out, *out2;
    i64 n, m;
    float a, b;
};
#define P       ((const SPACE(4) struct params *)args())
#define IN(t)   ((const GLOBAL t *)P->in)
#define IN2(t)  ((const GLOBAL t *)P->in2)
#define OUT(t)  ((GLOBAL t *)P->out)
#define OUT2(t) ((GLOBAL t *)P->out2)
#define N       ((int)P->n)
#define M       ((int)P->m)
#define SH(t)   ((SHARED t *)shared())
#define SYNC()  barrier(0, 0)
#define FULL    0xffffffffu
#define GI()    ((int)(ctaid_x() * ntid_x() + tid_x()))
#endif
