// Small structures of the runtime interface from their members.
#ifndef __DRIVER_FUNCTIONS_H__
#define __DRIVER_FUNCTIONS_H__
#include "driver_types.h"

static __inline__ __host__ struct cudaPitchedPtr make_cudaPitchedPtr(void *d, size_t p, size_t xsz, size_t ysz)
{
    struct cudaPitchedPtr v;
    v.ptr = d;
    v.pitch = p;
    v.xsize = xsz;
    v.ysize = ysz;
    return v;
}
static __inline__ __host__ struct cudaPos make_cudaPos(size_t x, size_t y, size_t z)
{
    struct cudaPos v;
    v.x = x;
    v.y = y;
    v.z = z;
    return v;
}
static __inline__ __host__ struct cudaExtent make_cudaExtent(size_t w, size_t h, size_t d)
{
    struct cudaExtent v;
    v.width = w;
    v.height = h;
    v.depth = d;
    return v;
}
#endif
