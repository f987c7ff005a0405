// SPDX-License-Identifier: Apache-2.0
// cuSOLVER by its target: the factor of a matrix of one number.
#include <cuda_runtime.h>
#include <cusolverDn.h>

int main()
{
    const double number = 9;
    double *device = nullptr, root = 0;
    int *info = nullptr, room = 0;
    cusolverDnHandle_t handle;
    bool ok = !cusolverDnCreate(&handle) && !cudaMalloc(&device, sizeof number) && !cudaMalloc(&info, sizeof(int)) &&
              !cudaMemcpy(device, &number, sizeof number, cudaMemcpyHostToDevice) &&
              !cusolverDnDpotrf_bufferSize(handle, CUBLAS_FILL_MODE_LOWER, 1, device, 1, &room);
    double *work = nullptr;
    ok = ok && !cudaMalloc(&work, (size_t)room * sizeof(double)) &&
         !cusolverDnDpotrf(handle, CUBLAS_FILL_MODE_LOWER, 1, device, 1, work, room, info) &&
         !cudaMemcpy(&root, device, sizeof root, cudaMemcpyDeviceToHost) && !cusolverDnDestroy(handle);
    return !ok || root != 3;
}
