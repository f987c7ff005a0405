// SPDX-License-Identifier: Apache-2.0
// The place of this header before NVTX 3.
#ifndef HEDDLE_NVTOOLSEXTSYNC_H
#define HEDDLE_NVTOOLSEXTSYNC_H
#include "nvtx3/nvToolsExtSync.h"
#endif
