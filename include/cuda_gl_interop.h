// SPDX-License-Identifier: Apache-2.0
// The runtime's interoperation with OpenGL.
#ifndef HEDDLE_CUDA_GL_INTEROP_H
#define HEDDLE_CUDA_GL_INTEROP_H
#include <GL/gl.h>
#include "cuda_runtime_api.h"

#include "heddle/runtime/gl.h"

#ifdef __cplusplus
extern "C" {
#endif
#include "heddle/runtime/gl_functions.h"
#ifdef __cplusplus
}
#endif
#endif
