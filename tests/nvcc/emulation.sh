#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Device emulation: programs built with -deviceemu, by either host compiler; what only emulation can do, and its errors.
. "$2/check.sh"
export HEDDLE_CACHE_DIR="$work/cache"
cu=$here/../cu

# Programs of the other tests, unchanged.
for name in matmul histogram scan_sort shuffle atomics transpose vectors nbody symbols calls control_flow half; do
    ok "build $name" "$nvcc" -deviceemu -I "$cu" "$cu/$name.cu" -o "$name"
    ok "run $name" "./$name"
done

# -fmad=false holds for device code on a host that has fused operations. The code is looked at, not run: this host may have none.
cat >fused.cu <<'X'
__global__ void fused(float *p, double *q)
{
    p[0] = p[1] * p[2] + p[3];
    float t = p[4] * p[5];
    p[6] = t - p[7];
    q[0] = q[1] * q[2] + q[3];
}
X
case $(cc -dumpmachine) in
x86_64*) fma=-Xcompiler=-mfma ;;
*) fma= ;;
esac
for compiler in clang++ g++; do
    cc=
    if [ $compiler = g++ ]; then
        command -v g++ >/dev/null || continue
        cc='-ccbin g++'
    fi
    # shellcheck disable=SC2086
    ok "fmad default $compiler" "$nvcc" -deviceemu $cc $fma -c fused.cu -o fused.o
    ok "fmad default $compiler: fused" sh -c 'objdump -d fused.o | grep -qE "vfn?m(add|sub)|fn?m(add|sub)"'
    # shellcheck disable=SC2086
    ok "fmad=false $compiler" "$nvcc" -deviceemu -fmad=false $cc $fma -c fused.cu -o fused.o
    ok "fmad=false $compiler: not fused" sh -c '! objdump -d fused.o | grep -qE "vfn?m(add|sub)|fn?m(add|sub)"'
    # shellcheck disable=SC2086
    ok "fmad=true $compiler" "$nvcc" -deviceemu -fmad=true $cc $fma -c fused.cu -o fused.o
    ok "fmad=true $compiler: fused" sh -c 'objdump -d fused.o | grep -qE "vfn?m(add|sub)|fn?m(add|sub)"'
done

# guide: -deviceemu | __DEVICE_EMULATION__ | host I/O and host data from device code | device functions callable from the host
# guide: cudaGetDeviceCount = 1 with an emulation device when there is none
cat >emu.cu <<'X'
#include <cstdio>
#include <map>
#include <string>
#ifndef __DEVICE_EMULATION__
#error "emulation is not on"
#endif
#define THREADS 128
#define RUN(kernel, grid, block) kernel<<<grid, block>>>
extern __shared__ float dynamic[];
__constant__ float factors[2];
__device__ int counter;
static std::map<std::string, int> seen;
int host_twice(int x) { return 2 * x; }
__device__ int device_square(int x) { return x * x; }
template <class T> __global__ void scale(int n, T by, const T *in, T *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = by * in[i] * factors[1];
}
__attribute__((__noinline__, __noreturn__)) inline void as_libstdcxx_has_it() { throw 1; }
__noinline__ int own(int x) { return x; }
__global__ void sum(const float *in, float *out, int *none)
{
    __shared__ float s[THREADS];
    static __shared__ int turns;
    s[threadIdx.x] = in[threadIdx.x];
    if (threadIdx.x == 0)
        turns = 0;
    __syncthreads();
    for (int d = THREADS / 2; d > 0; d >>= 1) {
        if (threadIdx.x < d)
            s[threadIdx.x] += s[threadIdx.x + d];
        if (threadIdx.x == 0)
            turns++;
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        *out = s[0] + (none == 0 ? 0 : 1000);
        seen["turns"] = turns;
        std::fprintf(stdout, "kernel says %s %d\n", std::string("hello").c_str(), host_twice(21));
    }
    atomicAdd(&counter, 1);
}
__global__ void turn_round(float *out)
{
    dynamic[threadIdx.x] = (float)threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = dynamic[blockDim.x - 1 - threadIdx.x] + __syncthreads_count(threadIdx.x < 3);
}
__global__ void warp(int *out)
{
    int v = threadIdx.x;
    for (int o = 16; o; o >>= 1)
        v += __shfl_xor_sync(0xffffffff, v, o);
    out[threadIdx.x] = v + (__ballot_sync(0xffffffff, threadIdx.x % 2) == 0xaaaaaaaau);
}
__global__ void locked(int *lock, int *value)
{
    while (atomicCAS(lock, 0, 1) != 0)
        ;
    *value += 1;
    atomicExch(lock, 0);
}
__global__ void deep(int *out)
{
    volatile char frame[200 << 10]; // each thread has 256 KB of stack
    frame[0] = (char)threadIdx.x;
    frame[sizeof frame - 1] = 1;
    __syncthreads();
    out[threadIdx.x] = frame[0] + frame[sizeof frame - 1];
}
struct Kernels { template <int N> static __global__ void put(int *p) { *p = N; } };
static int calls;
static int counted(int x) { calls++; return x; }
int main()
{
    float host[THREADS], result = 0, by[2] = {1, 3}, *a, *b;
    int n = 0, *p, value = 0, ints[THREADS];
    cudaDeviceProp prop;
    cudaGetDeviceCount(&n);
    cudaGetDeviceProperties(&prop, 0);
    printf("devices %d, %d.%d, %s\n", n, prop.major, prop.minor, prop.name);
    cudaMalloc(&a, sizeof host);
    cudaMalloc(&b, sizeof host);
    cudaMalloc(&p, sizeof ints);
    for (int i = 0; i < THREADS; i++)
        host[i] = (float)i;
    cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice);
    cudaMemcpyToSymbol(factors, by, sizeof by);
    scale<float><<<(THREADS + 31) / 32, 32>>>(counted(THREADS), 2, a, b);
    printf("scale %g, evaluated %d, a device pointer on the host %g, square %d\n", b[5], calls, a[7], device_square(9));
    RUN(sum, 1, THREADS)(a, b, NULL);
    cudaMemcpy(&result, b, sizeof result, cudaMemcpyDeviceToHost);
    cudaMemcpyFromSymbol(&value, counter, sizeof value);
    size_t size = 0;
    cudaGetSymbolSize(&size, factors);
    printf("sum %g, counter %d, turns %d, size %d\n", result, value, seen["turns"], (int)size);
    turn_round<<<dim3(1, 1), dim3(8, 8), 64 * sizeof(float)>>>(b);
    turn_round<<<dim3(1, 1), dim3(64), 64 * sizeof(float), cudaStreamPerThread>>>(b);
    printf("dynamic %g %g\n", b[0], b[63]);
    warp<<<1, 32>>>(p);
    printf("warp %d\n", p[11]);
    cudaMemset(p, 0, 8);
    locked<<<4, 50>>>(p, p + 1);
    printf("locked %d\n", p[1]);
    deep<<<1, THREADS>>>(p);
    printf("deep %d\n", p[100]);
    Kernels::put<77><<<1, 1>>>(p);
    printf("member %d %s\n", *p, cudaGetErrorName(cudaGetLastError()));
    void *args[] = {&p};
    void (*pointer)(int *) = Kernels::put<5>;
    pointer<<<1, 1>>>(p);
    printf("pointer %d", *p);
    cudaLaunchKernel(Kernels::put<6>, dim3(1), dim3(1), args, 0, 0);
    printf(" %d\n", *p);
    warp<<<1, 2000>>>(p);
    printf("too many: %s\n", cudaGetErrorName(cudaGetLastError()));
}
X
for compiler in "" "-ccbin g++" "-ccbin clang++" "-std=c++11" "-G"; do
    # shellcheck disable=SC2086
    case $compiler in *-ccbin*) command -v ${compiler#-ccbin } >/dev/null || continue ;; esac
    # shellcheck disable=SC2086
    ok "emu $compiler" "$nvcc" -deviceemu $compiler emu.cu -o emu
    says "emu $compiler: device" 'devices 1, 9999.9999, Device Emulation (CPU)' ./emu
    ./emu >emu.log 2>&1
    for text in 'scale 30, evaluated 1, a device pointer on the host 7, square 81' 'kernel says hello 42' \
        'sum 8128, counter 128, turns 7, size 8' 'dynamic 66 3' 'warp 497' 'locked 200' 'deep 101' 'member 77 cudaSuccess' \
        'pointer 5 6' 'too many: cudaErrorInvalidConfiguration'; do
        says "emu $compiler: $text" "^$text\$" cat emu.log
    done
done
# guide: 256 KB of stack per emulated thread | one host thread per device thread
# Each thread of a block has a stack of its own (deep above) and runs by turns with the others: here it sees them at a barrier.
says stacks '^deep 101$' cat emu.log

# Textures: references and objects, read by the driver's own sampler.
cat >tex.cu <<'X'
#include <cstdio>
texture<float, 2> grid;
texture<int, 1> line;
texture<unsigned char, 2, cudaReadModeNormalizedFloat> bytes;
__global__ void read(float *out, cudaTextureObject_t object)
{
    int x = threadIdx.x, y = threadIdx.y;
    if (x == 0 && y == 0) {
        out[0] = tex2D(grid, 1.5f, 2.5f);
        out[1] = tex1Dfetch(line, 3);
        out[2] = tex2D(bytes, 0.5f, 0.5f);
        out[3] = tex2D<float>(object, 1.0f, 1.0f);
        out[4] = tex2D(grid, 100.f, 100.f);
    }
}
int main()
{
    float h[4][4], *d; int l[8], *dl; unsigned char b[4] = {255, 0, 51, 0};
    for (int y = 0; y < 4; y++) for (int x = 0; x < 4; x++) h[y][x] = 10 * y + x;
    for (int i = 0; i < 8; i++) l[i] = i * i;
    cudaArray *a, *ab; cudaChannelFormatDesc f = cudaCreateChannelDesc<float>(), u = cudaCreateChannelDesc<unsigned char>();
    cudaMallocArray(&a, &f, 4, 4); cudaMemcpy2DToArray(a, 0, 0, h, 16, 16, 4, cudaMemcpyHostToDevice);
    cudaMallocArray(&ab, &u, 2, 2); cudaMemcpy2DToArray(ab, 0, 0, b, 2, 2, 2, cudaMemcpyHostToDevice);
    cudaMalloc(&dl, sizeof l); cudaMemcpy(dl, l, sizeof l, cudaMemcpyHostToDevice); cudaMalloc(&d, 64);
    grid.filterMode = cudaFilterModePoint; bytes.filterMode = cudaFilterModeLinear;
    printf("%d %d %d\n", cudaBindTextureToArray(grid, a), cudaBindTexture(0, line, dl, sizeof l), cudaBindTextureToArray(bytes, ab, u));
    cudaResourceDesc r = {}; r.resType = cudaResourceTypeArray; r.res.array.array = a; cudaTextureDesc t = {}; t.filterMode = cudaFilterModeLinear; t.addressMode[0] = t.addressMode[1] = cudaAddressModeClamp; cudaTextureObject_t o;
    cudaCreateTextureObject(&o, &r, &t, 0);
    read<<<1, dim3(4, 4)>>>(d, o);
    printf("%g %g %g %g %g %s\n", d[0], d[1], d[2], d[3], d[4], cudaGetErrorName(cudaGetLastError()));
    printf("%d\n", cudaUnbindTexture(grid));
}
X
ok textures "$nvcc" -deviceemu tex.cu -o tex
says textures_bound '^0 0 0$' ./tex
says textures_read '^21 9 1 5.5 33 cudaSuccess$' ./tex

# guide: deadlock detection for wrong __syncthreads
cat >dead.cu <<'X'
#include <cstdio>
__global__ void some(int n)
{
    if (threadIdx.x < n)
        return;
    __syncthreads(); // line 6
}
__global__ void apart()
{
    if (threadIdx.x % 2)
        __syncthreads(); // line 11
    else
        __shfl_sync(0xffffffff, 1, 0); // line 13
}
int main()
{
    some<<<2, 8>>>(3);
    printf("some: %s\n", cudaGetErrorName(cudaDeviceSynchronize() ? cudaSuccess : cudaGetLastError()));
    cudaDeviceReset();
    apart<<<1, 32>>>();
    printf("apart: %s\n", cudaGetErrorName(cudaGetLastError()));
    cudaDeviceReset();
    some<<<1, 8>>>(0);
    printf("none: %s\n", cudaGetErrorName(cudaGetLastError()));
}
X
ok dead "$nvcc" -deviceemu dead.cu -o dead
./dead >dead.log 2>&1
for text in 'deadlock in some, block (0,0,0)' 'dead.cu:6: 5 threads at __syncthreads(), the first is (3,0,0)' \
    '3 threads have ended before' 'some: cudaErrorLaunchFailure' 'dead.cu:11: 16 threads at __syncthreads()' \
    'dead.cu:13: 16 threads at __shfl_sync()' 'apart: cudaErrorLaunchFailure' 'none: cudaSuccess'; do
    says "dead: $text" "$text" cat dead.log
done

# guide: cudaErrorMixedDeviceExecution
printf '#include <cstdio>\nvoid other();\n__global__ void k() {}\nint main() { k<<<1, 1>>>(); std::puts(cudaGetErrorName(cudaGetLastError())); other(); }\n' >mixed1.cu
printf '__global__ void k2() {}\nvoid other() { k2<<<1, 1>>>(); }\n' >mixed2.cu
ok mixed1 "$nvcc" -deviceemu -c mixed1.cu
ok mixed2 "$nvcc" -c mixed2.cu
ok mixed "$nvcc" mixed1.o mixed2.o -o mixed
says mixed_error 'cudaErrorMixedDeviceExecution' ./mixed
ok mixed2_emulated "$nvcc" -deviceemu -c mixed2.cu
ok unmixed "$nvcc" mixed1.o mixed2.o -o mixed
says unmixed_success 'cudaSuccess' ./mixed
fails no_ptx 'no PTX' "$nvcc" -deviceemu -ptx mixed2.cu
fails wrong_line 'wrong.cu:2:' sh -c "printf '\\n__global__ void k() { missing(); }\\n' >wrong.cu; '$nvcc' -deviceemu -c wrong.cu"

# The host compiler rounds the product, unless it contracts as the device does: the square of 1 + 2^-23 less 1 + 2^-22 is 0, or
# 2^-46. The precision of the old coprocessor, which the guide wants set, plays no part where nobody computes with it.
# guide: _FPU_SETCW / _controlfp advice | emulation differs in floating-point results
cat >fpu.cu <<'X'
#include <cstdio>
#include <fpu_control.h>
__global__ void square_sum(float *p) { p[0] = p[1] * p[1] - p[2]; }
int main()
{
    fpu_control_t before, now;
    float *p, host[3] = {5, 1 + 0x1p-23f, 1 + 0x1p-22f}, first;
    cudaMalloc(&p, sizeof host);
    cudaMemcpy(p, host, sizeof host, cudaMemcpyHostToDevice);
    square_sum<<<1, 1>>>(p);
    cudaMemcpy(&first, p, sizeof first, cudaMemcpyDeviceToHost);
    _FPU_GETCW(before);
    now = before;
#ifdef _FPU_SINGLE
    now = (now & ~_FPU_EXTENDED) | _FPU_SINGLE;
#endif
    _FPU_SETCW(now);
    square_sum<<<1, 1>>>(p);
    cudaMemcpy(host, p, sizeof host, cudaMemcpyDeviceToHost);
    _FPU_SETCW(before);
    printf("%a %d\n", host[0], host[0] == first);
}
X
ok fpu "$nvcc" -deviceemu fpu.cu -o fpu
says fpu_runs '^\(0x0p+0\|0x1p-46\) 1$' ./fpu
ok fpu_device "$nvcc" fpu.cu -o fpu
says fpu_device_runs '^0x1p-46 1$' ./fpu

# A debugger of the host sees the source, the thread and the shared variables.
if command -v gdb >/dev/null; then
    ok debug "$nvcc" -deviceemu -g -O0 emu.cu -o emu
    gdb -q -batch -ex 'break emu.cu:33 if threadIdx.x == 5' -ex run -ex 'print threadIdx.x' -ex 'print s[3]' ./emu >gdb.log 2>&1
    if grep -q 'emu.cu:33' gdb.log; then
        says debug_thread '^\$1 = 5' cat gdb.log
        says debug_shared '^\$2 = ' cat gdb.log
    fi
fi

# AddressSanitizer of the host's compilers sees the kernel's shared variables: gcc's, and clang's where its libraries are installed (./dev setup does that).
cat >beyond.cu <<'X'
__global__ void beyond(int *p) { __shared__ int s[64]; s[threadIdx.x] = 1; __syncthreads(); p[threadIdx.x] = s[threadIdx.x + 1]; }
int main() { int *p; cudaMallocManaged(&p, 256); beyond<<<1, 64>>>(p); return cudaDeviceSynchronize(); }
X
echo 'int main() {}' >plain.cpp
for compiler in '-ccbin g++' ''; do
    # shellcheck disable=SC2086
    if [ -z "$NVCC_APPEND_FLAGS" ] && "$nvcc" -deviceemu $compiler -Xcompiler -fsanitize=address plain.cpp -o plain 2>plain.log && ./plain; then
        # shellcheck disable=SC2086
        ok "asan $compiler" "$nvcc" -deviceemu $compiler -Xcompiler -fsanitize=address -g beyond.cu -o beyond
        fails "asan_finds $compiler" "global variable '[^']*s'.* of size 256" ./beyond
    elif [ -s plain.log ]; then
        says "asan_hint $compiler" 'libclang-rt-NN-dev' cat plain.log
    fi
done
clean emulation
finish
