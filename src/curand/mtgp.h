// SPDX-License-Identifier: Apache-2.0
// MTGP32's states, for the library's own C.
#ifndef HEDDLE_CURAND_MTGP_H
#define HEDDLE_CURAND_MTGP_H
#include <curand_mtgp32.h>

// The parameters in the layout of kernels, and count seeded states that will find them at a device address.
void heddle_mtgp_fill(struct mtgp32_kernel_params *p, struct curandStateMtgp32 *states, unsigned int count,
                      unsigned long long seed, void *device_parameters);
#endif
