// SPDX-License-Identifier: Apache-2.0
// "Special Registers" of the PTX manual: reads become calls of the dialect.
#include "jit/translate/emit.h"

static const char *const names[] = {
    [PTX_SREG_TID_X] = "heddle.tid.x",
    [PTX_SREG_TID_Y] = "heddle.tid.y",
    [PTX_SREG_TID_Z] = "heddle.tid.z",
    [PTX_SREG_NTID_X] = "heddle.ntid.x",
    [PTX_SREG_NTID_Y] = "heddle.ntid.y",
    [PTX_SREG_NTID_Z] = "heddle.ntid.z",
    [PTX_SREG_CTAID_X] = "heddle.ctaid.x",
    [PTX_SREG_CTAID_Y] = "heddle.ctaid.y",
    [PTX_SREG_CTAID_Z] = "heddle.ctaid.z",
    [PTX_SREG_NCTAID_X] = "heddle.nctaid.x",
    [PTX_SREG_NCTAID_Y] = "heddle.nctaid.y",
    [PTX_SREG_NCTAID_Z] = "heddle.nctaid.z",
    [PTX_SREG_CLUSTERID_X] = "heddle.clusterid.x",
    [PTX_SREG_CLUSTERID_Y] = "heddle.clusterid.y",
    [PTX_SREG_CLUSTERID_Z] = "heddle.clusterid.z",
    [PTX_SREG_NCLUSTERID_X] = "heddle.nclusterid.x",
    [PTX_SREG_NCLUSTERID_Y] = "heddle.nclusterid.y",
    [PTX_SREG_NCLUSTERID_Z] = "heddle.nclusterid.z",
    [PTX_SREG_CLUSTER_CTAID_X] = "heddle.cluster_ctaid.x",
    [PTX_SREG_CLUSTER_CTAID_Y] = "heddle.cluster_ctaid.y",
    [PTX_SREG_CLUSTER_CTAID_Z] = "heddle.cluster_ctaid.z",
    [PTX_SREG_CLUSTER_NCTAID_X] = "heddle.cluster_nctaid.x",
    [PTX_SREG_CLUSTER_NCTAID_Y] = "heddle.cluster_nctaid.y",
    [PTX_SREG_CLUSTER_NCTAID_Z] = "heddle.cluster_nctaid.z",
    [PTX_SREG_CLUSTER_CTARANK] = "heddle.cluster_ctarank",
    [PTX_SREG_CLUSTER_NCTARANK] = "heddle.cluster_nctarank",
    [PTX_SREG_IS_EXPLICIT_CLUSTER] = "heddle.cluster_explicit",
    [PTX_SREG_LANEID] = "heddle.laneid",
    [PTX_SREG_WARPID] = "heddle.warpid",
    [PTX_SREG_NWARPID] = "heddle.nwarpid",
    [PTX_SREG_SMID] = "heddle.smid",
    [PTX_SREG_NSMID] = "heddle.nsmid",
    [PTX_SREG_LANEMASK_EQ] = "heddle.lanemask.eq",
    [PTX_SREG_LANEMASK_LE] = "heddle.lanemask.le",
    [PTX_SREG_LANEMASK_LT] = "heddle.lanemask.lt",
    [PTX_SREG_LANEMASK_GE] = "heddle.lanemask.ge",
    [PTX_SREG_LANEMASK_GT] = "heddle.lanemask.gt",
    [PTX_SREG_TOTAL_SMEM_SIZE] = "heddle.total_smem_size",
    [PTX_SREG_AGGR_SMEM_SIZE] = "heddle.total_smem_size",
    [PTX_SREG_DYNAMIC_SMEM_SIZE] = "heddle.dynamic_smem_size",
};

static value high_word(struct translator *t, value v)
{
    return LLVMBuildTrunc(t->b, LLVMBuildLShr(t->b, v, tr_const_i64(t, 32), ""), t->i32, "");
}

value tr_sreg_value(struct translator *t, enum ptx_sreg s)
{
    if (s < sizeof names / sizeof *names && names[s])
        return tr_call_heddle(t, HEDDLE_PURE, t->i32, names[s], NULL, 0);
    if (s >= PTX_SREG_ENVREG0 && s <= PTX_SREG_ENVREG31) {
        value n = tr_const_i32(t, (uint32_t)(s - PTX_SREG_ENVREG0));
        return tr_call_heddle(t, HEDDLE_PURE, t->i32, "heddle.envreg", &n, 1);
    }
    uint32_t reserved = t->reach->reserved_at;
    switch (s) {
    case PTX_SREG_CLOCK:
    case PTX_SREG_CLOCK64:
        return tr_call_heddle(t, HEDDLE_RUNTIME, t->i64, "heddle.rt.clock64", NULL, 0);
    case PTX_SREG_CLOCK_HI:
        return high_word(t, tr_call_heddle(t, HEDDLE_RUNTIME, t->i64, "heddle.rt.clock64", NULL, 0));
    case PTX_SREG_GLOBALTIMER:
    case PTX_SREG_GLOBALTIMER_LO:
        return tr_call_heddle(t, HEDDLE_RUNTIME, t->i64, "heddle.rt.globaltimer", NULL, 0);
    case PTX_SREG_GLOBALTIMER_HI:
        return high_word(t, tr_call_heddle(t, HEDDLE_RUNTIME, t->i64, "heddle.rt.globaltimer", NULL, 0));
    case PTX_SREG_GRIDID:
        return tr_call_heddle(t, HEDDLE_PURE, t->i64, "heddle.gridid", NULL, 0);
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
