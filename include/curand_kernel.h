// SPDX-License-Identifier: Apache-2.0
// cuRAND's generators in kernels: XORWOW, Philox, MRG32k3a, MTGP32, Sobol and their distributions. The sequences are
// those of NVIDIA's library, bit by bit, and so are the uniform numbers; normal ones are as exact as the functions of
// the device math library that they are made with.
#ifndef CURAND_KERNEL_H_
#define CURAND_KERNEL_H_
#if !defined(QUALIFIERS)
#define QUALIFIERS static __forceinline__ __device__
#endif
#if !defined(__CUDACC_RTC__)
#include <math.h>
#include <string.h>
#if !defined(__CUDACC__)
#include "heddle/math/math_host.h"
#endif
#endif
#include "curand.h"
#include "curand_globals.h"
#include "heddle/curand/discrete_types.h"
#include "heddle/curand/jump_tables.h"
#include "heddle/curand/xorwow.h"
#include "heddle/curand/philox.h"
#include "heddle/curand/mrg32k3a.h"
#include "heddle/curand/mtgp32.h"
#include "heddle/curand/sobol.h"
#include "heddle/curand/uniform.h"
#include "heddle/curand/normal.h"
#include "heddle/curand/poisson.h"
#include "heddle/curand/discrete.h"
#endif
