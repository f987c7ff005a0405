#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What compiles with our headers: each file of compile/ at several targets and language versions, its PTX assembled by
# NVIDIA's ptxas where that is installed; and the headers for plain C and C++ compilers.
. "$2/check.sh"
ptxas=$(command -v ptxas || echo /usr/local/cuda/bin/ptxas)
case $("$ptxas" --version 2>/dev/null) in # ours may stand on the PATH
*Heddle*) oracle= ;;
*NVIDIA*) oracle=yes ;;
*) oracle= ;;
esac

for source in "$here"/compile/*.cu; do
    name=$(basename "$source" .cu)
    ok "$name object" "$nvcc" --extended-lambda -c "$source" -o "$name.o"
    for sm in 75 90; do
        ok "$name sm_$sm" "$nvcc" --extended-lambda -arch=sm_$sm -ptx "$source" -o "$name.ptx"
        if [ "$oracle" ]; then
            ok "$name sm_$sm ptxas" "$ptxas" -arch=sm_$sm "$name.ptx" -o /dev/null
        fi
    done
    ok "$name c++20" "$nvcc" --extended-lambda -std=c++20 -use_fast_math -ptx "$source" -o "$name.ptx"
done
for name in math atomics texture; do
    ok "$name c++14" "$nvcc" -std=c++14 -c "$here/compile/$name.cu" -o "$name.o"
    ok "$name debug" "$nvcc" -G -c "$here/compile/$name.cu" -o "$name.o"
done

cat >plain.c <<'X'
#include <cuda_runtime_api.h>
#include <cuda_runtime.h>
#include <vector_types.h>
#include <vector_functions.h>
#include <driver_functions.h>
#include <cuComplex.h>
#include <cuda.h>
int main(void)
{
    float4 f = make_float4(1, 2, 3, 4);
    cuComplex z = make_cuComplex(1, 2);
    struct cudaExtent e = make_cudaExtent(1, 2, 3);
    dim3 d = {1, 2, 3};
    return (int)(f.x + cuCabsf(cuCmulf(z, z))) + (int)e.width + (int)d.x;
}
X
cat >plain.cpp <<'X'
#include <cuda_runtime.h>
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <cuda.h>
int main()
{
    float *p;
    cudaMalloc(&p, 4);
    dim3 d(3);
    half h = 1.5f;
    __nv_bfloat16 b = 2.f;
    return (int)((float)h + (float)b) + d.x;
}
X
include=$(dirname "$nvcc")/../include
for cc in gcc clang clang-22 clang-19; do
    command -v $cc >/dev/null || continue
    ok "c99 $cc" $cc -std=c99 -Wall -Wextra -I "$include" -c plain.c -o plain.o
    ok "c11 $cc" $cc -std=c11 -Wall -Wextra -I "$include" -c plain.c -o plain.o
done
for cc in g++ clang++ clang++-22 clang++-19; do
    command -v $cc >/dev/null || continue
    ok "c++11 $cc" $cc -std=c++11 -Wall -Wextra -I "$include" -c plain.cpp -o plain.o
    ok "c++17 $cc" $cc -std=c++17 -Wall -Wextra -I "$include" -c plain.cpp -o plain.o
done
clean headers
finish
