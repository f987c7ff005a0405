// SPDX-License-Identifier: Apache-2.0
// Channel descriptors in the driver's terms, for arrays and textures.
#ifndef HEDDLE_RUNTIME_MEMORY_ARRAY_H
#define HEDDLE_RUNTIME_MEMORY_ARRAY_H
#include "runtime/runtime.h"

// False: no element is described so.
bool channel_to_format(const struct cudaChannelFormatDesc *desc, CUarray_format *format, unsigned *channels);
struct cudaChannelFormatDesc channel_from_format(CUarray_format format, unsigned channels);
// Only floats, and integers read as floats, can be filtered; only narrow integers are read as floats.
cudaError_t rt_read_check(CUarray_format format, bool normalized, bool linear);
#endif
