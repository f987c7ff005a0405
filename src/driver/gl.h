// The few functions of OpenGL that interoperation calls, found in the process at run time: libcuda is not linked with it.
#ifndef HEDDLE_DRIVER_GL_H
#define HEDDLE_DRIVER_GL_H
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
    GL(void, PixelStorei, (unsigned name, int value))                                                                  \
    GL(void, Finish, (void))

struct gl {
#define GL(result, name, params) result(*name) params;
    GL_FUNCTIONS(GL)
#undef GL
};

// For the OpenGL context that is current in this thread; false when there is none or it lacks a function.
bool gl_load(struct gl *gl);
#endif
