// surface<T, kind>: surface references, as in CUDA 3 to 11; see cuda_texture_types.h.
#ifndef __CUDA_SURFACE_TYPES_H__
#define __CUDA_SURFACE_TYPES_H__
#include "channel_descriptor.h"
#include "surface_types.h"

#if defined(__cplusplus)
template <class T, int dim = cudaSurfaceType1D>
struct __device_builtin_surface_type__ surface : public surfaceReference {
    __host__ surface() : surfaceReference()
    {
        channelDesc = cudaCreateChannelDesc<T>();
    }
};
template <int dim> struct __device_builtin_surface_type__ surface<void, dim> : public surfaceReference {
    __host__ surface() : surfaceReference() {}
};
#endif
#endif
