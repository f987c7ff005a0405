// SPDX-License-Identifier: Apache-2.0
// Operations between the threads of a warp, pipelines, textures and surfaces. Two blocks of 64 threads are four warps.
#include "case.h"

__global__ void between(int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, x = i;
    for (int step = 16; step; step >>= 1) // five
        asm volatile("{\n.reg .b32 y;\nshfl.sync.bfly.b32 y, %0, %1, 31, -1;\nadd.s32 %0, %0, y;\n}"
                     : "+r"(x)
                     : "r"(step));
    asm volatile(
        "{\n.reg .pred p;\n.reg .b32 y;\nsetp.gt.s32 p, %0, 7;\nvote.sync.ballot.b32 y, p, -1;\nadd.s32 %0, %0, y;\n"
        "vote.sync.any.pred p, p, -1;\n}"
        : "+r"(x));
    asm volatile("match.any.sync.b32 %0, %0, -1;" : "+r"(x));
    asm volatile("redux.sync.add.s32 %0, %0, -1;" : "+r"(x));
    out[i] = x;
}

// case collectives
// heddle__inst_shuffle.sum 20
// heddle__inst_vote.sum 8
// heddle__inst_match.sum 4
// heddle__inst_redux.sum 4
// smsp__sass_thread_inst_executed_op_inter_thread_communication_pred_on.sum 1152
// smsp__inst_executed_pipe_lsu.sum 24
CASE(collectives)
{
    between<<<2, 64>>>(a.count);
}

// Half of each warp.
__global__ void of_half(int *out)
{
    int i = threadIdx.x, x = i;
    if (i & 16)
        asm volatile("shfl.sync.bfly.b32 %0, %0, 1, 31, 0xffff0000;" : "+r"(x));
    out[i] = x;
}

// case collectives_of_half
// heddle__inst_shuffle.sum 2
// smsp__sass_thread_inst_executed_op_inter_thread_communication_pred_on.sum 32
CASE(collectives_of_half)
{
    of_half<<<1, 64>>>(a.count);
}

__global__ void functions(float *f, double *d, int *n)
{
    int i = threadIdx.x;
    float x = f[i];
    double y = d[i];
    asm volatile("ex2.approx.f32 %0, %0;\nrcp.approx.f32 %0, %0;\nsin.approx.f32 %0, %0;" : "+f"(x));
    asm volatile("add.f64 %0, %0, %0;\nfma.rn.f64 %0, %0, %0, %0;" : "+d"(y));
    int z;
    asm volatile("cvt.rzi.s32.f32 %0, %1;" : "=r"(z) : "f"(x));
    asm volatile("cvt.rn.f32.s32 %0, %1;" : "=f"(x) : "r"(z));
    f[i] = x;
    d[i] = y;
    n[i] = z;
}

// Three functions and two conversions; two loads, three stores.
// case pipes
// smsp__inst_executed_pipe_xu.sum 10
// smsp__inst_executed_pipe_fp64.sum 4
// smsp__inst_executed_pipe_lsu.sum 10
// smsp__inst_executed_pipe_tex.sum 0
// sm__inst_executed_pipe_tensor.sum 0
CASE(pipes)
{
    functions<<<1, 64>>>(a.in, (double *)a.out, a.count);
}

__global__ void fetch(cudaTextureObject_t t, cudaSurfaceObject_t s, float *out)
{
    int i = threadIdx.x;
    float x = tex1Dfetch<float>(t, i);
    if (i < 40)
        surf1Dwrite(x, s, i * 4);
    out[i] = x;
}

// Two warps fetch; 40 threads of them write.
// case images
// smsp__inst_executed_op_texture.sum 2
// smsp__inst_executed_op_surface.sum 2
// smsp__inst_executed_pipe_tex.sum 4
// heddle__texture_fetches.sum 64
// heddle__surface_accesses.sum 40
CASE(images)
{
    cudaResourceDesc linear = {}, array = {};
    cudaTextureDesc how = {};
    cudaTextureObject_t t;
    cudaSurfaceObject_t s;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    linear.resType = cudaResourceTypeLinear;
    linear.res.linear.devPtr = a.in;
    linear.res.linear.desc = format;
    linear.res.linear.sizeInBytes = 4096;
    cudaCreateTextureObject(&t, &linear, &how, NULL);
    array.resType = cudaResourceTypeArray;
    cudaMallocArray(&array.res.array.array, &format, 64, 0, cudaArraySurfaceLoadStore);
    cudaCreateSurfaceObject(&s, &array);
    fetch<<<1, 64>>>(t, s, a.out);
}
