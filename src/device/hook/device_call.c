// SPDX-License-Identifier: Apache-2.0
// The runtime interface in kernels.
#include "device/fault/fault.h"
#include "device/hook/hooks.h"
#include "device/sched/launch_op.h"
#include <stddef.h>

static struct nested *nested_of(struct launch_op *l)
{
    struct nested *n = atomic_load(&l->nested), *other = NULL;
    if (n || !(n = nested_create(&l->op, op_finish)))
        return n;
    if (atomic_compare_exchange_strong(&l->nested, &other, n))
        return n;
    nested_discard(n);
    return other;
}

// The kernel's call of the runtime interface. What answers it may compile a kernel, or run one.
uint64_t hook_device_api(struct jit_block *b, uint32_t thread, uint32_t function, const uint64_t *args)
{
    struct launch_op *l = (struct launch_op *)((char *)(uintptr_t)b->launch - offsetof(struct launch_op, launch));
    struct device_thread t = {nested_of(l), l->device_api_data, b->linear, thread};
    if (!t.nested)
        fault_raise(FAULT_OUT_OF_MEMORY, thread, __builtin_return_address(0));
    if (!l->device_api)
        fault_raise(FAULT_NOT_SUPPORTED, thread, __builtin_return_address(0));
    uint64_t mode = float_mode(false);
    uint64_t result = l->device_api(&t, function, args);
    float_mode_restore(mode);
    fault_checkpoint(thread, __builtin_return_address(0));
    return result;
}
