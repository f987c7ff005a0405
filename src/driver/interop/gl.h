// SPDX-License-Identifier: Apache-2.0
// The few functions of OpenGL that interoperation calls, found in the process at run time: libcuda is not linked with
// it.
#ifndef HEDDLE_DRIVER_INTEROP_GL_H
#define HEDDLE_DRIVER_INTEROP_GL_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    GL_TEXTURE_1D = 0x0de0,
    GL_TEXTURE_2D = 0x0de1,
    GL_TEXTURE_3D = 0x806f,
    GL_TEXTURE_RECTANGLE = 0x84f5,
    GL_TEXTURE_CUBE_MAP = 0x8513,
    GL_TEXTURE_CUBE_MAP_POSITIVE_X = 0x8515,
    GL_TEXTURE_2D_ARRAY = 0x8c1a,
    GL_RENDERBUFFER = 0x8d41,
    GL_RENDERBUFFER_BINDING = 0x8ca7,
    GL_RENDERBUFFER_WIDTH = 0x8d42,
    GL_RENDERBUFFER_HEIGHT = 0x8d43,
    GL_RENDERBUFFER_INTERNAL_FORMAT = 0x8d44,
    GL_RENDERBUFFER_SAMPLES = 0x8cab,
    GL_READ_FRAMEBUFFER = 0x8ca8,
    GL_DRAW_FRAMEBUFFER = 0x8ca9,
    GL_READ_FRAMEBUFFER_BINDING = 0x8caa,
    GL_DRAW_FRAMEBUFFER_BINDING = 0x8ca6,
    GL_COLOR_ATTACHMENT0 = 0x8ce0,
    GL_TEXTURE_BINDING_2D = 0x8069,
    GL_COLOR_BUFFER_BIT = 0x4000,
    GL_NEAREST = 0x2600,
    GL_SCISSOR_TEST = 0x0c11,
    GL_FRAMEBUFFER_SRGB = 0x8db9,
    GL_TEXTURE_WIDTH = 0x1000,
    GL_TEXTURE_HEIGHT = 0x1001,
    GL_TEXTURE_INTERNAL_FORMAT = 0x1003,
    GL_TEXTURE_DEPTH = 0x8071,
    GL_COPY_WRITE_BUFFER = 0x8f37,
    GL_PIXEL_PACK_BUFFER = 0x88eb,
    GL_PIXEL_UNPACK_BUFFER = 0x88ec,
    GL_PIXEL_PACK_BUFFER_BINDING = 0x88ed,
    GL_PIXEL_UNPACK_BUFFER_BINDING = 0x88ef,
    GL_BUFFER_SIZE = 0x8764,
    GL_MAP_READ_BIT = 1,
    GL_MAP_WRITE_BIT = 2,
    GL_MAP_INVALIDATE_BUFFER_BIT = 8
};

// GL(result, name, parameters)
#define GL_FUNCTIONS(GL)                                                                                               \
    GL(unsigned, GetError, (void))                                                                                     \
    GL(void, GetIntegerv, (unsigned name, int *value))                                                                 \
    GL(unsigned char, IsBuffer, (unsigned buffer))                                                                     \
    GL(void, BindBuffer, (unsigned target, unsigned buffer))                                                           \
    GL(void, GetBufferParameteri64v, (unsigned target, unsigned name, int64_t *value))                                 \
    GL(void *, MapBufferRange, (unsigned target, ptrdiff_t offset, ptrdiff_t size, unsigned access))                   \
    GL(unsigned char, UnmapBuffer, (unsigned target))                                                                  \
    GL(unsigned char, IsTexture, (unsigned texture))                                                                   \
    GL(void, BindTexture, (unsigned target, unsigned texture))                                                         \
    GL(void, GetTexLevelParameteriv, (unsigned target, int level, unsigned name, int *value))                          \
    GL(void, GetTexImage, (unsigned target, int level, unsigned format, unsigned type, void *pixels))                  \
    GL(void, TexSubImage1D,                                                                                            \
       (unsigned target, int level, int x, int width, unsigned format, unsigned type, const void *pixels))             \
    GL(void, TexSubImage2D,                                                                                            \
       (unsigned target, int level, int x, int y, int width, int height, unsigned format, unsigned type,               \
        const void *pixels))                                                                                           \
    GL(void, TexSubImage3D,                                                                                            \
       (unsigned target, int level, int x, int y, int z, int width, int height, int depth, unsigned format,            \
        unsigned type, const void *pixels))                                                                            \
    GL(void, GenTextures, (int count, unsigned *names))                                                                \
    GL(void, DeleteTextures, (int count, const unsigned *names))                                                       \
    GL(void, TexImage2D,                                                                                               \
       (unsigned target, int level, int internal, int width, int height, int border, unsigned format, unsigned type,   \
        const void *pixels))                                                                                           \
    GL(unsigned char, IsRenderbuffer, (unsigned name))                                                                 \
    GL(void, BindRenderbuffer, (unsigned target, unsigned name))                                                       \
    GL(void, GetRenderbufferParameteriv, (unsigned target, unsigned name, int *value))                                 \
    GL(void, GenFramebuffers, (int count, unsigned *names))                                                            \
    GL(void, DeleteFramebuffers, (int count, const unsigned *names))                                                   \
    GL(void, BindFramebuffer, (unsigned target, unsigned name))                                                        \
    GL(void, FramebufferRenderbuffer, (unsigned target, unsigned attachment, unsigned kind, unsigned name))            \
    GL(void, FramebufferTexture2D, (unsigned target, unsigned attachment, unsigned kind, unsigned name, int level))    \
    GL(void, ReadPixels, (int x, int y, int width, int height, unsigned format, unsigned type, void *pixels))          \
    GL(void, BlitFramebuffer,                                                                                          \
       (int x0, int y0, int x1, int y1, int to_x0, int to_y0, int to_x1, int to_y1, unsigned mask, unsigned filter))   \
    GL(unsigned char, IsEnabled, (unsigned what))                                                                      \
    GL(void, Enable, (unsigned what))                                                                                  \
    GL(void, Disable, (unsigned what))                                                                                 \
    GL(void, PixelStorei, (unsigned name, int value))                                                                  \
    GL(void, Finish, (void))

struct gl {
#define GL(result, name, params) result(*name) params;
    GL_FUNCTIONS(GL)
#undef GL
};

// What is known of a renderbuffer, as glGetRenderbufferParameteriv tells it; false: there is none, or it has several
// samples a pixel.
struct gl_image {
    int width, height, internal;
    unsigned transfer, type; // how its pixels are given to OpenGL
};
bool gl_renderbuffer_describe(struct gl *gl, unsigned name, struct gl_image *out);
// Between a renderbuffer and pixels in memory, with the program's pixel storage as it is. OpenGL draws into a
// renderbuffer only: what is written goes through a texture.
void gl_renderbuffer_read(struct gl *gl, unsigned name, const struct gl_image *image, void *pixels);
void gl_renderbuffer_write(struct gl *gl, unsigned name, const struct gl_image *image, const void *pixels);

// For the OpenGL context that is current in this thread; false when there is none or it lacks a function.
bool gl_load(struct gl *gl);
#endif
