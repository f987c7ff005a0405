// SPDX-License-Identifier: Apache-2.0
// What ncu's counts of a launch stand on: the plan of its kernel, made once, and what a GPU would say of the launch.
#include "device/count/count.h"
#include "driver/driver.h"

void launch_count(struct function *f, const struct launch_request *q, struct count_desc *d)
{
    struct image *i = f->module->image;
    struct kernel_info *k = f->info;
    const struct ptx_module *m;
    if (!(check_tools_for(k->ptx->name) & JIT_COUNT))
        return;
    if (k->native) {
        *d = (struct count_desc){.native = true,
                                 .sms = (uint32_t)device_sms(),
                                 .sm_warps = SM_THREADS / 32,
                                 .capability = device_capability()};
        return;
    }
    const struct count_plan *plan = image_counts(i, k, &m);
    if (!plan)
        return;
    const struct jit_kernel_facts *facts = image_facts(i, k);
    struct occupancy_limits l;
    occupancy_limits(facts, (int)(q->block[0] * q->block[1] * q->block[2]), facts->shared_static + q->shared, &l);
    *d = (struct count_desc){.plan = plan,
                             .ptx = m,
                             .registers = facts->registers,
                             .local_bytes = facts->local_bytes,
                             .limit_blocks = l.blocks,
                             .limit_warps = l.warps,
                             .limit_registers = l.registers,
                             .limit_shared = l.shared,
                             .sms = (uint32_t)device_sms(),
                             .sm_warps = SM_THREADS / 32,
                             .capability = device_capability(),
                             .shared_reserved = SHARED_RESERVED};
}
