// SPDX-License-Identifier: Apache-2.0
// "Special Registers" of the PTX manual: reads become calls of the dialect.
#include "jit/translate/emit.h"

value tr_sreg_value(struct translator *t, enum ptx_sreg s)
{
    enum heddle_op op = op_printf("%s", ptx_sreg_name(s) + 1); // most operations that read one have its name
    if (op)
        return tr_op(t, op, NULL, 0);
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
    case PTX_SREG_AGGR_SMEM_SIZE:
        return tr_op(t, OP_TOTAL_SMEM_SIZE, NULL, 0);
    case PTX_SREG_IS_EXPLICIT_CLUSTER:
        return tr_op(t, OP_CLUSTER_EXPLICIT, NULL, 0);
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
