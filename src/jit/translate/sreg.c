// SPDX-License-Identifier: Apache-2.0
// "Special Registers" of the PTX manual: reads become calls of the dialect.
#include "jit/translate/emit.h"

static const enum heddle_op registers[] = {
    [PTX_SREG_TID_X] = OP_TID_X,
    [PTX_SREG_TID_Y] = OP_TID_Y,
    [PTX_SREG_TID_Z] = OP_TID_Z,
    [PTX_SREG_NTID_X] = OP_NTID_X,
    [PTX_SREG_NTID_Y] = OP_NTID_Y,
    [PTX_SREG_NTID_Z] = OP_NTID_Z,
    [PTX_SREG_CTAID_X] = OP_CTAID_X,
    [PTX_SREG_CTAID_Y] = OP_CTAID_Y,
    [PTX_SREG_CTAID_Z] = OP_CTAID_Z,
    [PTX_SREG_NCTAID_X] = OP_NCTAID_X,
    [PTX_SREG_NCTAID_Y] = OP_NCTAID_Y,
    [PTX_SREG_NCTAID_Z] = OP_NCTAID_Z,
    [PTX_SREG_CLUSTERID_X] = OP_CLUSTERID_X,
    [PTX_SREG_CLUSTERID_Y] = OP_CLUSTERID_Y,
    [PTX_SREG_CLUSTERID_Z] = OP_CLUSTERID_Z,
    [PTX_SREG_NCLUSTERID_X] = OP_NCLUSTERID_X,
    [PTX_SREG_NCLUSTERID_Y] = OP_NCLUSTERID_Y,
    [PTX_SREG_NCLUSTERID_Z] = OP_NCLUSTERID_Z,
    [PTX_SREG_CLUSTER_CTAID_X] = OP_CLUSTER_CTAID_X,
    [PTX_SREG_CLUSTER_CTAID_Y] = OP_CLUSTER_CTAID_Y,
    [PTX_SREG_CLUSTER_CTAID_Z] = OP_CLUSTER_CTAID_Z,
    [PTX_SREG_CLUSTER_NCTAID_X] = OP_CLUSTER_NCTAID_X,
    [PTX_SREG_CLUSTER_NCTAID_Y] = OP_CLUSTER_NCTAID_Y,
    [PTX_SREG_CLUSTER_NCTAID_Z] = OP_CLUSTER_NCTAID_Z,
    [PTX_SREG_CLUSTER_CTARANK] = OP_CLUSTER_CTARANK,
    [PTX_SREG_CLUSTER_NCTARANK] = OP_CLUSTER_NCTARANK,
    [PTX_SREG_IS_EXPLICIT_CLUSTER] = OP_CLUSTER_EXPLICIT,
    [PTX_SREG_LANEID] = OP_LANEID,
    [PTX_SREG_WARPID] = OP_WARPID,
    [PTX_SREG_NWARPID] = OP_NWARPID,
    [PTX_SREG_SMID] = OP_SMID,
    [PTX_SREG_NSMID] = OP_NSMID,
    [PTX_SREG_LANEMASK_EQ] = OP_LANEMASK_EQ,
    [PTX_SREG_LANEMASK_LE] = OP_LANEMASK_LE,
    [PTX_SREG_LANEMASK_LT] = OP_LANEMASK_LT,
    [PTX_SREG_LANEMASK_GE] = OP_LANEMASK_GE,
    [PTX_SREG_LANEMASK_GT] = OP_LANEMASK_GT,
    [PTX_SREG_TOTAL_SMEM_SIZE] = OP_TOTAL_SMEM_SIZE,
    [PTX_SREG_AGGR_SMEM_SIZE] = OP_TOTAL_SMEM_SIZE,
    [PTX_SREG_DYNAMIC_SMEM_SIZE] = OP_DYNAMIC_SMEM_SIZE,
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
