#!/bin/sh
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
__global__ void shuffle(int *p) { *p += __shfl_down_sync(0xffffffff, threadIdx.x, 1) == 1; }
int main()
{
    int *p, v = 0;
#ifdef __CUDA_ARCH__
    return 1; // host code has none
#endif
    cudaMalloc(&p, 4);
    arch<<<1, 1>>>(p);
    cudaMemcpy(&v, p, 4, cudaMemcpyDeviceToHost);
    std::printf("arch %d %s\n", v, cudaGetErrorName(cudaGetLastError()));
    return 0;
}
X
# guide: nvcc compiler driver | separate host and device code | host compiler invoked at the last stage
ok compile "$nvcc" k.cu -o k
says run 'arch [0-9]*0 cudaSuccess' ./k
says stages 'cuda-device-only' "$nvcc" -dryrun k.cu -o k
says host_stage 'cuda-host-only' "$nvcc" -dryrun k.cu -o k
# guide: compile device code to PTX (-ptx) | compile device code to cubin (-cubin) | PTX as nvcc input
ok ptx "$nvcc" -ptx -arch=compute_75 k.cu -o k.ptx
says ptx_text '^.version' cat k.ptx
ok cubin "$nvcc" -cubin -arch=sm_80 k.cu -o k.cubin
ok ptx_input "$nvcc" -fatbin -arch=sm_75 k.ptx -o from_ptx.fatbin
ok ptx_input_made test -s from_ptx.fatbin
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
ok shuffle_50 "$nvcc" -arch=compute_50 -ptx k.cu -o t.ptx
says shuffle_ptx 'shfl' cat t.ptx
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
# guide: <<<...>>> replaced by runtime calls (-cuda output as C++)
# Clang's CUDA front end turns launches into calls while it compiles, so the stage between is an object and no C++ text.
ok object "$nvcc" -c k.cu -o k.o
says launch_calls 'cudaLaunchKernel' nm -u k.o
# guide: C++ front end, full C++ in host code, subset in device code
cat >cpp.cu <<'X'
#include <map>
#include <string>
#include <stdexcept>
template <class T, int N> struct Array { T v[N]; __host__ __device__ T &operator[](int i) { return v[i]; } };
__global__ void k(int *p) { Array<int, 4> a{{1, 2, 3, 4}}; auto f = [&](int i) { return a[i] * 2; }; *p = f(3); }
int main() { std::map<std::string, int> m{{"a", 1}}; try { m.at("b"); } catch (const std::out_of_range &) { return 0; } return 1; }
X
ok cpp "$nvcc" -std=c++17 cpp.cu -o t
ok cpp_runs ./t
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
bad returns_int 'void' '__global__ int k() { return 1; }'
bad global_host '__host__' '__global__ __host__ void k() { }'
bad varargs 'variable arguments' '__global__ void k(int n, ...) { }'
# guide: __shared__ variables have no initialiser | no assignment to built-in variables | no address of built-in variables
bad shared_init 'initialization' '__global__ void k() { __shared__ int x = 5; (void)x; }'
bad assign_builtin 'error' '__global__ void k() { threadIdx.x = 1; }'
bad assign_builtin_whole 'error' '__global__ void k(uint3 v) { blockIdx = v; }'
bad address_builtin 'error' '__global__ void k(unsigned **p) { *p = &threadIdx.x; }'
# guide: void* does not convert to a typed pointer
bad void_pointer 'void' '__global__ void k(void *p) { int *q = p; *q = 1; }'
# guide: __device__/__constant__ only at file scope
bad constant_inside '__constant__' '__global__ void k(int *p) { __constant__ int c; *p = c; }'
# guide: no extern __device__/__constant__ (allowed with -rdc)
printf 'extern __device__ int there;\n__global__ void k(int *p) { *p = there; }\n' >e1.cu
printf '__device__ int there = 77;\n#include <cstdio>\nextern __global__ void k(int *);\nint main() { int *p, v = 0; cudaMalloc(&p, 4); k<<<1, 1>>>(p); cudaMemcpy(&v, p, 4, cudaMemcpyDeviceToHost); std::printf("there %%d\\n", v); }\n' >e2.cu
ok extern_rdc "$nvcc" -rdc=true e1.cu e2.cu -o t
says extern_rdc_runs 'there 77' ./t
# guide: every __global__ call needs a configuration
bad no_configuration 'error' '__global__ void k() { } int main() { k(); }'
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
fails windows 'error' "$nvcc" --use-local-env -c k.cu
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
