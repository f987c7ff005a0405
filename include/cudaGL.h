// SPDX-License-Identifier: Apache-2.0
// The driver interface's interoperation with OpenGL.
#ifndef HEDDLE_CUDAGL_H
#define HEDDLE_CUDAGL_H
#include <GL/gl.h>
#include "cuda.h"

#include "heddle/driver/gl.h"

#ifdef __cplusplus
extern "C" {
#endif
#include "heddle/driver/gl_functions.h"
#ifdef __cplusplus
}
#endif
#endif
