// SPDX-License-Identifier: Apache-2.0
// The driver library that libcudart works on, found at run time, and its entry points.
#ifndef HEDDLE_RUNTIME_CONTEXT_DRIVER_H
#define HEDDLE_RUNTIME_CONTEXT_DRIVER_H
#include <cuda.h>
#include <cudaD3D9.h>
#include <cudaProfiler.h>
#include <stdbool.h>

// What cudaGL.h has, without OpenGL's header.
#include <heddle/driver/gl.h>
#include <heddle/driver/gl_functions.h>

// Every function that the driver's table declares. The name after cuda.h's macros is the one looked up, so that a call and its
// arguments always are of the same version. What a driver lacks answers CUDA_ERROR_NOT_SUPPORTED.
// CALL_ANY(function): the first version, which takes the same arguments, serves where a driver is too old for the newest.
struct driver {
#define CALL(name)     __typeof__(&name) name;
#define CALL_ANY(name) CALL(name)
#include "heddle/driver/calls.def"
#undef CALL
#undef CALL_ANY
    // Our own driver's: the memory at address is a managed variable of the library, which was not used before; it gets
    // its first value. CUDA_ERROR_NOT_FOUND: no such variable, or not managed. NULL with other drivers.
    CUresult (*library_bind)(CUlibrary library, const char *name, void *address, size_t bytes);
    // Our own driver's, for device emulation: reads a texture. NULL with other drivers.
    CUresult (*texture_read)(unsigned long long texture, unsigned op, const unsigned *args, unsigned *out);
    const struct timeline_access *timeline; // our own driver's; NULL with others
};
extern struct driver drv;

// Finds a driver (choose.h) and fills drv. Called under the lock of rt_init, until it succeeds. False: there is none at all,
// or there is no memory for it.
bool driver_load(bool *lacks_memory);
#endif
