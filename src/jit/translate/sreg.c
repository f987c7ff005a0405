// SPDX-License-Identifier: Apache-2.0
// "Special Registers" of the PTX manual: reads become calls of the dialect.
#include "jit/translate/emit.h"

#define REGISTER(name) [PTX_SREG_##name] = OP_##name
#define AXES(name)     REGISTER(name##_X), REGISTER(name##_Y), REGISTER(name##_Z)
static const enum heddle_op registers[] = {
    AXES(TID),
    AXES(NTID),
    AXES(CTAID),
    AXES(NCTAID),
    AXES(CLUSTERID),
    AXES(NCLUSTERID),
    AXES(CLUSTER_CTAID),
    AXES(CLUSTER_NCTAID),
    REGISTER(CLUSTER_CTARANK),
    REGISTER(CLUSTER_NCTARANK),
    REGISTER(LANEID),
    REGISTER(WARPID),
    REGISTER(NWARPID),
    REGISTER(SMID),
    REGISTER(NSMID),
    REGISTER(LANEMASK_EQ),
    REGISTER(LANEMASK_LE),
    REGISTER(LANEMASK_LT),
    REGISTER(LANEMASK_GE),
    REGISTER(LANEMASK_GT),
    REGISTER(TOTAL_SMEM_SIZE),
    REGISTER(DYNAMIC_SMEM_SIZE),
    [PTX_SREG_AGGR_SMEM_SIZE] = OP_TOTAL_SMEM_SIZE,
    [PTX_SREG_IS_EXPLICIT_CLUSTER] = OP_CLUSTER_EXPLICIT,
};

value tr_sreg_value(struct translator *t, enum ptx_sreg s)
{
    if (s < sizeof registers / sizeof *registers && registers[s])
        return tr_op(t, registers[s], NULL, 0);
    if (s >= PTX_SREG_ENVREG0 && s <= PTX_SREG_ENVREG31) {
        value n = tr_const_i32(t, (uint32_t)(s - PTX_SREG_ENVREG0));
        return tr_op(t, OP_ENVREG, &n, 1);
    }
    uint32_t reserved = t->reach->reserved_at;
    switch (s) {
    case PTX_SREG_CLOCK:
    case PTX_SREG_CLOCK64:
        return tr_op(t, OP_RT_CLOCK64, NULL, 0);
    case PTX_SREG_CLOCK_HI:
        return tr_part(t, tr_op(t, OP_RT_CLOCK64, NULL, 0), 32, t->i32);
    case PTX_SREG_GLOBALTIMER:
    case PTX_SREG_GLOBALTIMER_LO:
        return tr_op(t, OP_RT_GLOBALTIMER, NULL, 0);
    case PTX_SREG_GLOBALTIMER_HI:
        return tr_part(t, tr_op(t, OP_RT_GLOBALTIMER, NULL, 0), 32, t->i32);
    case PTX_SREG_GRIDID:
        return tr_op(t, OP_GRIDID, NULL, 0);
    case PTX_SREG_RESERVED_SMEM_OFFSET_BEGIN:
    case PTX_SREG_RESERVED_SMEM_OFFSET_0:
        return tr_const_i32(t, reserved);
    case PTX_SREG_RESERVED_SMEM_OFFSET_1:
        return tr_const_i32(t, reserved + REACH_RESERVED_BYTES / 2);
    case PTX_SREG_RESERVED_SMEM_OFFSET_END:
        return tr_const_i32(t, reserved + REACH_RESERVED_BYTES);
    case PTX_SREG_RESERVED_SMEM_OFFSET_CAP:
        return tr_const_i32(t, REACH_RESERVED_BYTES);
    default: // fourth components, performance counters and the like
        return tr_const_i64(t, 0);
    }
}
