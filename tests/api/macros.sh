#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# macros.sh INCLUDE NVCC WORK-FOLDER: our headers name nothing of their own by a word that a program may have as a macro. Macros of
# short names and of names that templates often have stand before every header; what CUDA itself names so (x, y, z, w, f: members) does not.
set -eu
include=$1 nvcc=$2 work=$3
mkdir -p "$work"
cd "$work"
export HEDDLE_CACHE_DIR="$work/cache"
names="a b c d e g h i j k l m n o p q r s t u v
    A B C D E F G H I J K L M N O P Q R S T U V W X Y Z
    T1 T2 T4 M2 N1 N2 X1 X2 a1 a2 a3 a4 b2 x0 x1 s0 s1 s2 v1 v2 v4 m2 h2 ab ax ay bx by dx dy vx vy vz fa fb fc ha hb la lb ra rb sa sb sd
    lo hi im re to at of is in as up to Op To Is
    Args Arg Actual Alignment Atomic Barrier Body Bytes Clock Completion Count Duration Exchange Expected From FromLayout Function Given
    Group Kernel Kind Label Layout MaxBlockSize Other Parent ParentSize Period Place Prior Property Rep Scope Sem Shape Size Stages
    Storage Sync Texture Tile Try UnaryFunction
    arg best box buffer can child desired did dims edges entry exec exponent fill fptr grid group groups hit image index initial input
    inputs keep label largest layout len levels lib limit line loc lock map memory module needed num ops option options original
    overflow peer plane pool pred predicate prog prop radius remaining repeat ret rounding saturate select stages stride
    strides success surf swizzle symbol target tex total upper view what wrapped zero"
set --
for name in $names; do
    set -- "$@" "-D$name=the_macro_$name"
done
headers() { # headers FOLDER...: those that stand alone; cublas.h does not go with cublas_v2.h
    (cd "$include" && find "$@" -maxdepth 1 -type f ! -name CMakeLists.txt ! -iname '*d3d9*' ! -iname '*gl*' ! -name cublas.h | sed 's|^\./||' | sort)
}
# CUDA, both sides; then C++ and C of other compilers.
for header in $(headers . cuda cooperative_groups crt nv nvtx3); do
    echo "#include <$header>"
done > all.cu
"$nvcc" -arch=sm_90 -std=c++17 -w "$@" -c all.cu -o all.o
count=$(wc -l < all.cu)
for header in cuda.h cuda_runtime_api.h cuda_runtime.h driver_types.h vector_types.h cuComplex.h nvrtc.h nvvm.h curand.h nvToolsExt.h \
    cuda_fp16.h cuda_bf16.h cuda_fp8.h cuda_occupancy.h cudaTypedefs.h cuda_profiler_api.h library_types.h texture_types.h; do
    echo "#include <$header>"
done > plain.cpp
c++ -w -I"$include" "$@" -fsyntax-only plain.cpp
for header in cuda.h cuda_runtime_api.h cuComplex.h nvrtc.h nvvm.h curand.h nvToolsExt.h cudaTypedefs.h; do
    echo "#include <$header>"
done > plain.c
cc -w -I"$include" "$@" -fsyntax-only plain.c
echo '__global__ void kernel(float *s) { s[0] += 1; } int main() { return 0; }' > emulated.cu
"$nvcc" -deviceemu -w "$@" -US -Us -c emulated.cu -o emulated.o
echo "$count headers, $(echo $names | wc -w) names: passed"
