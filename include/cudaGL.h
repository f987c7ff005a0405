// SPDX-License-Identifier: Apache-2.0
// The driver interface's interoperation with OpenGL.
#ifndef HEDDLE_CUDAGL_H
#define HEDDLE_CUDAGL_H
#include <GL/gl.h>
#include "cuda.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum CUGLDeviceList_enum {
    CU_GL_DEVICE_LIST_ALL = 0x01,
    CU_GL_DEVICE_LIST_CURRENT_FRAME = 0x02,
    CU_GL_DEVICE_LIST_NEXT_FRAME = 0x03
} CUGLDeviceList;
typedef enum CUGLmap_flags_enum {
    CU_GL_MAP_RESOURCE_FLAGS_NONE = 0x00,
    CU_GL_MAP_RESOURCE_FLAGS_READ_ONLY = 0x01,
    CU_GL_MAP_RESOURCE_FLAGS_WRITE_DISCARD = 0x02
} CUGLmap_flags;

#define cuGLCtxCreate            cuGLCtxCreate_v2
#define cuGLGetDevices           cuGLGetDevices_v2
#define cuGLMapBufferObject      cuGLMapBufferObject_v2
#define cuGLMapBufferObjectAsync cuGLMapBufferObjectAsync_v2

CUresult CUDAAPI cuGraphicsGLRegisterBuffer(CUgraphicsResource *resource, GLuint __buffer, unsigned int flags);
CUresult CUDAAPI cuGraphicsGLRegisterImage(CUgraphicsResource *resource, GLuint __image, GLenum __target,
                                           unsigned int flags);
CUresult CUDAAPI cuGLGetDevices(unsigned int *count, CUdevice *__devices, unsigned int __limit, CUGLDeviceList list);
CUresult CUDAAPI cuGLCtxCreate(CUcontext *__context, unsigned int flags, CUdevice device);
// The calls of CUDA 1, by the number of the buffer.
CUresult CUDAAPI cuGLInit(void);
CUresult CUDAAPI cuGLRegisterBufferObject(GLuint __buffer);
CUresult CUDAAPI cuGLMapBufferObject(CUdeviceptr *pointer, size_t *size, GLuint __buffer);
CUresult CUDAAPI cuGLUnmapBufferObject(GLuint __buffer);
CUresult CUDAAPI cuGLUnregisterBufferObject(GLuint __buffer);
CUresult CUDAAPI cuGLSetBufferObjectMapFlags(GLuint __buffer, unsigned int flags);
CUresult CUDAAPI cuGLMapBufferObjectAsync(CUdeviceptr *pointer, size_t *size, GLuint __buffer, CUstream stream);
CUresult CUDAAPI cuGLUnmapBufferObjectAsync(GLuint __buffer, CUstream stream);

#ifdef __cplusplus
}
#endif
#endif
