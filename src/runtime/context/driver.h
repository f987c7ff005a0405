// SPDX-License-Identifier: Apache-2.0
// The driver library that libcudart works on, found at run time, and its entry points.
#ifndef HEDDLE_RUNTIME_CONTEXT_DRIVER_H
#define HEDDLE_RUNTIME_CONTEXT_DRIVER_H
#include <cuda.h>
#include <cudaProfiler.h>
#include <stdbool.h>

// What cudaGL.h declares, without OpenGL's header: GLuint and GLenum are unsigned numbers.
CUresult CUDAAPI cuGraphicsGLRegisterBuffer(CUgraphicsResource *resource, unsigned buffer, unsigned flags);
CUresult CUDAAPI cuGraphicsGLRegisterImage(CUgraphicsResource *resource, unsigned image, unsigned target,
                                           unsigned flags);
CUresult CUDAAPI cuGLGetDevices_v2(unsigned *count, CUdevice *devices, unsigned limit, unsigned list);
CUresult CUDAAPI cuGLRegisterBufferObject(unsigned buffer);
CUresult CUDAAPI cuGLUnmapBufferObject(unsigned buffer);
CUresult CUDAAPI cuGLUnregisterBufferObject(unsigned buffer);
CUresult CUDAAPI cuGLSetBufferObjectMapFlags(unsigned buffer, unsigned flags);
CUresult CUDAAPI cuGLMapBufferObjectAsync_v2(CUdeviceptr *pointer, size_t *size, unsigned buffer, CUstream stream);
CUresult CUDAAPI cuGLUnmapBufferObjectAsync(unsigned buffer, CUstream stream);

struct driver {
#define CALL(name)     __typeof__(&name) name;
#define CALL_ANY(name) CALL(name)
#include "runtime/context/driver_calls.def"
#undef CALL
#undef CALL_ANY
    // Our own driver's: the memory at address is a managed variable of the library, which was not used before; it gets
    // its first value. CUDA_ERROR_NOT_FOUND: no such variable, or not managed. NULL with other drivers.
    CUresult (*library_bind)(CUlibrary library, const char *name, void *address, size_t bytes);
    // Our own driver's, for device emulation: reads a texture. NULL with other drivers.
    CUresult (*texture_read)(unsigned long long texture, unsigned op, const unsigned *args, unsigned *out);
};
extern struct driver drv;

// Finds a driver (choose.h) and fills drv. Called under the lock of rt_init, until it succeeds. False: there is none at all,
// or there is no memory for it.
bool driver_load(bool *lacks_memory);
#endif
