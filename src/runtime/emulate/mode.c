// SPDX-License-Identifier: Apache-2.0
// Whether the process has code for emulation, code for a device, or both.
#include "runtime/emulate/emulate.h"
#include "runtime/runtime.h"
#include <heddle/emulation/emulation_api.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_bool emulated, device_code;

bool emulate_is_on(void)
{
    return atomic_load_explicit(&emulated, memory_order_relaxed);
}

void emulate_note_device_code(void)
{
    atomic_store(&device_code, true);
}

bool emulate_is_mixed(void)
{
    return atomic_load(&emulated) && atomic_load(&device_code);
}

int __cudaEmulationRegister(void)
{
    if (!atomic_exchange(&emulated, true))
        setenv("HEDDLE_DEVICE", "cpu", 1);
    return 0;
}
