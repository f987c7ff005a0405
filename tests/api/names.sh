#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# names.sh INCLUDE-FOLDER NVCC THEIRS WORK-FOLDER: every function and type that NVIDIA's headers of device code declare is in ours.
# Ours are the words of our headers, before and after the preprocessor, since macros make many names. What begins as
# NVIDIA's own inner names do, and the macros of their headers, do not count.
ours=$1 nvcc=$2 theirs=$3
mkdir -p "$4" && cd "$4" || exit 1
headers="cuda_fp16.h cuda_fp16.hpp cuda_bf16.h cuda_bf16.hpp cuda_fp8.h cuda_fp8.hpp cuda_fp6.h cuda_fp6.hpp cuda_fp4.h cuda_fp4.hpp
    cuComplex.h vector_functions.h vector_types.h cooperative_groups/reduce.h cooperative_groups/scan.h
    cooperative_groups/memcpy_async.h crt/device_functions.h crt/device_double_functions.h crt/sm_70_rt.h crt/sm_80_rt.h crt/sm_100_rt.h
    sm_20_intrinsics.h sm_30_intrinsics.h sm_32_intrinsics.h sm_35_intrinsics.h sm_61_intrinsics.h sm_60_atomic_functions.h
    sm_32_atomic_functions.h sm_20_atomic_functions.h device_atomic_functions.h curand.h curand_uniform.h curand_normal.h
    curand_lognormal.h curand_mtgp32_kernel.h math_constants.h device_types.h library_types.h channel_descriptor.h
    texture_types.h surface_types.h driver_functions.h"
for h in $headers; do
    case $h in *.h) echo "#include <$h>" ;; esac
done >all.cu
words() { grep -oE '[A-Za-z_][A-Za-z_0-9]*' | LC_ALL=C sort -u; }
{
    find "$ours" -type f -exec cat {} +
    for sm in 90 100; do "$nvcc" -E -std=c++17 -arch=sm_$sm all.cu || exit 1; done
} | words >ours.txt
missing=0
for h in $headers; do
    # comments and strings away; then what stands before a bracket, and the names of types
    gcc -fpreprocessed -dD -E -P -w -x c++ "$theirs/$h" | sed 's/"[^"]*"//g' >text.txt
    {
        grep -oE '[A-Za-z_][A-Za-z_0-9]* *\(' text.txt
        grep -oE '(struct|enum|class) +[A-Za-z_][A-Za-z_0-9]*' text.txt | sed 's/^[a-z]* *//'
        grep -oE '^typedef .*;' text.txt | grep -oE '[A-Za-z_][A-Za-z_0-9]* *;'
    } | words | LC_ALL=C comm -23 - ours.txt |
        grep -vE '^_*[A-Z0-9_]+$|^__internal_|^__(hcos|hsin)_internal$|^__float_simpl_|_impl$|^__cudaLaunchKernel|^__cudaGetKernel|^_byteswap_|^__pragma$|^warning$|^__cuda_builtin_vector_align8$|^_*CUDA_FP' >missing.txt
    if [ -s missing.txt ]; then
        echo "$h: $(tr '\n' ' ' <missing.txt)" >&2
        missing=$((missing + $(wc -l <missing.txt)))
    fi
done
count=$(echo $headers | wc -w)
echo "$count headers, $missing names missing"
[ "$(wc -l <ours.txt)" -gt 5000 ] && [ $missing = 0 ]
