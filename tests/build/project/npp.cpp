// SPDX-License-Identifier: Apache-2.0
// NPP: an image is set and added up, by three of its libraries.
#include <cuda_runtime_api.h>
#include <npp.h>

int main()
{
    NppStreamContext context = {};
    NppiSize size = {10, 7};
    int step = 0;
    size_t bytes = 0;
    double *sum, got = 0;
    Npp8u *image = nppiMalloc_8u_C1(size.width, size.height, &step), *buffer;
    bool ok = image && !nppiSet_8u_C1R_Ctx(3, image, step, size, context) &&
              !nppiSumGetBufferHostSize_8u_C1R_Ctx(size, &bytes, context) && !cudaMalloc((void **)&sum, sizeof *sum) &&
              !cudaMalloc((void **)&buffer, bytes) && !nppiSum_8u_C1R_Ctx(image, step, size, buffer, sum, context) &&
              !cudaDeviceSynchronize() && !cudaMemcpy(&got, sum, sizeof got, cudaMemcpyDeviceToHost);
    nppiFree(image);
    return !(ok && got == 210 && nppGetLibVersion()->major == 13);
}
