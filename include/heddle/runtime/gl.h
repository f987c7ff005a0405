// SPDX-License-Identifier: Apache-2.0
// Values of the runtime's interoperation with OpenGL.
#ifndef HEDDLE_INCLUDE_RUNTIME_GL_H
#define HEDDLE_INCLUDE_RUNTIME_GL_H

enum cudaGLDeviceList { cudaGLDeviceListAll = 1, cudaGLDeviceListCurrentFrame = 2, cudaGLDeviceListNextFrame = 3 };
enum cudaGLMapFlags { cudaGLMapFlagsNone = 0, cudaGLMapFlagsReadOnly = 1, cudaGLMapFlagsWriteDiscard = 2 };

#endif
