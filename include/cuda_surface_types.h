// SPDX-License-Identifier: Apache-2.0
// surface<T, kind>: surface references, as in CUDA 3 to 11; see cuda_texture_types.h.
#ifndef __CUDA_SURFACE_TYPES_H__
#define __CUDA_SURFACE_TYPES_H__
#include "channel_descriptor.h"
#include "surface_types.h"

#if defined(__cplusplus)
template <class __T, int __dim = cudaSurfaceType1D>
struct __device_builtin_surface_type__ surface : public surfaceReference {
    __host__ surface() : surfaceReference()
    {
        channelDesc = cudaCreateChannelDesc<__T>();
    }
};
template <int __dim> struct __device_builtin_surface_type__ surface<void, __dim> : public surfaceReference {
    __host__ surface() : surfaceReference() {}
};
#endif
#endif
