#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What options and attributes do to device code, seen in the PTX, and what is said of the kernels' needs.
. "$2/check.sh"
export HEDDLE_CACHE_DIR="$work/cache"
ptx() { # OPTIONS...: the PTX of c.cu
    "$nvcc" "$@" -ptx c.cu -o c.ptx && cat c.ptx
}
lacks() { # NAME TEXT: it is not in the PTX
    ok "$1" sh -c '! grep -q -e "$1" c.ptx' sh "$2"
}
count() { # KERNEL TEXT NUMBER: so often in that kernel
    got=$(sed -n "/entry _Z[0-9]*$1P/,/^}/p" c.ptx | grep -c -e "$2")
    ok "$1 $2: $got of $3" test "$got" = "$3"
}
cat >c.cu <<'X'
__noinline__ __device__ float apart(float x) { return x * 3 + 1; }
__forceinline__ __device__ float within(float x) { return x * 5; }
__global__ void calls(float *p) { *p = apart(*p) + within(p[1]); }
__global__ void math(float *p) { p[0] = p[1] * p[2] + p[3]; p[4] = p[5] / p[6]; p[7] = sqrtf(p[8]); }
__global__ void plain(float *p) { for (int i = 0; i < 8; i++) p[i] = p[i] * 2.5f; }
__global__ void rolled(float *p)
{
#pragma unroll 1
    for (int i = 0; i < 8; i++)
        p[i] = p[i] * 2.5f;
}
__global__ void by_four(float *p, int n)
{
#pragma unroll 4
    for (int i = 0; i < n; i++)
        p[i] = p[i] * 2.5f;
}
X
says noinline '_Z5apartf' ptx -arch=sm_80
says noinline_call 'call.uni' cat c.ptx
lacks forceinline 'call.*_Z6withinf'
count plain 'mul.*f32' 8
count rolled 'mul.*f32' 1
count by_four 'mul.*f32' 5
says fma 'fma.rn.f32' cat c.ptx
says exact_div 'div.rn.f32' cat c.ptx
says exact_sqrt 'sqrt.rn.f32' cat c.ptx
ok no_fma "$nvcc" -fmad=false -ptx c.cu -o c.ptx
lacks no_fma_text 'fma.rn.f32'
says ftz 'mul.ftz.f32\|mul.rn.ftz.f32' ptx -ftz=true
says fast_div 'div.full.f32\|div.approx.f32' ptx -prec-div=false
says fast_sqrt 'sqrt.approx.f32' ptx -prec-sqrt=false
says fast_math 'div.approx.ftz.f32' ptx -use_fast_math
says fast_math_parts 'div.rn.ftz.f32' ptx -use_fast_math -prec-div=true
says lineinfo '\.loc' ptx -lineinfo

# ptxas takes the type of an untyped register from what wrote it, and converts where a part of a float is stored from it: a move is
# between. Its own machine code tells, where it is installed; F2I, F2I.64 and F2IP are operations 0x105, 0x111 and 0x43.
cat >b.cu <<'X'
#include <cuda_fp16.h>
typedef unsigned char byte;
typedef unsigned short word;
__global__ void from_float(byte *p, word *q, float x, unsigned n)
{
    p[threadIdx.x] = (byte)__float_as_uint((float)(n + threadIdx.x));
    q[threadIdx.x] = (word)__float_as_uint(x * (float)threadIdx.x);
    if (n > 5)
        ((uchar2 *)p)[n] = make_uchar2((byte)__float_as_uint(x + 1), (byte)__float_as_uint(x + 2));
    ((ushort4 *)q)[n] = make_ushort4((word)__float_as_uint(x + 3), 0, (word)__float_as_uint(x + 4), (word)n);
}
__global__ void from_double(byte *p, word *q, unsigned *r, double x)
{
    p[threadIdx.x] = (byte)__double_as_longlong(x + threadIdx.x);
    q[threadIdx.x] = (word)__double_as_longlong(x * threadIdx.x);
    r[threadIdx.x] = (unsigned)__double_as_longlong(x - threadIdx.x);
}
__global__ void from_half(byte *p, __half x) { p[threadIdx.x] = (byte)__half_as_ushort(x + __half(threadIdx.x)); }
__global__ void from_shared(byte *p, float x)
{
    __shared__ byte s[64];
    s[threadIdx.x] = (byte)__float_as_uint(x * threadIdx.x);
    __syncthreads();
    p[threadIdx.x] = s[63 - threadIdx.x];
}
__global__ void from_asm(byte *p, float x)
{
    asm volatile("st.global.u8 [%0], %1;" ::"l"(p), "r"(__float_as_uint(x * 2)));
}
__global__ void through_loop(byte *p, float x, int n)
{
    for (int i = 0; i < n; i++) {
        p[i] = (byte)__float_as_uint(x);
        x = x * 1.5f + 1;
    }
}
__global__ void from_integer(byte *p, unsigned n) { p[threadIdx.x] = (byte)(n * threadIdx.x); }
X
cat >plain.py <<'X'
# plain.py CUBIN: fails where its code has a conversion to integers; none of the kernels asks for one.
import struct, sys
d = open(sys.argv[1], 'rb').read()
start, = struct.unpack_from('<Q', d, 0x28)
size, count, names = struct.unpack_from('<HHH', d, 0x3a)
all = [struct.unpack_from('<IIQQQQIIQQ', d, start + i * size) for i in range(count)]
code = [s for s in all if d[all[names][4] + s[0]:].startswith(b'.text.')]
assert code
ops = {struct.unpack_from('<Q', d, o)[0] & 0x1ff for s in code for o in range(s[4], s[4] + s[5], 16)}
sys.exit(1 if ops & {0x105, 0x111, 0x43} else 0)
X
for sm in 75 90; do
    ok "parts of floats sm_$sm" "$nvcc" -arch=sm_$sm -ptx b.cu -o c.ptx
    got=$(grep -c 'mov.b[0-9]* %bits0' c.ptx)
    ok "parts of floats sm_$sm: $got moves" test "$got" -ge 9
    ok "integers sm_$sm" sh -c '! sed -n "/entry _Z12from_integer/,/^}/p" c.ptx | grep -q %bits'
    if [ -x /usr/local/cuda/bin/ptxas ] && command -v python3 >/dev/null; then
        for level in 0 3; do
            ok "ptxas sm_$sm -O$level" /usr/local/cuda/bin/ptxas -arch=sm_$sm -O$level c.ptx -o c.cubin
            ok "ptxas sm_$sm -O$level converts nothing" python3 plain.py c.cubin
        done
    fi
done

# guide: -ptxas-options=-v with one dash, lmem report
cat >u.cu <<'X'
__device__ int global[100];
__constant__ float constant[64];
__global__ void needs(int *p, int n)
{
    __shared__ int shared[32];
    int local[64];
    for (int i = 0; i < 64; i++)
        local[i] = p[i];
    for (int i = 0; i < n; i++)
        local[local[i] & 63] += i + global[i];
    shared[threadIdx.x] = (int)constant[n];
    __syncthreads();
    *p = local[n & 63] + shared[n];
}
__global__ void simple(double *p) { *p += 1; }
X
for spelling in '-Xptxas -v' '-ptxas-options=-v' '--ptxas-options=-v' '--resource-usage' '-res-usage' '-Xptxas=-O3,-v'; do
    # shellcheck disable=SC2086
    says "$spelling" '^ptxas info    : 400 bytes gmem, 256 bytes cmem\[3\]$' "$nvcc" $spelling -arch=sm_80 -cubin u.cu -o u.cubin
    cp "$work/.log" v.log
    says "$spelling: kernel" "^ptxas info    : Compiling entry function '_Z5needsPii' for 'sm_80'$" cat v.log
    says "$spelling: frame" '^    256 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads$' cat v.log
    says "$spelling: rest" '^ptxas info    : Used [0-9]* registers, used 1 barriers, 256 bytes cumulative stack size, 256 bytes lmem, 128 bytes smem, 364 bytes cmem\[0\]$' cat v.log
    says "$spelling: simple" '^ptxas info    : Used 8 registers, used 0 barriers, 360 bytes cmem\[0\]$' cat v.log
done
says limited 'Used 10 registers' "$nvcc" -maxrregcount=10 -res-usage -arch=sm_80 -cubin u.cu -o u.cubin

# Static variables are read where they lie, under the names that programs ask for; constants are not.
cat >v.cu <<'X'
static __constant__ int first = 5;
static __device__ struct point { int x; } second[2] = {{6}, {7}};
namespace { __device__ unsigned long third = 8; }
__constant__ const int fourth = 9;
static __device__ int function(int n) { static const int fifth[2] = {1, 2}; return fifth[n & 1]; }
__global__ void all(long *p) { p[0] = first; p[1] = second[1].x; p[2] = third; p[3] = fourth; p[4] = function(1); }
X
ok statics "$nvcc" -ptx v.cu -o c.ptx
says statics_constant 'ld.const.*\[first\]' cat c.ptx
says statics_global 'ld.global.*\[second+4\]' cat c.ptx
says statics_unnamed 'ld.global.*third' cat c.ptx
lacks statics_const 'fourth'
lacks statics_local 'fifth'
ok statics_rdc "$nvcc" -rdc=true -ptx v.cu -o c.ptx
says statics_rdc_kept 'ld.const.*first' cat c.ptx
mkdir 'a$b c#d'
cp v.cu 'a$b c#d'
ok statics_path "$nvcc" -ptx 'a$b c#d/v.cu' -o c.ptx
says statics_path_read 'ld.const.*\[first\]' cat c.ptx
rm -r 'a$b c#d'
clean codegen

# A PTX text is not compiled where that was forbidden.
cat >load.cu <<'X'
#include <cuda.h>
#include <cstdio>
int main(int, char **argv)
{
    CUdevice d; CUcontext c; CUmodule m; const char *name = "?";
    cuInit(0); cuDeviceGet(&d, 0); cuDevicePrimaryCtxRetain(&c, d); cuCtxSetCurrent(c);
    cuGetErrorName(cuModuleLoad(&m, argv[1]), &name);
    std::puts(name);
}
X
ok load "$nvcc" load.cu -lcuda -o load
ok load_ptx "$nvcc" -ptx u.cu -o u.ptx
says jit 'CUDA_SUCCESS' ./load u.ptx
says jit_disabled 'CUDA_ERROR_JIT_COMPILATION_DISABLED' env CUDA_DISABLE_PTX_JIT=1 ./load u.ptx
says jit_disabled_image 'CUDA_SUCCESS' env CUDA_DISABLE_PTX_JIT=1 ./load u.cubin
finish
