# SPDX-License-Identifier: Apache-2.0
# run.sh NVCC FOLDER: `heddle run` puts Heddle's libraries before those that a program brings along, however it names them, and leaves
# everything else alone. The program's own libraries are made here, under NVIDIA's names; each answers 7 where Heddle's has its version.
. "$2/../nvcc/check.sh"
sdk=$(dirname "$(dirname "$nvcc")")
heddle=$sdk/bin/heddle
export HEDDLE_CACHE_DIR="$work/cache"
unset HEDDLE_DEVICE HEDDLE_DEVICES LD_LIBRARY_PATH

brought=$work/site/nvidia/lib
mkdir -p "$brought"
cat >fake.c <<'C'
int cudaRuntimeGetVersion(int *v) { *v = 7; return 0; }
int cublasGetProperty(int what, int *v) { (void)what; *v = 7; return 0; }
int cuDriverGetVersion(int *v) { *v = 7; return 0; }
C
fake() { # NAME SONAME
    cc -shared -fPIC fake.c -o "$brought/$1" -Wl,-soname,"$2" || exit 1
}
fake libcudart.so.13 libcudart.so.13
fake libcudart.so.7 libcudart.so.7
fake libcudart-0123abcd.so.13.0.96 libcudart-0123abcd.so.13.0.96
fake libcublas.so.12 libcublas.so.12
fake libcuda.so.1 libcuda.so.1
fake libcudnn.so.9 libcudnn.so.9
fake libcudart_more.so.13 libcudart_more.so.13
ln -s libcudart.so.7 "$brought/libcudart.so"

# What a program linked to the library prints: the version that it is told.
cat >linked.c <<'C'
#include <stdio.h>
int ASK(int *v);
int main(void) { int v = 0; return ASK(&v) || printf("%d\n", v) < 0; }
C
cat >property.c <<'C'
#include <stdio.h>
int cublasGetProperty(int what, int *v);
int main(void) { int v = 0; return cublasGetProperty(0, &v) || printf("%d\n", v) < 0; }
C
cat >opens.c <<'C'
#include <dlfcn.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    void *h = dlopen(argv[1], RTLD_NOW);
    int (*ask)(int *) = h ? (int (*)(int *))dlsym(h, argv[2]) : 0;
    int v = 0;
    if (!ask)
        fprintf(stderr, "%s\n", dlerror());
    return !ask || ask(&v) || printf("%d\n", v) < 0 || argc != 3;
}
C
# The same in a thread of the program's.
cat >thread.c <<'C'
#include <pthread.h>
#define main opens
#include "opens.c"
#undef main
static char **words;
static void *work(void *status)
{
    *(int *)status = opens(3, words);
    return 0;
}
int main(int argc, char **argv)
{
    pthread_t t;
    int status = argc != 3;
    words = argv;
    return status || pthread_create(&t, 0, work, &status) || pthread_join(t, 0) || status;
}
C
runtime=-DASK=cudaRuntimeGetVersion
cc $runtime linked.c -o rpath "$brought/libcudart.so.13" -Wl,--disable-new-dtags,-rpath,"$brought" || exit 1
cc $runtime linked.c -o runpath "$brought/libcudart.so.13" -Wl,--enable-new-dtags,-rpath,"$brought" || exit 1
cc $runtime linked.c -o older "$brought/libcudart.so.7" -Wl,-rpath,"$brought" || exit 1
cc $runtime linked.c -o hashed "$brought/libcudart-0123abcd.so.13.0.96" -Wl,-rpath,"$brought" || exit 1
cc -DASK=cuDriverGetVersion linked.c -o driver "$brought/libcuda.so.1" -Wl,-rpath,"$brought" || exit 1
cc property.c -o blas "$brought/libcublas.so.12" -Wl,--disable-new-dtags,-rpath,"$brought" || exit 1
cc opens.c -o opens -ldl || exit 1
cc thread.c -o thread -pthread -ldl || exit 1

is() { # NAME OUTPUT COMMAND...: exit code 0 and this text on stdout
    check=$1 text=$2
    shift 2
    ok "$check" sh -c 'text=$1; shift; [ "$("$@" 2>err)" = "$text" ] || { cat err; exit 1; }' sh "$text" "$@"
}
ends() { # NAME STATUS TEXT COMMAND...: this exit code, TEXT on stderr
    check=$1 status=$2 text=$3
    shift 3
    ok "$check" sh -c 'status=$1 text=$2; shift 2; "$@" 2>err; [ $? = "$status" ] && grep -q -e "$text" err || { cat err; exit 1; }' \
        sh "$status" "$text" "$@"
}

# Without `heddle run` the program has what it brought, with it Heddle's.
for name in rpath runpath hashed driver blas; do
    is "$name alone" 7 "./$name"
    ok "$name on Heddle's" sh -c '[ "$("$1" run "./$2")" -gt 7 ]' sh "$heddle" "$name"
done
for name in libcudart.so.13 libcudart-0123abcd.so.13.0.96; do
    is "dlopen $name alone" 7 ./opens "$brought/$name" cudaRuntimeGetVersion
    is "dlopen $name" 13000 "$heddle" run ./opens "$brought/$name" cudaRuntimeGetVersion
done
is "dlopen in a thread" 13000 "$heddle" run ./thread "$brought/libcudart-0123abcd.so.13.0.96" cudaRuntimeGetVersion
is "dlopen in a thread, another major version" 7 "$heddle" run ./thread "$brought/libcudart.so.7" cudaRuntimeGetVersion
is "dlopen by name" 13000 "$heddle" run ./opens libcudart.so.13 cudaRuntimeGetVersion
is "dlopen by the name of no version" 13000 "$heddle" run ./opens libcudart.so cudaRuntimeGetVersion
is "a file that is not there" 13000 "$heddle" run ./opens /nowhere/libcudart.so.13.0.96 cudaRuntimeGetVersion
is "the driver's file has its own version" 13000 "$heddle" run ./opens /nowhere/libcuda.so.580.65.06 cuDriverGetVersion

# What Heddle's own libraries need is Heddle's, also where the loader would find another one first.
is "needs of Heddle's libraries" 13000 env LD_LIBRARY_PATH="$brought" "$heddle" run ./opens libcublas.so.13 cudaRuntimeGetVersion

# What Heddle has not in this version, or not at all, stays.
is "another major version" 7 "$heddle" run ./older
is "a link to another major version" 7 "$heddle" run ./opens "$brought/libcudart.so" cudaRuntimeGetVersion
is "a library that is not there" 7 "$heddle" run ./opens "$brought/libcudnn.so.9" cudaRuntimeGetVersion
is "a name that only begins so" 7 "$heddle" run ./opens "$brought/libcudart_more.so.13" cudaRuntimeGetVersion
is "the GPU's driver" 7 env HEDDLE_DEVICE=gpu "$heddle" run ./driver

# Children, through a shell; the environment; the tools.
is "a child" 13000 "$heddle" run sh -c './rpath; :'
is "a child of a child, cleared of nothing" 13000 "$heddle" run env A=1 sh -c './runpath'
is "devices" 3 "$heddle" run --devices 3 sh -c 'echo $HEDDLE_DEVICES'
is "devices=" 0 "$heddle" run --devices=0 sh -c 'echo $HEDDLE_DEVICES'
is "nvcc" "$sdk/bin/nvcc" "$heddle" run sh -c 'command -v nvcc'
is "the toolkit" "$sdk $sdk cpu" "$heddle" run sh -c 'echo $CUDA_HOME $CUDA_PATH $HEDDLE_DEVICE'
is "Triton's tools" "$sdk/bin/ptxas $sdk/bin/ptxas $sdk/lib64" "$heddle" run sh -c 'echo $TRITON_PTXAS_PATH $TRITON_PTXAS_BLACKWELL_PATH $TRITON_LIBCUDA_PATH'
is "none on a GPU" none env HEDDLE_DEVICE=gpu "$heddle" run sh -c 'echo ${TRITON_PTXAS_PATH-none}'
is "twice is once" "$sdk/lib64/libheddle-run.so" "$heddle" run "$heddle" run sh -c 'echo $LD_AUDIT'
is "another audit library" "$sdk/lib64/libheddle-run.so:/x.so" env LD_AUDIT=/x.so "$heddle" run sh -c 'echo $LD_AUDIT'

# --show
ok "show" sh -c '"$1" run --show ./rpath 2>told' sh "$heddle"
ok "what was redirected" test "$(cat told)" = "heddle run: libcudart.so.13 -> $sdk/lib64/libcudart.so.13"
ok "show, of Heddle's own needs nothing" sh -c '"$1" run --show ./blas 2>told' sh "$heddle"
ok "one line" test "$(cat told)" = "heddle run: libcublas.so.12 -> $sdk/lib64/libcublas.so.12"
ok "show older" sh -c '"$1" run --show sh -c "./older; :" 2>told' sh "$heddle"
ok "what was not, and what there is" test "$(cat told)" = "heddle run: libcudart.so.7 left alone: Heddle has .13"
ok "show none" sh -c '"$1" run --show ./opens "$2" cudaRuntimeGetVersion 2>told' sh "$heddle" "$brought/libcudnn.so.9"
ok "what is not there" test "$(cat told)" = "heddle run: $brought/libcudnn.so.9 left alone: Heddle has none"
ok "show gpu" sh -c 'HEDDLE_DEVICE=gpu "$1" run --show ./driver 2>told' sh "$heddle"
ok "whose driver" test "$(cat told)" = "heddle run: libcuda.so.1 left alone: HEDDLE_DEVICE=gpu"
ok "silent otherwise" sh -c '"$1" run ./rpath 2>told && [ ! -s told ]' sh "$heddle"

# Status and signals are the program's.
ok "status" sh -c '"$1" run sh -c "exit 42"; [ $? = 42 ]' sh "$heddle"
ok "signal" sh -c '"$1" run sh -c "kill -TERM \$\$"; [ $? = 143 ]' sh "$heddle"
ok "the same process" sh -c '[ "$("$1" run sh -c "echo \$PPID")" = $$ ]' sh "$heddle"
is "arguments" "--show|a b|" "$heddle" run -- printf '%s|' --show 'a b'
ends "no program" 2 'no program is given' "$heddle" run
ends "only options" 2 'no program is given' "$heddle" run --show --
ends "unknown option" 2 "'--nonsense' is no option" "$heddle" run --nonsense ./rpath
ends "no number" 2 'without a number' "$heddle" run --devices
ends "not a number" 2 'not a number from 0 to 64' "$heddle" run --devices many ./rpath
ends "too many" 2 'not a number from 0 to 64' "$heddle" run --devices 65 ./rpath
ends "not found" 127 'nonsense-program: not found' "$heddle" run nonsense-program
ends "no file" 127 './nonsense: not found' "$heddle" run ./nonsense
printf 'text' >data && chmod 644 data
ends "not a program" 126 './data: ' "$heddle" run ./data
ends "a folder" 126 "$work: " "$heddle" run "$work"

# A kernel runs, with the library that the program brought out of the way.
cat >kernel.cu <<'CU'
#include <cstdio>
__global__ void add(int *p) { atomicAdd(p, threadIdx.x); }
int main()
{
    int *p, h = 0, n = 0;
    if (cudaGetDeviceCount(&n) || cudaMalloc(&p, 4) || cudaMemset(p, 0, 4))
        return 1;
    add<<<2, 64>>>(p);
    return cudaMemcpy(&h, p, 4, cudaMemcpyDeviceToHost) || printf("%d %d\n", n, h) < 0;
}
CU
"$nvcc" -cudart shared -c kernel.cu -o kernel.o || exit 1
cc kernel.o -o kernel "$sdk/lib64/libcudart.so.13" -lstdc++ -Wl,--disable-new-dtags,-rpath,"$brought" || exit 1
fails "alone" 'undefined symbol\|version' ./kernel
is "a kernel" "2 4032" "$heddle" run --devices 2 ./kernel
finish
