// SPDX-License-Identifier: Apache-2.0
// The operation that a launch becomes: of code, arguments and shape.
#include "device/count/count.h"
#include "driver/context/tell.h"
#include "driver/texture/texture.h"

static void launch_done(void *module, unsigned n)
{
    module_release(module, n);
}

CUresult launch_op_special(struct function *f, const struct launch_request *q, const void *args,
                           const struct launch_special *special, struct op **out)
{
    struct module *m = f->module;
    struct jit_code *code = special ? special->code : NULL;
    CUresult r = code ? CUDA_SUCCESS : function_code(f, q->grid, q->block, args, &code);
    r = r ? r : launch_shared_fits(f, code->variant.shared_static, q->shared);
    r = r ? r : module_refs_bind(m);
    if (r)
        return r;
    struct count_desc counts = {0};
    if (__builtin_expect(count_wanted, 0) && !special)
        launch_count(f, q, &counts);
    struct launch_desc d = {.code = code,
                            .count = &counts,
                            .kernel = f->info->ptx->name,
                            .args = args,
                            .args_size = f->info->param_bytes,
                            .args_align = f->info->param_align,
                            .globals = m->globals,
                            .grid = {q->grid[0], q->grid[1], q->grid[2]},
                            .block = {q->block[0], q->block[1], q->block[2]},
                            .cluster = {q->cluster[0], q->cluster[1], q->cluster[2]},
                            .dynamic_shared = q->shared,
                            .cooperative = q->cooperative,
                            .faults = special ? special->faults : &m->faults->state,
                            .order = special ? special->order : NULL,
                            .done = launch_done,
                            .done_data = m,
                            .drop = f->info->native ? native_release : NULL,
                            .device_api = device_runtime_call,
                            .device_api_data = m};
    atomic_fetch_add_explicit(&m->refs, 1, memory_order_relaxed);
    native_retain(f->info, args);
    *out = native_op_create(f->info->native, &d);
    if (!*out) {
        if (d.drop)
            d.drop(args);
        module_release(m, 1);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    if (q->node || timeline_wants(TIMELINE_KERNEL)) {
        tell_op(*out, m->context, native_is_task(f->info->native) ? task_op_describe : launch_op_describe);
        (*out)->trace.registers = f->info->native ? 0 : (uint16_t)image_facts(m->image, f->info)->registers;
    }
    return CUDA_SUCCESS;
}

CUresult launch_op_make(struct function *f, const struct launch_request *q, const void *args, struct op **out)
{
    return launch_op_special(f, q, args, NULL, out);
}
