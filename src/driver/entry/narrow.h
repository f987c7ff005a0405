// SPDX-License-Identifier: Apache-2.0
// Arguments of the first forms of functions, in which addresses and sizes have 32 bits, as those of today (rows NARROW_CALL of api.def).
// Each names a place for the result that lives as long as the call; NULL stays NULL.
#ifndef HEDDLE_DRIVER_ENTRY_NARROW_H
#define HEDDLE_DRIVER_ENTRY_NARROW_H
#include "driver/driver.h"

#define WIDE_2D(copy)       wide_2d(copy, &(CUDA_MEMCPY2D){0})
#define WIDE_3D(copy)       wide_3d(copy, &(CUDA_MEMCPY3D){0})
#define WIDE_ARRAY(desc)    wide_array(desc, &(CUDA_ARRAY_DESCRIPTOR){0})
#define WIDE_ARRAY_3D(desc) wide_array_3d(desc, &(CUDA_ARRAY3D_DESCRIPTOR){0})
#define LEGACY(stream)      ((stream) ? (stream) : CU_STREAM_LEGACY)

const CUDA_MEMCPY2D *wide_2d(const CUDA_MEMCPY2D_v1 *from, CUDA_MEMCPY2D *to);
const CUDA_MEMCPY3D *wide_3d(const CUDA_MEMCPY3D_v1 *from, CUDA_MEMCPY3D *to);
const CUDA_ARRAY_DESCRIPTOR *wide_array(const CUDA_ARRAY_DESCRIPTOR_v1 *from, CUDA_ARRAY_DESCRIPTOR *to);
const CUDA_ARRAY3D_DESCRIPTOR *wide_array_3d(const CUDA_ARRAY3D_DESCRIPTOR_v1 *from, CUDA_ARRAY3D_DESCRIPTOR *to);
#endif
