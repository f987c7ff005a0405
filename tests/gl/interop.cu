// SPDX-License-Identifier: Apache-2.0
// Buffers and textures shared with a real OpenGL: an EGL context without a window, what one side draws or computes read by
// the other. Ends with 77 where no such context can be made.
#define GL_GLEXT_PROTOTYPES
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/gl.h>
#include <GL/glext.h>
#include <cuda.h>
#include <cudaGL.h>
#include <cuda_gl_interop.h>
#include "../cu/check.h"

static bool context_make()
{
    auto display_of = (PFNEGLGETPLATFORMDISPLAYEXTPROC)eglGetProcAddress("eglGetPlatformDisplayEXT");
    EGLDisplay display =
        display_of ? display_of(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr) : EGL_NO_DISPLAY;
    if (display == EGL_NO_DISPLAY)
        display = eglGetDisplay(EGL_DEFAULT_DISPLAY);
    EGLint major, minor, count = 0;
    if (display == EGL_NO_DISPLAY || !eglInitialize(display, &major, &minor) || !eglBindAPI(EGL_OPENGL_API))
        return false;
    const EGLint wanted[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_NONE};
    EGLConfig config;
    if (!eglChooseConfig(display, wanted, &config, 1, &count) || !count)
        return false;
    EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, nullptr);
    return context != EGL_NO_CONTEXT && eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context);
}

__global__ void wave(float4 *v, int n, float phase)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        v[i] = make_float4(i * 0.5f, phase + i, v[i].z * 2, 1);
}
__global__ void invert(cudaTextureObject_t from, cudaSurfaceObject_t to, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h) {
        uchar4 c = tex2D<uchar4>(from, x + 0.5f, y + 0.5f);
        surf2Dwrite(make_uchar4(255 - c.x, 255 - c.y, 255 - c.z, c.w), to, x * 4, y);
    }
}

// guide: cudaGLRegisterBufferObject | cudaGLMapBufferObject | cudaGLUnmapBufferObject | cudaGLUnregisterBufferObject
static void old_buffers()
{
    const int n = 1000;
    std::vector<float4> in(n), out(n);
    for (int i = 0; i < n; i++)
        in[i] = make_float4(0, 0, (float)i, 0);
    GLuint vbo;
    glGenBuffers(1, &vbo);
    glBindBuffer(GL_ARRAY_BUFFER, vbo);
    glBufferData(GL_ARRAY_BUFFER, n * sizeof(float4), in.data(), GL_DYNAMIC_DRAW);
    OK(cudaGLSetGLDevice(0));
    OK(cudaGLRegisterBufferObject(vbo));
    EXPECT(cudaGLRegisterBufferObject(vbo) == cudaErrorAlreadyMapped);
    float4 *positions = nullptr;
    OK(cudaGLMapBufferObject((void **)&positions, vbo));
    EXPECT(positions != nullptr);
    EXPECT(cudaGLMapBufferObject((void **)&positions, vbo) == cudaErrorAlreadyMapped);
    wave<<<(n + 255) / 256, 256>>>(positions, n, 3);
    OK(cudaGLUnmapBufferObject(vbo));
    EXPECT(cudaGLUnmapBufferObject(vbo) == cudaErrorNotMapped);
    glGetBufferSubData(GL_ARRAY_BUFFER, 0, n * sizeof(float4), out.data());
    bool right = glGetError() == GL_NO_ERROR;
    for (int i = 0; i < n; i++)
        right &= out[i].x == i * 0.5f && out[i].y == 3 + i && out[i].z == 2 * i && out[i].w == 1;
    EXPECT(right);
    OK(cudaGLSetBufferObjectMapFlags(vbo, cudaGLMapFlagsReadOnly));
    OK(cudaGLMapBufferObjectAsync((void **)&positions, vbo, 0));
    float4 last;
    OK(cudaMemcpy(&last, positions + n - 1, sizeof last, cudaMemcpyDeviceToHost));
    EXPECT(last.y == 3 + n - 1);
    OK(cudaGLUnmapBufferObjectAsync(vbo, 0));
    OK(cudaGLUnregisterBufferObject(vbo));
    EXPECT(cudaGLUnregisterBufferObject(vbo) == cudaErrorInvalidValue);
    EXPECT(cudaGLRegisterBufferObject(987654) == cudaErrorInvalidValue); // no such buffer
    cudaGetLastError();
    glDeleteBuffers(1, &vbo);
}

// guide: cuGLInit | cuGLRegisterBufferObject | cuGLMapBufferObject | cuGLUnmapBufferObject | cuGLUnregisterBufferObject
static void driver_buffers()
{
    GLuint vbo;
    unsigned char bytes[256] = {7}, back[256];
    glGenBuffers(1, &vbo);
    glBindBuffer(GL_ARRAY_BUFFER, vbo);
    glBufferData(GL_ARRAY_BUFFER, sizeof bytes, bytes, GL_STATIC_DRAW);
    EXPECT(cuGLInit() == CUDA_SUCCESS);
    unsigned count = 0;
    CUdevice devices[4];
    EXPECT(cuGLGetDevices(&count, devices, 4, CU_GL_DEVICE_LIST_ALL) == CUDA_SUCCESS && count >= 1 && devices[0] == 0);
    EXPECT(cuGLRegisterBufferObject(vbo) == CUDA_SUCCESS);
    CUdeviceptr p = 0;
    size_t size = 0;
    EXPECT(cuGLMapBufferObject(&p, &size, vbo) == CUDA_SUCCESS && size == sizeof bytes);
    EXPECT(cuMemcpyDtoH(back, p, sizeof back) == CUDA_SUCCESS && back[0] == 7 && back[255] == 0);
    EXPECT(cuMemsetD8(p, 0x5a, sizeof back) == CUDA_SUCCESS);
    EXPECT(cuGLUnmapBufferObject(vbo) == CUDA_SUCCESS);
    EXPECT(cuGLMapBufferObject(&p, &size, 4242) == CUDA_ERROR_INVALID_VALUE);
    glGetBufferSubData(GL_ARRAY_BUFFER, 0, sizeof back, back);
    EXPECT(back[0] == 0x5a && back[255] == 0x5a);
    EXPECT(cuGLUnregisterBufferObject(vbo) == CUDA_SUCCESS);
    glDeleteBuffers(1, &vbo);
}

static void resources()
{
    const int w = 61, h = 37;
    // OpenGL draws, a kernel inverts, OpenGL reads.
    GLuint texture[2], frame;
    glGenTextures(2, texture);
    for (GLuint t : texture) {
        glBindTexture(GL_TEXTURE_2D, t);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, w, h, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    }
    glGenFramebuffers(1, &frame);
    glBindFramebuffer(GL_FRAMEBUFFER, frame);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture[0], 0);
    glViewport(0, 0, w, h);
    glClearColor(1, 0, 0.2f, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glEnable(GL_SCISSOR_TEST);
    glScissor(10, 5, 20, 8);
    glClearColor(0, 0.4f, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    cudaGraphicsResource *r[2];
    OK(cudaGraphicsGLRegisterImage(&r[0], texture[0], GL_TEXTURE_2D, cudaGraphicsRegisterFlagsReadOnly));
    OK(cudaGraphicsGLRegisterImage(&r[1], texture[1], GL_TEXTURE_2D,
                                   cudaGraphicsRegisterFlagsSurfaceLoadStore | cudaGraphicsRegisterFlagsWriteDiscard));
    cudaArray_t from, to;
    EXPECT(cudaGraphicsSubResourceGetMappedArray(&from, r[0], 0, 0) == cudaErrorNotMapped);
    OK(cudaGraphicsMapResources(2, r, 0));
    EXPECT(cudaGraphicsMapResources(1, r, 0) == cudaErrorAlreadyMapped);
    OK(cudaGraphicsSubResourceGetMappedArray(&from, r[0], 0, 0));
    OK(cudaGraphicsSubResourceGetMappedArray(&to, r[1], 0, 0));
    EXPECT(cudaGraphicsSubResourceGetMappedArray(&to, r[1], 0, 5) == cudaErrorInvalidValue);
    void *pointer;
    size_t size;
    EXPECT(cudaGraphicsResourceGetMappedPointer(&pointer, &size, r[0]) == cudaErrorNotMappedAsPointer);
    cudaGetLastError();
    OK(cudaGraphicsSubResourceGetMappedArray(&to, r[1], 0, 0));
    cudaExtent extent;
    cudaChannelFormatDesc desc;
    unsigned flags;
    OK(cudaArrayGetInfo(&desc, &extent, &flags, from));
    EXPECT(extent.width == w && extent.height == h && desc.x == 8 && desc.w == 8 &&
           desc.f == cudaChannelFormatKindUnsigned);
    cudaResourceDesc rd = {};
    rd.resType = cudaResourceTypeArray;
    rd.res.array.array = from;
    cudaTextureDesc td = {};
    cudaTextureObject_t tex;
    cudaSurfaceObject_t surf;
    OK(cudaCreateTextureObject(&tex, &rd, &td, nullptr));
    rd.res.array.array = to;
    OK(cudaCreateSurfaceObject(&surf, &rd));
    invert<<<dim3(4, 5), dim3(16, 8)>>>(tex, surf, w, h);
    OK(cudaGraphicsUnmapResources(2, r, 0));
    OK(cudaDestroyTextureObject(tex));
    OK(cudaDestroySurfaceObject(surf));
    std::vector<unsigned char> pixels(w * h * 4);
    glBindTexture(GL_TEXTURE_2D, texture[1]);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
    bool right = glGetError() == GL_NO_ERROR;
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            const unsigned char *c = &pixels[(y * w + x) * 4];
            bool inside = x >= 10 && x < 30 && y >= 5 && y < 13;
            right &= inside ? c[0] == 255 && c[1] == 153 && c[2] == 255 : c[0] == 0 && c[1] == 255 && c[2] == 204;
        }
    EXPECT(right);
    GLint alignment;
    glGetIntegerv(GL_PACK_ALIGNMENT, &alignment);
    EXPECT(alignment == 1); // the program's own state has stayed
    OK(cudaGraphicsUnregisterResource(r[0]));
    OK(cudaGraphicsUnregisterResource(r[1]));
    EXPECT(cudaGraphicsUnregisterResource(r[1]) == cudaErrorInvalidResourceHandle);

    // A buffer by the same functions, and a 3D texture with floats.
    GLuint buffer, volume;
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, 4096, nullptr, GL_DYNAMIC_DRAW);
    cudaGraphicsResource *b;
    OK(cudaGraphicsGLRegisterBuffer(&b, buffer, cudaGraphicsRegisterFlagsNone));
    OK(cudaGraphicsResourceSetMapFlags(b, cudaGraphicsMapFlagsWriteDiscard));
    OK(cudaGraphicsMapResources(1, &b, 0));
    OK(cudaGraphicsResourceGetMappedPointer(&pointer, &size, b));
    EXPECT(size == 4096);
    EXPECT(cudaGraphicsSubResourceGetMappedArray(&from, b, 0, 0) == cudaErrorNotMappedAsArray);
    OK(cudaMemset(pointer, 0x11, size));
    OK(cudaGraphicsUnmapResources(1, &b, 0));
    unsigned word = 0;
    glGetBufferSubData(GL_ARRAY_BUFFER, 4092, 4, &word);
    EXPECT(word == 0x11111111);
    OK(cudaGraphicsUnregisterResource(b));
    std::vector<float> voxels(8 * 4 * 3);
    for (size_t i = 0; i < voxels.size(); i++)
        voxels[i] = i * 0.25f;
    glGenTextures(1, &volume);
    glBindTexture(GL_TEXTURE_3D, volume);
    glTexParameteri(GL_TEXTURE_3D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexImage3D(GL_TEXTURE_3D, 0, GL_R32F, 8, 4, 3, 0, GL_RED, GL_FLOAT, voxels.data());
    OK(cudaGraphicsGLRegisterImage(&b, volume, GL_TEXTURE_3D, 0));
    OK(cudaGraphicsMapResources(1, &b, 0));
    OK(cudaGraphicsSubResourceGetMappedArray(&from, b, 0, 0));
    std::vector<float> got(voxels.size());
    cudaMemcpy3DParms m = {};
    m.srcArray = from;
    m.dstPtr = make_cudaPitchedPtr(got.data(), 8 * 4, 8, 4);
    m.extent = make_cudaExtent(8, 4, 3);
    m.kind = cudaMemcpyDeviceToHost;
    OK(cudaMemcpy3D(&m));
    EXPECT(got == voxels);
    for (float &v : got)
        v += 1;
    cudaMemcpy3DParms back = {};
    back.dstArray = from;
    back.srcPtr = m.dstPtr;
    back.extent = m.extent;
    back.kind = cudaMemcpyHostToDevice;
    OK(cudaMemcpy3D(&back));
    OK(cudaGraphicsUnmapResources(1, &b, 0));
    OK(cudaGraphicsUnregisterResource(b));
    glGetTexImage(GL_TEXTURE_3D, 0, GL_RED, GL_FLOAT, voxels.data());
    EXPECT(got == voxels);
    EXPECT(cudaGraphicsGLRegisterImage(&b, 98765, GL_TEXTURE_2D, 0) == cudaErrorInvalidValue);
    EXPECT(cudaGraphicsGLRegisterImage(&b, volume, GL_TEXTURE_2D, 0) == cudaErrorInvalidValue); // it is a 3D one
    EXPECT(cudaGraphicsMapResources(1, (cudaGraphicsResource **)&voxels, 0) == cudaErrorInvalidResourceHandle);
    EXPECT(cudaGraphicsMapResources(0, nullptr, 0) == cudaErrorInvalidValue);
    cudaGetLastError();
    while (glGetError() != GL_NO_ERROR)
        ;
}

// A renderbuffer that OpenGL draws into, inverted by a kernel, with a scissor that must not cut what is written back.
static void renderbuffers()
{
    const int w = 33, h = 17;
    GLuint rb, frame;
    glGenRenderbuffers(1, &rb);
    glBindRenderbuffer(GL_RENDERBUFFER, rb);
    cudaGraphicsResource *r;
    EXPECT(cudaGraphicsGLRegisterImage(&r, rb, GL_RENDERBUFFER, 0) == cudaErrorInvalidValue); // nothing in it yet
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, w, h);
    glGenFramebuffers(1, &frame);
    glBindFramebuffer(GL_FRAMEBUFFER, frame);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, rb);
    glDisable(GL_SCISSOR_TEST);
    glClearColor(1, 0, 0.2f, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glEnable(GL_SCISSOR_TEST);
    glScissor(4, 5, 6, 7);
    glClearColor(0, 0.4f, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    OK(cudaGraphicsGLRegisterImage(&r, rb, GL_RENDERBUFFER, cudaGraphicsRegisterFlagsSurfaceLoadStore));
    OK(cudaGraphicsMapResources(1, &r, 0));
    cudaArray_t array;
    OK(cudaGraphicsSubResourceGetMappedArray(&array, r, 0, 0));
    EXPECT(cudaGraphicsSubResourceGetMappedArray(&array, r, 1, 0) == cudaErrorInvalidValue);
    cudaGetLastError();
    cudaResourceDesc rd = {};
    rd.resType = cudaResourceTypeArray;
    rd.res.array.array = array;
    cudaTextureDesc td = {};
    cudaTextureObject_t tex;
    cudaSurfaceObject_t surf;
    OK(cudaCreateTextureObject(&tex, &rd, &td, nullptr));
    OK(cudaCreateSurfaceObject(&surf, &rd));
    invert<<<dim3(3, 3), dim3(16, 8)>>>(tex, surf, w, h);
    OK(cudaGraphicsUnmapResources(1, &r, 0));
    OK(cudaDestroyTextureObject(tex));
    OK(cudaDestroySurfaceObject(surf));
    GLint bound[3];
    glGetIntegerv(GL_FRAMEBUFFER_BINDING, &bound[0]);
    glGetIntegerv(GL_READ_FRAMEBUFFER_BINDING, &bound[1]);
    glGetIntegerv(GL_RENDERBUFFER_BINDING, &bound[2]);
    EXPECT(bound[0] == (GLint)frame && bound[1] == (GLint)frame && bound[2] == (GLint)rb &&
           glIsEnabled(GL_SCISSOR_TEST));
    std::vector<unsigned char> pixels(w * h * 4);
    glReadPixels(0, 0, w, h, GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
    bool right = glGetError() == GL_NO_ERROR;
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            const unsigned char *c = &pixels[(y * w + x) * 4];
            bool inside = x >= 4 && x < 10 && y >= 5 && y < 12;
            right &= inside ? c[0] == 255 && c[1] == 153 && c[2] == 255 : c[0] == 0 && c[1] == 255 && c[2] == 204;
        }
    EXPECT(right);
    OK(cudaGraphicsUnregisterResource(r));
    // Depth is for OpenGL alone, and so is a pixel of several samples.
    glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH_COMPONENT24, w, h);
    EXPECT(cudaGraphicsGLRegisterImage(&r, rb, GL_RENDERBUFFER, 0) == cudaErrorInvalidValue);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, 4, GL_RGBA8, w, h);
    EXPECT(cudaGraphicsGLRegisterImage(&r, rb, GL_RENDERBUFFER, 0) == cudaErrorInvalidValue);
    EXPECT(cudaGraphicsGLRegisterImage(&r, 98765, GL_RENDERBUFFER, 0) == cudaErrorInvalidValue);
    cudaGetLastError();
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDeleteFramebuffers(1, &frame);
    glDeleteRenderbuffers(1, &rb);
}

// The layers of an array of textures and the faces of a cube map, each level of each as an array of two dimensions.
static void layers(GLenum target)
{
    const int size = 8, levels = 3, count = target == GL_TEXTURE_CUBE_MAP ? 6 : 5;
    GLuint texture;
    glGenTextures(1, &texture);
    glBindTexture(target, texture);
    glTexParameteri(target, GL_TEXTURE_MAX_LEVEL, levels - 1);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    for (int l = 0; l < levels; l++) {
        int n = size >> l;
        std::vector<unsigned> texels(n * n * count);
        for (int i = 0; i < n * n * count; i++)
            texels[i] = 1000000 * l + i;
        if (target == GL_TEXTURE_2D_ARRAY)
            glTexImage3D(target, l, GL_R32UI, n, n, count, 0, GL_RED_INTEGER, GL_UNSIGNED_INT, texels.data());
        else
            for (int f = 0; f < count; f++)
                glTexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + f, l, GL_R32UI, n, n, 0, GL_RED_INTEGER, GL_UNSIGNED_INT,
                             &texels[n * n * f]);
    }
    EXPECT(glGetError() == GL_NO_ERROR);
    cudaGraphicsResource *r;
    OK(cudaGraphicsGLRegisterImage(&r, texture, target, cudaGraphicsRegisterFlagsNone));
    OK(cudaGraphicsMapResources(1, &r, 0));
    cudaArray_t array, again;
    for (int l = 0; l < levels; l++)
        for (int f = 0; f < count; f++) {
            int n = size >> l;
            std::vector<unsigned> texels(n * n);
            cudaExtent extent;
            cudaChannelFormatDesc desc;
            unsigned flags;
            OK(cudaGraphicsSubResourceGetMappedArray(&array, r, f, l));
            OK(cudaGraphicsSubResourceGetMappedArray(&again, r, f, l));
            OK(cudaArrayGetInfo(&desc, &extent, &flags, array));
            EXPECT(again == array && extent.width == (size_t)n && extent.height == (size_t)n && !extent.depth &&
                   !flags);
            OK(cudaMemcpy2DFromArray(texels.data(), n * 4, array, 0, 0, n * 4, n, cudaMemcpyDeviceToHost));
            bool right = true;
            for (int i = 0; i < n * n; i++) {
                right &= texels[i] == 1000000u * l + n * n * f + i;
                texels[i] += 500000;
            }
            EXPECT(right);
            OK(cudaMemcpy2DToArray(array, 0, 0, texels.data(), n * 4, n * 4, n, cudaMemcpyHostToDevice));
        }
    EXPECT(cudaGraphicsSubResourceGetMappedArray(&array, r, count, 0) == cudaErrorInvalidValue);
    EXPECT(cudaGraphicsSubResourceGetMappedArray(&array, r, 0, levels) == cudaErrorInvalidValue);
    cudaMipmappedArray_t whole;
    OK(cudaGraphicsResourceGetMappedMipmappedArray(&whole, r));
    OK(cudaGetMipmappedArrayLevel(&again, whole, 0));
    cudaExtent extent;
    OK(cudaArrayGetInfo(nullptr, &extent, nullptr, again));
    EXPECT(extent.depth == (size_t)count);
    OK(cudaGraphicsUnmapResources(1, &r, 0));
    bool right = true;
    for (int l = 0; l < levels; l++) {
        int n = size >> l;
        std::vector<unsigned> texels(n * n * count);
        if (target == GL_TEXTURE_2D_ARRAY)
            glGetTexImage(target, l, GL_RED_INTEGER, GL_UNSIGNED_INT, texels.data());
        else
            for (int f = 0; f < count; f++)
                glGetTexImage(GL_TEXTURE_CUBE_MAP_POSITIVE_X + f, l, GL_RED_INTEGER, GL_UNSIGNED_INT,
                              &texels[n * n * f]);
        for (int i = 0; i < n * n * count; i++)
            right &= texels[i] == 1000000u * l + 500000 + i;
    }
    EXPECT(right && glGetError() == GL_NO_ERROR);
    OK(cudaGraphicsUnregisterResource(r));
    EXPECT(cudaArrayGetInfo(nullptr, &extent, nullptr, array) != cudaSuccess); // it went with the texture
    cudaGetLastError();
    glDeleteTextures(1, &texture);
}

int main()
{
    if (!context_make()) {
        std::printf("no OpenGL context without a window can be made here\n");
        return 77;
    }
    std::printf("%s\n", (const char *)glGetString(GL_RENDERER));
    old_buffers();
    driver_buffers();
    resources();
    renderbuffers();
    layers(GL_TEXTURE_2D_ARRAY);
    layers(GL_TEXTURE_CUBE_MAP);
    eglMakeCurrent(eglGetCurrentDisplay(), EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    EXPECT(cudaGLRegisterBufferObject(1) == cudaErrorInvalidGraphicsContext);
    cudaGetLastError();
    return DONE();
}
