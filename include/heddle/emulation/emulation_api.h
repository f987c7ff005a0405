/* SPDX-License-Identifier: Apache-2.0 */
/* What code compiled for device emulation (nvcc -deviceemu) and the runtime know of each other. */
#ifndef HEDDLE_EMULATION_API_H
#define HEDDLE_EMULATION_API_H
#include "../../driver_types.h"
#include "../../vector_types.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* The thread that runs now. */
struct __cudaEmulationThread {
    uint3 threadIdx, blockIdx;
    dim3 blockDim, gridDim;
    unsigned int lane;
};
extern struct __cudaEmulationThread __cudaEmulationNow;
/* Dynamic shared memory: blocks run one after another. */
extern char __cudaEmulationShared[];

/* One launch: call(data) is the kernel for one thread. */
struct __cudaEmulationLaunch {
    dim3 __grid, block;
    size_t shared;
    cudaStream_t stream;
    const char *kernel;
    void (*call)(void *data);
    void *data;
};
cudaError_t __cudaEmulationRun(const struct __cudaEmulationLaunch *launch);
/* Every object compiled for emulation says so. */
int __cudaEmulationRegister(void);

/* The block's barrier: how many of its threads gave a value that is not 0. */
int __cudaEmulationBarrier(int value, const char *function, const char *__file, int __line);
/* The warp's: what each lane of the mask gave, valid until this thread waits again; *present: the lanes that did. */
const unsigned long long *__cudaEmulationExchange(unsigned int mask, unsigned long long value, unsigned int *present,
                                                  const char *function, const char *__file, int __line);
/* Lets other threads of the block run: called where a thread tries again. */
void __cudaEmulationYield(void);

/* Reads a texture: the operation and its words are the engine's own. A bad handle gives zeros and an error. */
void __cudaEmulationTexture(unsigned long long texture, unsigned int op, const unsigned int *args, unsigned int *out);

#if defined(__cplusplus)
}
#endif
#endif
