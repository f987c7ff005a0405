// SPDX-License-Identifier: Apache-2.0
// __nvcc_device_query: prints the compute capabilities of the devices, "90" or "80,90". Makefiles call it to choose -arch.
#include <cuda_runtime_api.h>
#include <stdio.h>

// The driver is found from where this program stands, in a tree that was moved as well.
extern const char __heddle_sdk_lib[];
const char __heddle_sdk_lib[] = "";

int main(void)
{
    int count = 0, seen[64], n = 0;
    cudaError_t e = cudaGetDeviceCount(&count);
    if (e != cudaSuccess) {
        fprintf(stderr, "__nvcc_device_query: %s\n", cudaGetErrorString(e));
        return 1;
    }
    for (int i = 0; i < count && n < 64; i++) {
        int major, minor, known = 0;
        if (cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, i) ||
            cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, i))
            continue;
        for (int k = 0; k < n; k++)
            known |= seen[k] == major * 10 + minor;
        if (!known)
            seen[n++] = major * 10 + minor;
    }
    for (int k = 0; k < n; k++)
        printf("%s%d", k ? "," : "", seen[k]);
    printf("\n");
    return 0;
}
