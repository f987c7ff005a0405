// SPDX-License-Identifier: Apache-2.0
// What device emulation in libcudart asks of our own driver: reading a texture from host code.
#include "device/texture/texture.h"
#include "device/texture/sample.h"
#include "driver/driver.h"

__attribute__((visibility("default"))) CUresult heddleTextureRead(unsigned long long texture, unsigned op,
                                                                  const unsigned *args, unsigned *out);
CUresult heddleTextureRead(unsigned long long texture, unsigned op, const unsigned *args, unsigned *out)
{
    const struct texture *t = texture_find(texture, false);
    if (!t)
        return CUDA_ERROR_INVALID_HANDLE;
    texture_sample(t, op, args, 1, out);
    return CUDA_SUCCESS;
}
