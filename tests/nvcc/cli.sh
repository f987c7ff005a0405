#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The command line of nvcc: every spelling of options, every kind of output, errors, and that nothing is left behind.
. "$2/check.sh"

cat >k.cu <<'X'
#ifndef VALUE
#define VALUE 1
#endif
__global__ void k(int *p) { *p = VALUE; }
#ifndef NO_MAIN
int main() { int *p; cudaMalloc(&p, 4); k<<<1, 1>>>(p); return 0; }
#endif
X
echo 'int helper(void) { return 3; }' >c.c
echo '#include <cuda_runtime.h>
extern "C" int helper(void); int both() { return helper() + CUDART_VERSION; }' >cpp.cpp
echo '__global__ void k( { }' >bad.cu
echo '#include "k.cu"
int x = unknown_name;' >bad_host.cu
printf 'extern __device__ int twice(int);\n__global__ void k(int *p) { *p = twice(*p); }\nint main() { k<<<1,1>>>(0); }\n' >r1.cu
printf 'static __device__ int one() { return 1; }\n__device__ int twice(int x) { return 2 * x * one(); }\n' >r2.cu

# The program itself.
says version 'release 13.0, V13.0.' "$nvcc" --version
says version_short 'release 13.0, V13.0.' "$nvcc" -V
says help 'generate-code' "$nvcc" --help
# How build systems ask for the host compiler's version: with a name of no file.
host_version=$("$nvcc" .c -Xcompiler --version 2>/dev/null || true)
says host_version '[0-9]\.[0-9]' echo "$host_version"
fails host_file 'none.cpp' "$nvcc" -c none.cpp
says list_code '^sm_90$' "$nvcc" --list-gpu-code
fails nothing 'no input files' "$nvcc"
fails unknown "unknown option '--no-such-option'" "$nvcc" --no-such-option k.cu
fails missing_value 'needs a value' "$nvcc" k.cu -o
fails missing_file 'none.cu' "$nvcc" -c none.cu
fails bad_arch 'unsupported gpu architecture' "$nvcc" -arch=sm_12345 -c k.cu
fails bad_bool 'true or false' "$nvcc" -ftz=maybe -c k.cu
fails bad_cudart 'is no value' "$nvcc" -cudart=maybe k.cu
fails two_outputs 'names one file' "$nvcc" -c k.cu c.c -o both.o
fails two_phases 'more than one' "$nvcc" -c -ptx k.cu
clean program

# Kinds of output.
ok ptx "$nvcc" -ptx k.cu
says ptx_target '.target sm_75' cat k.ptx
ok ptx_name "$nvcc" --ptx k.cu --output-file named.ptx
ok ptx_exists test -s named.ptx
ok ptx_stdout "$nvcc" -ptx k.cu -o /dev/null
ok dev_null_stays test -c /dev/null
fails dev_null_error 'error' "$nvcc" -c bad_host.cu -o /dev/null
ok dev_null_still_stays test -c /dev/null
ln -s linked.real linked.ptx
: >linked.real
ok link_followed "$nvcc" -ptx k.cu -o linked.ptx
ok link_kept test -L linked.ptx -a -s linked.real
ok object "$nvcc" -c k.cu
ok object_exists test -s k.o
ok cubin "$nvcc" -cubin -arch sm_80 k.cu
ok cubin_exists test -s k.cubin
ok fatbin "$nvcc" -fatbin -gencode arch=compute_75,code=sm_75 -gencode=arch=compute_90,code=[sm_90,compute_90] k.cu
says fatbin_75 'target sm_75' strings k.fatbin
says fatbin_90 'target sm_90' strings k.fatbin
fails ptx_two_targets 'name one target' "$nvcc" -ptx -gencode arch=compute_75,code=sm_75 -gencode arch=compute_90,code=sm_90 k.cu
says preprocess 'k(int' "$nvcc" -E k.cu
says deps 'k.o:.*k.cu' "$nvcc" -M k.cu
ok deps_with "$nvcc" -MD -MF k.d -c k.cu
says deps_file 'k.cu' cat k.d
ok odir mkdir out
ok odir_use "$nvcc" -odir out -c k.cu c.c
ok odir_files test -s out/k.o -a -s out/c.o
ok library "$nvcc" -lib -DNO_MAIN k.cu c.c -o l.a
says library_members 'c.o' ar t l.a
clean outputs

# Spellings.
for spelling in '-DVALUE=42' '-D VALUE=42' '--define-macro VALUE=42' '--define-macro=VALUE=42' '-D=VALUE=42'; do
    ok "define $spelling" "$nvcc" $spelling -ptx k.cu -o d.ptx
    says "defined $spelling" '42' cat d.ptx
done
for flag in '-arch=sm_90' '-arch sm_90' '--gpu-architecture=sm_90' '-arch=compute_90 -code=sm_90,compute_90' '-arch=native'; do
    ok "arch $flag" "$nvcc" $flag -ptx k.cu -o a.ptx
    says "arch $flag" 'sm_90' cat a.ptx
done
ok std "$nvcc" -std=c++14 -c k.cu
ok std_space "$nvcc" --std c++20 -c k.cu
fails std_bad 'is no value' "$nvcc" -std=c++99 -c k.cu
mkdir -p apart
echo '#define APART 7' >apart/apart.h
printf '#include <apart.h>\n__global__ void k(int *p) { p[0] = HOST_WORD + APART; }\nint f() { return HOST_WORD; }\n' >words.cu
ok host_words "$nvcc" -Xcompiler -DHOST_WORD=5,-Iapart -c words.cu -o words.o
echo 'int answer() { return 42; }' >answer.cpp
echo 'int answer(); int main() { return answer() != 42; }' >asks.cu
ok library_made "$nvcc" -lib answer.cpp -o libanswer.a
ok library_first "$nvcc" -L. -lanswer asks.cu -o asks
ok library_runs ./asks
ok many_options "$nvcc" -O3 -g -lineinfo -w -m64 -Xcompiler -Wall,-Wextra -Xptxas -O3 -Xcudafe --diag_suppress=177 -Xfatbin -compress-all -Xcicc -O3 \
    --expt-relaxed-constexpr --extended-lambda -diag-suppress 177 -t 2 --default-stream per-thread -ccbin g++ -maxrregcount=64 \
    -Wno-deprecated-gpu-targets --restrict -c k.cu
# Assertions are off for all headers, and on again in one source.
printf '#undef NDEBUG\n#include <assert.h>\n__global__ void k(int i) { assert(i); }\nint main() { k<<<1, 1>>>(0); return cudaDeviceSynchronize() != cudaErrorAssert; }\n' >again.cu
ok assert_again_made "$nvcc" -DNDEBUG again.cu -o again
ok assert_again sh -c './again 2>/dev/null'
ok device_debug "$nvcc" -G -c k.cu
ok fast_math "$nvcc" -use_fast_math -c k.cu
ok math_parts "$nvcc" -ftz=true -prec-div=false -prec-sqrt=false -fmad=false -c k.cu
ok language "$nvcc" -x cu -c cpp.cpp
says usage 'Compiling entry function' "$nvcc" -Xptxas -v -c k.cu
ok host_sources "$nvcc" -c c.c cpp.cpp
fails forward_not 'unknown option' "$nvcc" -fopenmp -c cpp.cpp
ok forward "$nvcc" --forward-unknown-to-host-compiler -fno-exceptions -c cpp.cpp
says dryrun 'cuda-device-only' "$nvcc" -dryrun -c k.cu -o never.o
ok dryrun_makes_nothing test ! -e never.o
says verbose 'fcuda-include-gpubinary' "$nvcc" -v -c k.cu
ok keep "$nvcc" -keep -keep-dir kept -c k.cu
ok keep_files test -s kept/k.ptx -a -s kept/k.fatbin
echo '-DVALUE=77 -ptx' >options
ok options_file "$nvcc" --options-file options k.cu -o o1.ptx
ok options_at "$nvcc" @options k.cu -o o2.ptx
says options_file_used 77 cat o1.ptx
says options_at_used 77 cat o2.ptx
fails options_missing 'cannot be read' "$nvcc" @missing k.cu
ok prepend env NVCC_PREPEND_FLAGS=-DVALUE=88 "$nvcc" -ptx k.cu -o e.ptx
says prepend_used 88 cat e.ptx
ok append env NVCC_APPEND_FLAGS='-DVALUE=99 -w' "$nvcc" -ptx k.cu -o e.ptx
says append_used 99 cat e.ptx
clean spellings

# Errors of each stage: a message, a status, no output.
fails bad_device 'error:' "$nvcc" -c bad.cu -o bad.o
ok bad_device_no_output test ! -e bad.o
fails bad_host 'unknown_name' "$nvcc" -c bad_host.cu -o bad.o
ok bad_host_no_output test ! -e bad.o
fails bad_ptx 'error:' "$nvcc" -ptx bad.cu -o bad.ptx
ok bad_ptx_no_output test ! -e bad.ptx
clean errors

# Relocatable device code.
ok dc "$nvcc" -dc r1.cu r2.cu
ok dlink "$nvcc" -dlink r1.o r2.o -o d.o
says dlink_stub '__cudaRegisterLinkedBinary__nv_' nm d.o
says dlink_linked 'visible .func.*twice' strings d.o
fails dlink_undefined 'defined nowhere' "$nvcc" -dlink r1.o -o u.o
ok dlink_undefined_no_output test ! -e u.o
ok rdc_archive ar rcs r2.a r2.o
ok dlink_archive "$nvcc" -dlink r1.o r2.a -o da.o
printf '__device__ int twice(int x) { return x; }\n' >r3.cu
ok dc_again "$nvcc" -dc r3.cu
fails dlink_twice 'is defined in' "$nvcc" -dlink r1.o r2.o r3.o -o u.o
clean rdc

# Programs, where the runtime library is built.
lib=$(dirname "$nvcc")/../lib64
if [ -e "$lib/libcudart.so" ]; then
    ok link "$nvcc" k.cu -o k
    says link_rpath 'lib64' readelf -d k
    ok link_several "$nvcc" -DNO_MAIN k.cu cpp.cpp c.c -shared -o libk.so
    ok link_objects "$nvcc" k.o c.o -o k2
    ok link_rdc "$nvcc" -rdc=true r1.cu r2.cu -o r
    ok link_dlinked "$nvcc" r1.o r2.o d.o -o r_dlinked
    ok link_default "$nvcc" k.cu
    ok link_default_name test -x a.out
    fails link_undefined 'not linked' "$nvcc" c.c -o c
    [ ! -e "$lib/libcudart_static.a" ] || ok link_static "$nvcc" -cudart static k.cu -o ks
    cat >omp.cu <<'EOF'
#include <omp.h>
#include <cstdio>
__global__ void k() {}
int main()
{
    long sum = 0;
#pragma omp parallel for schedule(dynamic) reduction(+ : sum)
    for (int i = 0; i < 1000; i++)
        sum += i;
    std::printf("sum %ld, threads %s\\n", sum, omp_get_max_threads() >= 1 ? "yes" : "no");
}
EOF
    ok openmp "$nvcc" -Xcompiler -fopenmp omp.cu -o omp
    says openmp_runs 'sum 499500, threads yes' ./omp
    ok openmp_objects "$nvcc" -Xcompiler -Wall,-fopenmp -c omp.cu -o omp.o
    ok openmp_link "$nvcc" -Xcompiler -fopenmp omp.o -o omp2
    says openmp_link_runs 'sum 499500' ./omp2
    ok link_none "$nvcc" -cudart none -lcudart k.cu -o kn
    clean link
fi

# A signal ends it and leaves nothing.
"$nvcc" -c k.cu -o s.o &
pid=$!
sleep 0.2
kill -TERM $pid 2>/dev/null
wait $pid 2>/dev/null
clean signal
finish
