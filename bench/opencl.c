// SPDX-License-Identifier: Apache-2.0
// The kernels of kernels.cl on PoCL, where that is installed, with the buffers of the other forms.
#include "bench.h"
#include <string.h>
#ifdef BENCH_OPENCL
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <dlfcn.h>

__asm__(".section .rodata\n"
        ".globl kernels_cl\nkernels_cl:\n.incbin \"bench/kernels.cl\"\n.byte 0\n"
        ".previous\n");
extern const char kernels_cl[];

// Kernel, arguments (a b c o q: buffers; n m f g: numbers), size of the grid in work items, of a group.
#define OPENCL_KERNELS(X)                                                                                              \
    X(saxpy, "aofn", (p->n + 255) / 256 * 256, 1, 256, 1)                                                              \
    X(matmul, "abon", p->n, p->n, 16, 16)                                                                              \
    X(sgemm, "abon", p->n / 4, p->n / 4, 16, 16)                                                                       \
    X(transpose, "aon", p->n, p->n / 4, 32, 8)                                                                         \
    X(stencil, "aonmfg", p->n, p->m, 32, 8)                                                                            \
    X(stencil3d, "aonfg", (p->n + 31) / 32 * 32, (p->n + 7) / 8 * 8, 32, 8)                                            \
    X(convolve, "abonm", p->n, p->m, 32, 8)                                                                            \
    X(halo, "abonm", p->n, p->m, 32, 16)                                                                               \
    X(reduce, "ao", p->n, 1, 256, 1)                                                                                   \
    X(scan, "ao", p->n, 1, 256, 1)                                                                                     \
    X(histogram, "aon", 64 * 256, 1, 256, 1)                                                                           \
    X(softmax, "ao", p->n / 4, 1, 256, 1)                                                                              \
    X(layernorm, "abo", p->n / 4, 1, 256, 1)                                                                           \
    X(attention, "abcon", p->n, p->m, 64, 1)                                                                           \
    X(nbody, "aonf", p->n, 1, 256, 1)                                                                                  \
    X(mandelbrot, "onmfg", p->n, p->n, 16, 16)                                                                         \
    X(blackscholes, "abcoqnfg", p->n, 1, 256, 1)                                                                       \
    X(montecarlo, "om", p->n, 1, 256, 1)                                                                               \
    X(fft, "abo", p->n / 4, 1, 256, 1)                                                                                 \
    X(sort, "ao", p->n / 2, 1, 256, 1)                                                                                 \
    X(spmv, "abconm", p->n, 1, 256, 1)

#define CL_FUNCTIONS(X)                                                                                                \
    X(clGetPlatformIDs)                                                                                                \
    X(clGetDeviceIDs)                                                                                                  \
    X(clCreateContext)                                                                                                 \
    X(clCreateCommandQueue)                                                                                            \
    X(clCreateProgramWithSource)                                                                                       \
    X(clBuildProgram)                                                                                                  \
    X(clCreateKernel)                                                                                                  \
    X(clCreateBuffer)                                                                                                  \
    X(clSetKernelArg) X(clEnqueueNDRangeKernel) X(clFinish) X(clEnqueueFillBuffer) X(clGetProgramBuildInfo)
#define POINTER(f) static __typeof__(&f) p_##f;
CL_FUNCTIONS(POINTER)

static cl_context context;
static cl_command_queue queue;
static cl_program program;

static int start(void)
{
    static int state; // 1: ready, -1: cannot
    if (state)
        return state > 0;
    state = -1;
    void *lib = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!lib)
        return 0;
#define FIND(f)                                                                                                        \
    if (!(p_##f = (__typeof__(&f))dlsym(lib, #f)))                                                                     \
        return 0;
    CL_FUNCTIONS(FIND)
    cl_platform_id platform;
    cl_device_id device;
    const char *text = kernels_cl;
    if (p_clGetPlatformIDs(1, &platform, NULL) || p_clGetDeviceIDs(platform, CL_DEVICE_TYPE_CPU, 1, &device, NULL))
        return 0;
    context = p_clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    queue = context ? p_clCreateCommandQueue(context, device, 0, NULL) : NULL;
    program = queue ? p_clCreateProgramWithSource(context, 1, &text, NULL, NULL) : NULL;
    if (!program)
        return 0;
    if (p_clBuildProgram(program, 1, &device, "-cl-mad-enable", NULL, NULL)) {
        char log[4096] = "";
        p_clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
        fprintf(stderr, "bench: OpenCL: %s\n", log);
        return 0;
    }
    state = 1;
    return 1;
}

static cl_mem buffer(const float *at)
{
    static struct {
        const float *at;
        cl_mem mem;
    } known[64];
    int i = 0;
    while (i < 63 && known[i].at && known[i].at != at)
        i++;
    if (known[i].at != at) {
        known[i].at = at;
        known[i].mem = p_clCreateBuffer(context, CL_MEM_USE_HOST_PTR, bench_extent(at), (void *)at, NULL);
    }
    return known[i].mem;
}

static void run(const char *name, const char *arguments, const struct problem *p, const size_t *grid,
                const size_t *group)
{
    static struct {
        char name[24];
        cl_kernel kernel;
    } known[64];
    int i = 0, bad = 0;
    while (i < 63 && known[i].kernel && strcmp(known[i].name, name))
        i++;
    if (!known[i].kernel) {
        snprintf(known[i].name, sizeof known[i].name, "%s", name);
        known[i].kernel = p_clCreateKernel(program, name, NULL);
    }
    for (cl_uint k = 0; arguments[k]; k++) {
        char c = arguments[k];
        cl_mem mem = NULL;
        const float *at = c == 'a'   ? p->a
                          : c == 'b' ? p->b
                          : c == 'c' ? p->c
                          : c == 'o' ? p->out
                          : c == 'q' ? p->out2
                                     : NULL;
        if (at)
            mem = buffer(at);
        const void *value = at         ? (const void *)&mem
                            : c == 'n' ? (const void *)&p->n
                            : c == 'm' ? &p->m
                            : c == 'f' ? (const void *)&p->f0
                                       : &p->f1;
        bad |= p_clSetKernelArg(known[i].kernel, k, at ? sizeof mem : 4, value);
    }
    bad |= p_clEnqueueNDRangeKernel(queue, known[i].kernel, 2, NULL, grid, group, 0, NULL, NULL);
    bad |= p_clFinish(queue);
    if (bad)
        fprintf(stderr, "bench: OpenCL: %s failed\n", name);
}

#define FORM(name, arguments, gx, gy, lx, ly)                                                                          \
    static void name##_opencl(const struct problem *p)                                                                 \
    {                                                                                                                  \
        size_t grid[2] = {(size_t)(gx), (size_t)(gy)}, group[2] = {lx, ly};                                            \
        if (!strcmp(#name, "histogram")) {                                                                             \
            cl_int zero = 0;                                                                                           \
            p_clEnqueueFillBuffer(queue, buffer(p->out), &zero, sizeof zero, 0, 1024, 0, NULL, NULL);                  \
        }                                                                                                              \
        run(#name, arguments, p, grid, group);                                                                         \
    }
OPENCL_KERNELS(FORM)

bench_fn *opencl_form(const char *kernel)
{
#define MATCH(name, ...)                                                                                               \
    if (!strcmp(kernel, #name))                                                                                        \
        return start() ? name##_opencl : NULL;
    OPENCL_KERNELS(MATCH)
    return NULL;
}

#else

bench_fn *opencl_form(const char *kernel)
{
    (void)kernel;
    return NULL;
}

#endif
