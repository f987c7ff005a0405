// SPDX-License-Identifier: Apache-2.0
// texture<T, kind, read mode>: texture references, as in CUDA 1 to 11. One is a variable at file scope; the compiler
// gives device code a .texref of the same name and registers the pair, and host code binds memory or an array to it.
#ifndef __CUDA_TEXTURE_TYPES_H__
#define __CUDA_TEXTURE_TYPES_H__
#include "channel_descriptor.h"
#include "texture_types.h"

#if defined(__cplusplus)
template <class __T, int __texType = cudaTextureType1D, enum cudaTextureReadMode __mode = cudaReadModeElementType>
struct __device_builtin_texture_type__ texture : public textureReference {
    __host__ texture(int norm = 0, enum cudaTextureFilterMode fMode = cudaFilterModePoint,
                     enum cudaTextureAddressMode aMode = cudaAddressModeClamp)
        : textureReference()
    {
        set(norm, fMode, aMode, cudaCreateChannelDesc<__T>());
    }
    __host__ texture(int norm, enum cudaTextureFilterMode fMode, enum cudaTextureAddressMode aMode,
                     struct cudaChannelFormatDesc desc)
        : textureReference()
    {
        set(norm, fMode, aMode, desc);
    }

  private:
    __host__ void set(int norm, enum cudaTextureFilterMode fMode, enum cudaTextureAddressMode aMode,
                      struct cudaChannelFormatDesc desc)
    {
        normalized = norm;
        filterMode = fMode;
        addressMode[0] = addressMode[1] = addressMode[2] = aMode;
        channelDesc = desc;
    }
};
#endif
#endif
