// SPDX-License-Identifier: Apache-2.0
// Inside libcudart its functions have names of their own, so that calls among them are nobody's business: the exported ones (told.c) tell
// tools of a call and make it. This comes before CUDA's headers.
#ifndef HEDDLE_RUNTIME_TOLD_H
#define HEDDLE_RUNTIME_TOLD_H
#include "heddle/runtime/renamed.def"
#define __cudaLaunchKernel      rt_call___cudaLaunchKernel
#define __cudaLaunchKernel_ptsz rt_call___cudaLaunchKernel_ptsz
#endif
