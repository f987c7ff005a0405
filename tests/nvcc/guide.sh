#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What the programming guides say of compiling: the stages and targets of nvcc, which image is chosen, the two libraries, and
# the restrictions of the language with their errors. This one runs device code.
. "$2/check.sh"
export HEDDLE_CACHE_DIR="$work/cache"

cat >k.cu <<'X'
#include <cstdio>
__global__ void arch(int *p)
{
#ifdef __CUDA_ARCH__
    *p = __CUDA_ARCH__;
#endif
}
__global__ void shuffle(int *p)
{
    int v = __shfl_down_sync(0xffffffff, threadIdx.x, 1);
    if (threadIdx.x == 7)
        *p = v;
}
int main()
{
    int *p, v = 0, w = 0;
#ifdef __CUDA_ARCH__
    return 1; // host code has none
#endif
    cudaMalloc(&p, 4);
    arch<<<1, 1>>>(p);
    cudaMemcpy(&v, p, 4, cudaMemcpyDeviceToHost);
    shuffle<<<1, 32>>>(p);
    cudaMemcpy(&w, p, 4, cudaMemcpyDeviceToHost);
    std::printf("arch %d %s, lane 8 is %d\n", v, cudaGetErrorName(cudaGetLastError()), w);
    return 0;
}
X
# guide: nvcc compiler driver | separate host and device code | host compiler invoked at the last stage
ok compile "$nvcc" k.cu -o k
says run 'arch [0-9]*0 cudaSuccess' ./k
says stages 'cuda-device-only' "$nvcc" -dryrun k.cu -o k
"$nvcc" -dryrun k.cu -o k >stages 2>&1
says stages_in_order 'device-only host-only link' sh -c \
    "sed -n -e 's/.*cuda-\(device-only\|host-only\).*/\1/p' -e 's/.*-lcudart.*/link/p' stages | tr '\n' ' '"
# guide: compile device code to PTX (-ptx) | compile device code to cubin (-cubin) | PTX as nvcc input
ok ptx "$nvcc" -ptx -arch=compute_75 k.cu -o k.ptx
says ptx_text '^.version' cat k.ptx
ok cubin "$nvcc" -cubin -arch=sm_80 k.cu -o k.cubin
ok ptx_input "$nvcc" -fatbin -arch=sm_75 k.ptx -o from_ptx.fatbin
# guide: -arch=compute_XX -code=sm_XX | -code=compute_XX,sm_XX | -gencode arch=,code= list | -arch=sm_XX shorthand
# guide: __CUDA_ARCH__ defined only in device code, value XX0 | __CUDA_ARCH__ value at run time equals the compiled compute capability
for t in '-arch=compute_80 -code=sm_80:800' '-arch=compute_75 -code=compute_75,sm_75:750' '-arch=sm_86:860' \
    '-gencode arch=compute_75,code=sm_75 -gencode arch=compute_80,code=[sm_80,compute_80]:800'; do
    # shellcheck disable=SC2086
    ok "build ${t%:*}" "$nvcc" ${t%:*} k.cu -o t
    says "run ${t%:*}" "arch ${t##*:} cudaSuccess" ./t
done
# guide: -arch=sm_70 shorthand | -arch=compute_60 -code=sm_70 (Pascal scheduling on Volta)
# guide: -gencode example with compute_50/60/70 | -arch alone builds no executable (nvcc 13 accepts it: embeds PTX)
ok sm_70 "$nvcc" -arch=sm_70 k.cu -o t
says sm_70_runs 'arch 700 cudaSuccess' ./t
ok pascal "$nvcc" -arch=compute_60 -code=sm_70 k.cu -o t
says pascal_runs 'arch 600 cudaSuccess' ./t
ok three "$nvcc" -gencode arch=compute_50,code=sm_50 -gencode arch=compute_60,code=sm_60 \
    -gencode arch=compute_70,code='"compute_70,sm_70"' k.cu -o t
says three_runs 'arch 700 cudaSuccess' ./t
ok arch_alone "$nvcc" -arch=compute_75 k.cu -o t
says arch_alone_runs 'arch 750 cudaSuccess' ./t
# guide: host code selects the best embedded image | PTX of a lower compute capability compiles for a higher one
ok several "$nvcc" -gencode arch=compute_75,code=compute_75 -gencode arch=compute_90,code=sm_90 \
    -gencode arch=compute_80,code=sm_80 -gencode arch=compute_100,code=sm_100 k.cu -o t
says best_image 'arch 900 cudaSuccess' ./t
ok older "$nvcc" -gencode arch=compute_75,code=compute_75 k.cu -o t
says older_runs 'arch 750 cudaSuccess' ./t
# guide: cubin for X.y runs on X.z with z >= y only | binary compatibility not across desktop/Tegra
# Images are PTX in our own container, so one of a higher capability than the device's is what does not fit. It is compiled
# all the same, unless CUDA's rule is asked for.
ok newer "$nvcc" -gencode arch=compute_100,code=sm_100 k.cu -o t
says newer_runs 'arch 1000 cudaSuccess' ./t
says newer_refused 'cudaErrorNoKernelImageForDevice' env HEDDLE_STRICT_CC=1 ./t
# guide: arch-conditional sm_90a / compute_90a code runs only on 9.0
ok conditional "$nvcc" -arch=sm_90a k.cu -o t
says conditional_runs 'arch 900 cudaSuccess' ./t
ok conditional_other "$nvcc" -gencode arch=compute_100a,code=sm_100a k.cu -o t
says conditional_refused 'cudaErrorNoKernelImageForDevice' env HEDDLE_STRICT_CC=1 ./t
# guide: warp shuffle needs compute capability 5.0 / -arch=compute_50
ok shuffle_50 "$nvcc" -arch=compute_50 k.cu -o t
says shuffle_runs 'arch 500 cudaSuccess, lane 8 is 8' ./t
# guide: 64-bit mode (-m64), pointers 64 bit
echo 'static_assert(sizeof(void *) == 8 && sizeof(long) == 8, "64 bits"); __global__ void k(void **p) { static_assert(sizeof *p == 8, ""); }' >m.cu
ok m64 "$nvcc" -m64 -c m.cu
says m64_ptx '.address_size 64' "$nvcc" -m64 -ptx m.cu -o /dev/stdout
# guide: static cudart (libcudart.a) | shared cudart (libcudart.so) | symbol addresses only valid within one instance of cudart
ok cudart_static "$nvcc" -cudart static k.cu -o t
says cudart_static_runs 'cudaSuccess' ./t
fails cudart_static_needs_none 'libcudart' sh -c 'readelf -d t | grep -o "NEEDED.*libcudart" || { echo no libcudart; exit 1; }'
ok cudart_shared "$nvcc" -cudart shared k.cu -o t
says cudart_shared_runs 'cudaSuccess' ./t
says cudart_shared_needs 'libcudart.so.13' readelf -d t
# Here two instances are linked into one process, and neither knows the other's variables.
cat >lib.cu <<'X'
__device__ int there = 5;
extern "C" const void *place() { return &there; }
extern "C" int own() { void *p; return cudaGetSymbolAddress(&p, there); }
X
cat >user.cu <<'X'
#include <dlfcn.h>
#include <cstdio>
int main()
{
    void *lib = dlopen("./lib.so", RTLD_NOW | RTLD_LOCAL), *p;
    auto place = (const void *(*)())dlsym(lib, "place");
    auto own = (int (*)())dlsym(lib, "own");
    std::printf("%d %s\n", own(), cudaGetErrorName(cudaGetSymbolAddress(&p, place())));
}
X
for t in 'static:cudaErrorInvalidSymbol' 'shared:cudaSuccess'; do
    ok "instance ${t%:*}" "$nvcc" -cudart "${t%:*}" -Xcompiler -fPIC -shared lib.cu -o lib.so
    ok "instance ${t%:*} user" "$nvcc" -cudart "${t%:*}" user.cu -ldl -o user
    says "instance ${t%:*} runs" "^0 ${t#*:}\$" ./user
done
# guide: all runtime entry points start with cuda | entry points start with cu / cuda
sdk=$(dirname "$(dirname "$nvcc")")
names() { nm -D --defined-only "$sdk/lib64/$1" | sed -n 's/.* [TW] //p'; }
names libcudart.so >runtime_names
names libcuda.so >driver_names
says runtime_has 'cudaMalloc' cat runtime_names
says driver_has 'cuMemAlloc_v2' cat driver_names
fails runtime_names 'none' sh -c "grep -v '^_*cuda' runtime_names || { echo none; exit 1; }"
fails driver_names 'none' sh -c "grep -v '^cu\|^heddle' driver_names || { echo none; exit 1; }" # heddle: for our runtime
# guide: <<<...>>> replaced by runtime calls (-cuda output as C++)
# Clang's CUDA front end turns launches into calls while it compiles, so the text for the host compiler is assembly.
ok text "$nvcc" -cuda k.cu
ok text_object c++ -c k.cu.cpp.ii -o kt.o
says text_calls 'cudaLaunchKernel' nm -u kt.o
ok text_program "$nvcc" kt.o -o kt
ok text_run ./kt
ok object "$nvcc" -c k.cu -o k.o
says launch_calls 'cudaLaunchKernel' nm -u k.o
# guide: C++ front end, full C++ in host code, subset in device code
cat >cpp.cu <<'X'
#include <map>
#include <string>
#include <stdexcept>
template <class T, int N> struct Array { T v[N]; __host__ __device__ T &operator[](int i) { return v[i]; } };
__global__ void k(int *p) { Array<int, 4> a{{1, 2, 3, 4}}; auto f = [&](int i) { return a[i] * 2; }; *p = f(3); }
int main()
{
    std::map<std::string, int> m{{"a", 1}};
    int *p, v = 0;
    cudaMalloc(&p, 4);
    k<<<1, 1>>>(p);
    cudaMemcpy(&v, p, 4, cudaMemcpyDeviceToHost);
    try { m.at("b"); } catch (const std::out_of_range &) { return v != 8; }
    return 1;
}
X
ok cpp "$nvcc" -std=c++17 cpp.cu -o t
ok cpp_runs ./t
fails cpp_subset "cannot use 'throw'" sh -c "echo '__global__ void k() { throw 1; }' >throw.cu && '$nvcc' -c throw.cu"
# guide: __noinline__ | function calls are inlined
cat >inline.cu <<'X'
__device__ int inside(int x) { return x * 3 + 1; }
__noinline__ __device__ int apart(int x) { return x ^ 0x55; }
__global__ void k(int *p) { *p = inside(*p) + apart(*p); }
X
ok inline "$nvcc" -ptx inline.cu -o inline.ptx
says noinline_called 'call.*' sh -c "tr -d '\n' <inline.ptx | grep -o 'call[^;]*apart'"
fails inlined 'none' sh -c "tr -d '\n' <inline.ptx | grep -o 'call[^;]*inside' || { echo none; exit 1; }"
# guide: nvcc --version text
says version 'Cuda compilation tools, release 13.0, V13.0' "$nvcc" --version
# guide: -keep
ok keep sh -c "mkdir kept && '$nvcc' -keep -keep-dir kept -arch=sm_75 k.cu -o t && ls kept | grep -q ptx"
# guide: ld.local / st.local in PTX
echo '__global__ void k(int *p, int n) { int a[64]; for (int i = 0; i < 64; i++) a[i] = p[i]; for (int i = 0; i < n; i++) a[a[i] & 63] += i; *p = a[n & 63]; }' >local.cu
ok local "$nvcc" -ptx local.cu -o local.ptx
says local_store 'st.local' cat local.ptx
says local_load 'ld.local' cat local.ptx
# guide: -use_fast_math
echo '__global__ void k(float *p) { *p = sinf(*p) / p[1]; }' >fast.cu
says fast_sin 'sin.approx' "$nvcc" -use_fast_math -ptx fast.cu -o /dev/stdout
says fast_div 'div.approx' "$nvcc" -use_fast_math -ptx fast.cu -o /dev/stdout
fails exact_sin 'none' sh -c "'$nvcc' -ptx fast.cu -o f.ptx && grep sin.approx f.ptx || { echo none; exit 1; }"
# guide: --ptxas-options=-v
says ptxas_v 'Used [0-9]* registers.* 256 bytes lmem' "$nvcc" --ptxas-options=-v -c local.cu -o l.o
# guide: CUDA samples directory built with make
mkdir samples
cp k.cu samples/
printf 'NVCC ?= $(CUDA_PATH)/bin/nvcc\nk: k.cu\n\t$(NVCC) -o $@ $<\nclean:\n\trm -f k\n' >samples/Makefile
ok samples make -C samples CUDA_PATH="$(dirname "$(dirname "$nvcc")")"
says samples_run 'cudaSuccess' samples/k

# The restrictions of the language, each with its error.
bad() { # NAME TEXT SOURCE
    printf '%s\n' "$3" >r.cu
    fails "$1" "$2" "$nvcc" -c r.cu -o r.o
}
# guide: __global__ must return void | __global__ and __host__ not together | no variable argument lists in __global__
bad returns_int 'must have void return' '__global__ int k() { return 1; }'
bad global_host '__host__' '__global__ __host__ void k() { }'
bad varargs 'variable arguments' '__global__ void k(int n, ...) { }'
# guide: __shared__ variables have no initialiser | no assignment to built-in variables | no address of built-in variables
bad shared_init 'initialization' '__global__ void k() { __shared__ int x = 5; (void)x; }'
bad assign_builtin 'no setter' '__global__ void k() { threadIdx.x = 1; }'
bad assign_builtin_whole "no viable overloaded '='" '__global__ void k(uint3 v) { blockIdx = v; }'
bad address_builtin 'address of' '__global__ void k(unsigned **p) { *p = &threadIdx.x; }'
# guide: void* does not convert to a typed pointer
bad void_pointer 'cannot initialize' '__global__ void k(void *p) { int *q = p; *q = 1; }'
# guide: __device__/__constant__ only at file scope
bad constant_inside '__constant__' '__global__ void k(int *p) { __constant__ int c; *p = c; }'
# guide: no extern __device__/__constant__ (allowed with -rdc)
printf 'extern __device__ int there;\n__global__ void k(int *p) { *p = there; }\n' >e1.cu
printf '__device__ int there = 77;\n#include <cstdio>\nextern __global__ void k(int *);\nint main() { int *p, v = 0; cudaMalloc(&p, 4); k<<<1, 1>>>(p); cudaMemcpy(&v, p, 4, cudaMemcpyDeviceToHost); std::printf("there %%d\\n", v); }\n' >e2.cu
ok extern_rdc "$nvcc" -rdc=true e1.cu e2.cu -o t
says extern_rdc_runs 'there 77' ./t
# guide: every __global__ call needs a configuration
bad no_configuration 'not configured' '__global__ void k() { } int main() { k(); }'
# guide: printf in device code | hello_kernel<<<1,1>>>
cat >hello.cu <<'X'
#include <stdio.h>
__global__ void hello_kernel(void) { printf("Hello, world from the device!\n"); }
int main() { printf("Hello, world from the host!\n"); hello_kernel<<<1, 1>>>(); cudaDeviceSynchronize(); cudaDeviceReset(); }
X
ok hello "$nvcc" hello.cu -o hello
says hello_host 'from the host' ./hello
says hello_device 'from the device' ./hello
# guide: use of CUDA at program start/exit is undefined
# Here it neither crashes nor hangs.
cat >early.cu <<'X'
#include <cstdio>
__global__ void k(int *p) { *p = 9; }
struct Early { int *p = nullptr; Early() { cudaMalloc(&p, 4); } ~Early() { cudaFree(p); } };
static Early early;
int main() { k<<<1, 1>>>(early.p); int v = 0; cudaMemcpy(&v, early.p, 4, cudaMemcpyDeviceToHost); std::printf("early %d\n", v); }
X
ok early "$nvcc" early.cu -o early
says early_runs 'early 9' ./early
# guide: Visual Studio / Windows installer | display mode switch may crash CUDA applications
# The options for Microsoft's compiler mean nothing here and are refused by name.
fails windows 'not supported' "$nvcc" --use-local-env -c k.cu
# guide: load PTX with the driver API | just-in-time compilation of PTX by the driver
cat >jit.cu <<'X'
#include <cuda.h>
#include <cstdio>
int main(int, char **argv)
{
    CUdevice d; CUcontext c; CUmodule m; CUfunction f; CUdeviceptr p; int v = 0;
    cuInit(0); cuDeviceGet(&d, 0); cuDevicePrimaryCtxRetain(&c, d); cuCtxSetCurrent(c); cuMemAlloc(&p, 4);
    if (cuModuleLoad(&m, argv[1]) != CUDA_SUCCESS || cuModuleGetFunction(&f, m, "_Z4archPi") != CUDA_SUCCESS) return 1;
    void *args[] = {&p};
    cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, 0, args, 0);
    cuMemcpyDtoH(&v, p, 4);
    std::printf("loaded %d\n", v);
}
X
ok jit "$nvcc" jit.cu -lcuda -o jit
says jit_ptx 'loaded 750' ./jit k.ptx
says jit_cubin 'loaded 800' ./jit k.cubin
says jit_from_ptx 'loaded 750' ./jit from_ptx.fatbin
# guide: compute cache of JIT results | environment variables controlling JIT (CUDA_CACHE_*, CUDA_FORCE_PTX_JIT)
ok cached sh -c 'ls -A cache | grep -q .'
mkdir other
ok cache_path env -u HEDDLE_CACHE_DIR CUDA_CACHE_PATH="$work/other" ./jit k.ptx
ok cache_path_used sh -c 'find other -type f | grep -q .'
mkdir unused
ok cache_off env -u HEDDLE_CACHE_DIR CUDA_CACHE_DISABLE=1 CUDA_CACHE_PATH="$work/unused" ./jit k.ptx
fails cache_off_empty 'none' sh -c 'find unused -type f | grep . || { echo none; exit 1; }'
says force_jit 'loaded 750' env CUDA_FORCE_PTX_JIT=1 ./jit k.ptx
finish
