// SPDX-License-Identifier: Apache-2.0
// libnvToolsExt: NVTX as a library, for programs that link it by name. Everything is in the headers.
#define NVTX_EXPORT_API
#include <nvtx3/nvToolsExtCuda.h>
#include <nvtx3/nvToolsExtCudaRt.h>
#include <nvtx3/nvToolsExtSync.h>
