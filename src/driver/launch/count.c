// SPDX-License-Identifier: Apache-2.0
// What ncu's counts of a launch stand on: the plan of its kernel, made once, and what a GPU would say of the launch.
#include "device/count/count.h"
#include "driver/driver.h"

static struct count_plan *plan_make(const struct ptx_module *m, const struct kernel_info *k)
{
    struct count_plan *p = xcalloc(1, sizeof *p);
    struct reach r;
    reach_init(&r, m, m->funcs[k->ptx->index]);
    count_plan_make(p, &r);
    reach_fini(&r);
    return p;
}

void launch_count(struct function *f, const struct launch_request *q, struct count_desc *d)
{
    struct image *i = f->module->image;
    struct kernel_info *k = f->info;
    struct diag quiet;
    if (k->native || !(check_tools_for(k->ptx->name) & JIT_COUNT))
        return;
    diag_init(&quiet, NULL);
    const struct ptx_module *m = jit_module_whole(i->jit, &quiet);
    diag_fini(&quiet);
    if (!m)
        return;
    const struct jit_kernel_facts *facts = image_facts(i, k);
    struct occupancy_limits l;
    occupancy_limits(facts, (int)(q->block[0] * q->block[1] * q->block[2]), facts->shared_static + q->shared, &l);
    pthread_mutex_lock(&i->lock);
    if (!k->counts)
        k->counts = plan_make(m, k);
    pthread_mutex_unlock(&i->lock);
    *d = (struct count_desc){.plan = k->counts,
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

void launch_count_end(struct kernel_info *k)
{
    if (k->counts)
        count_plan_free(k->counts);
    free(k->counts);
}
