#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Compiles each header of the runtime interface alone: headers.sh INCLUDE-FOLDER CLANG
passed=0 failed=0
for header in driver_types.h cuda_runtime_api.h library_types.h texture_types.h surface_types.h channel_descriptor.h \
    vector_types.h builtin_types.h host_defines.h device_types.h cuda_profiler_api.h cuda_texture_types.h cuda_surface_types.h \
    cuda_d3d9_interop.h curand.h cuda_occupancy.h nvvm.h; do
    for compiler in "gcc -std=c99 -x c" "g++ -std=c++11 -x c++" "g++ -std=c++20 -x c++" "$2 -std=c99 -x c" "$2 -std=c++17 -x c++"; do
        if printf '#include <%s>\nint one;\n' "$header" | $compiler -Wall -Wextra -Wpedantic -Werror -I"$1" -fsyntax-only -; then
            passed=$((passed + 1))
        else
            failed=$((failed + 1))
            echo "failed: $compiler, $header" >&2
        fi
    done
done
# By their paths, without a folder of headers on the command line, as some build systems write them into sources.
for header in cuda.h cudaTypedefs.h cudaProfiler.h cudaProfilerTypedefs.h cuda_runtime.h cuda_runtime_api.h cuda_fp16.h cuda_bf16.h cuda_fp8.h curand.h nvToolsExt.h; do
    if printf '#include "%s/%s"\nint one;\n' "$1" "$header" | g++ -x c++ -Wall -Wextra -Werror -fsyntax-only -; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "failed: by its path, $header" >&2
    fi
done
echo "$passed passed, $failed failed"
[ $failed = 0 ]
