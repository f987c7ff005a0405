// SPDX-License-Identifier: Apache-2.0
// The place of this header before NVTX 3.
#ifndef HEDDLE_NVTOOLSEXT_H
#define HEDDLE_NVTOOLSEXT_H
#include "nvtx3/nvToolsExt.h"
#endif
