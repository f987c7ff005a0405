// SPDX-License-Identifier: Apache-2.0
// The place of this header before NVTX 3.
#ifndef HEDDLE_NVTOOLSEXTCUDART_H
#define HEDDLE_NVTOOLSEXTCUDART_H
#include "nvtx3/nvToolsExtCudaRt.h"
#endif
