// SPDX-License-Identifier: Apache-2.0
// OpenGL: a kernel writes the corners of a surface into a buffer of OpenGL's, which draws it into an image without any window (EGL), and a second
// kernel reads that image as a texture and counts its colours. Under Xvfb, or with no display at all, Mesa draws on the CPU.
// Options: -lEGL -lGL -lcuda
// Needs: EGL/egl.h GL/glext.h
// Picture: gl_wave.png
#include "../check.h"
#define GL_GLEXT_PROTOTYPES
#include "../picture.h"
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/gl.h>
#include <GL/glext.h>
#include <cuda_gl_interop.h>
#include <vector>

constexpr int SIDE = 48, CORNERS = SIDE * SIDE * 6, W = 240, H = 160;

struct corner {
    float x, y, z, r, g, b;
};

__global__ void wave(corner *c, float time)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= CORNERS)
        return;
    const int u[6] = {0, 1, 1, 0, 1, 0}, v[6] = {0, 0, 1, 0, 1, 1};
    int cell = i / 6;
    float x = 2.0f * (cell % SIDE + u[i % 6]) / SIDE - 1, z = 2.0f * (cell / SIDE + v[i % 6]) / SIDE - 1;
    float r = sqrtf(x * x + z * z), h = 0.25f * cosf(9 * r - time) * expf(-r);
    float shade = 0.5f + 1.8f * h;
    c[i] = {0.75f * x + 0.35f * z, 0.55f * z - 0.25f * x + h, 0.5f * z, shade, 0.45f, 1 - shade};
}
__global__ void count(cudaSurfaceObject_t image, int *drawn)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= W || y >= H)
        return;
    uchar4 c = surf2Dread<uchar4>(image, x * 4, y);
    if (c.x || c.y || c.z)
        atomicAdd(drawn, 1);
}

static bool context_make()
{
    auto display_of = (PFNEGLGETPLATFORMDISPLAYEXTPROC)eglGetProcAddress("eglGetPlatformDisplayEXT");
    EGLDisplay d =
        display_of ? display_of(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr) : EGL_NO_DISPLAY;
    if (d == EGL_NO_DISPLAY)
        d = eglGetDisplay(EGL_DEFAULT_DISPLAY);
    EGLint n = 0;
    EGLConfig config;
    const EGLint wanted[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_NONE};
    if (d == EGL_NO_DISPLAY || !eglInitialize(d, nullptr, nullptr) || !eglBindAPI(EGL_OPENGL_API) ||
        !eglChooseConfig(d, wanted, &config, 1, &n) || !n)
        return false;
    EGLContext c = eglCreateContext(d, config, EGL_NO_CONTEXT, nullptr);
    return c != EGL_NO_CONTEXT && eglMakeCurrent(d, EGL_NO_SURFACE, EGL_NO_SURFACE, c);
}

int main()
{
    if (!context_make()) {
        puts("skipped: no context of OpenGL can be made");
        return 77;
    }
    GLuint frame, image, depth, buffer;
    glGenFramebuffers(1, &frame);
    glBindFramebuffer(GL_FRAMEBUFFER, frame);
    glGenTextures(1, &image);
    glBindTexture(GL_TEXTURE_2D, image);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, W, H, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, image, 0);
    glGenRenderbuffers(1, &depth);
    glBindRenderbuffer(GL_RENDERBUFFER, depth);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH_COMPONENT24, W, H);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, depth);
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, CORNERS * sizeof(corner), nullptr, GL_DYNAMIC_DRAW);

    // The kernel fills the buffer.
    cudaGraphicsResource_t corners, shown;
    corner *c;
    size_t size;
    CHECK(cudaGraphicsGLRegisterBuffer(&corners, buffer, cudaGraphicsRegisterFlagsWriteDiscard));
    CHECK(cudaGraphicsMapResources(1, &corners, 0));
    CHECK(cudaGraphicsResourceGetMappedPointer((void **)&c, &size, corners));
    wave<<<(CORNERS + 127) / 128, 128>>>(c, 1.0f);
    CHECK(cudaGraphicsUnmapResources(1, &corners, 0));

    // OpenGL draws it.
    glViewport(0, 0, W, H);
    glEnable(GL_DEPTH_TEST);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    glEnableClientState(GL_VERTEX_ARRAY);
    glEnableClientState(GL_COLOR_ARRAY);
    glVertexPointer(3, GL_FLOAT, sizeof(corner), nullptr);
    glColorPointer(3, GL_FLOAT, sizeof(corner), (void *)12);
    glDrawArrays(GL_TRIANGLES, 0, CORNERS);
    std::vector<uint8_t> rgba(4 * W * H), rgb(3 * W * H);
    glReadPixels(0, 0, W, H, GL_RGBA, GL_UNSIGNED_BYTE, rgba.data());

    // And a kernel sees what is drawn.
    int *drawn, want = 0;
    cudaArray_t array;
    cudaSurfaceObject_t surface;
    CHECK(cudaMallocManaged(&drawn, sizeof *drawn));
    *drawn = 0;
    CHECK(cudaGraphicsGLRegisterImage(&shown, image, GL_TEXTURE_2D, cudaGraphicsRegisterFlagsSurfaceLoadStore));
    CHECK(cudaGraphicsMapResources(1, &shown, 0));
    CHECK(cudaGraphicsSubResourceGetMappedArray(&array, shown, 0, 0));
    cudaResourceDesc what = {};
    what.resType = cudaResourceTypeArray;
    what.res.array.array = array;
    CHECK(cudaCreateSurfaceObject(&surface, &what));
    count<<<dim3((W + 15) / 16, (H + 7) / 8), dim3(16, 8)>>>(surface, drawn);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaGraphicsUnmapResources(1, &shown, 0));
    for (int i = 0; i < W * H; i++) {
        const uint8_t *p = &rgba[4 * ((H - 1 - i / W) * W + i % W)];
        want += p[0] || p[1] || p[2];
        for (int k = 0; k < 3; k++)
            rgb[3 * i + k] = p[k] & 0xf0;
    }
    printf("%s: %d of %d pixels are drawn, the kernel saw %d\n", (const char *)glGetString(GL_RENDERER), want, W * H,
           *drawn);
    CHECK(picture_write("gl_wave.png", rgb.data(), W, H));
    return verdict(*drawn == want && want > W * H / 5);
}
