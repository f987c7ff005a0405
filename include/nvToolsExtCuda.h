// SPDX-License-Identifier: Apache-2.0
// The place of this header before NVTX 3.
#ifndef HEDDLE_NVTOOLSEXTCUDA_H
#define HEDDLE_NVTOOLSEXTCUDA_H
#include "nvtx3/nvToolsExtCuda.h"
#endif
