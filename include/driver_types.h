// SPDX-License-Identifier: Apache-2.0
// The types of the runtime interface: results, handles, descriptors and the constants that go with them. Names, values
// and layouts are those of CUDA 13.0, so that binaries built against either set of headers agree.
#ifndef __DRIVER_TYPES_H__
#define __DRIVER_TYPES_H__
#include <limits.h>
#include <stddef.h>
#include "host_defines.h"
#include "device_types.h"
#include "vector_types.h"

#define CUDART_CB
#ifndef __CUDA_DEPRECATED
#define __CUDA_DEPRECATED __attribute__((deprecated))
#endif

#include "heddle/runtime/results.h"
#include "heddle/runtime/arrays.h"
#include "heddle/runtime/devices.h"
#include "heddle/runtime/graphs.h"
#endif
