// SPDX-License-Identifier: Apache-2.0
// Small structures of the runtime interface from their members.
#ifndef __DRIVER_FUNCTIONS_H__
#define __DRIVER_FUNCTIONS_H__
#include "driver_types.h"

static __inline__ __host__ struct cudaPitchedPtr make_cudaPitchedPtr(void *__d, size_t __p, size_t xsz, size_t ysz)
{
    struct cudaPitchedPtr __v;
    __v.ptr = __d;
    __v.pitch = __p;
    __v.xsize = xsz;
    __v.ysize = ysz;
    return __v;
}
static __inline__ __host__ struct cudaPos make_cudaPos(size_t x, size_t y, size_t z)
{
    struct cudaPos __v;
    __v.x = x;
    __v.y = y;
    __v.z = z;
    return __v;
}
static __inline__ __host__ struct cudaExtent make_cudaExtent(size_t w, size_t __h, size_t __d)
{
    struct cudaExtent __v;
    __v.width = w;
    __v.height = __h;
    __v.depth = __d;
    return __v;
}
#endif
