// SPDX-License-Identifier: Apache-2.0
// Device emulation, as the rest of the runtime sees it.
#ifndef HEDDLE_RUNTIME_EMULATE_EMULATE_H
#define HEDDLE_RUNTIME_EMULATE_EMULATE_H
#include <stdbool.h>

// Code compiled for emulation is in the process.
bool emulate_is_on(void);
// Device code was registered.
void emulate_note_device_code(void);
// Both: an error, as CUDA's emulation has it.
bool emulate_is_mixed(void);
#endif
