#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run.sh SDK FOLDER: a client of CUPTI, linked and as a tool that is put into a program.
set -eu
sdk=$1 out=$2 here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$out"
cd "$out"
export HEDDLE_DEVICE=cpu
"$sdk/bin/nvcc" -std=c++17 "$here/client.cu" -I"$sdk/extras/CUPTI/include" -L"$sdk/extras/CUPTI/lib64" -lcupti -lcuda -o client
./client "$sdk/lib64/libcupti.so.13"
"$sdk/bin/nvcc" -std=c++17 "$here/program.cu" -o program
for cc in cc c++; do # the headers are C's and C++'s
    for header in cupti cupti_pcsampling cupti_pmsampling cupti_profiler_host cupti_profiler_target cupti_range_profiler \
        cupti_sass_metrics cupti_target; do
        printf '#include <%s.h>\nint one;\n' $header | $cc -x "$([ $cc = cc ] && echo c || echo c++)" -Wall -Wextra -Werror -I"$sdk/include" -fsyntax-only -
    done
done
cc -Wall -Wextra -Werror -fPIC -shared -I"$sdk/include" "$here/tool.c" -L"$sdk/lib64" -lcupti -Wl,-rpath,"$sdk/lib64" -o tool.so
CUDA_INJECTION64_PATH=$PWD/tool.so ./program > lines.txt
# The first call of the program is there, the order is that of the program, and a call of the driver inside of one of the runtime too.
head -n 1 lines.txt | grep -q '^enter runtime cudaMalloc'
grep '^enter runtime' lines.txt | sed 's/.* //' | tr '\n' ' ' | grep -q '^cudaMalloc cudaLaunchKernel cudaDeviceSynchronize cudaFree $'
grep -q '^enter driver cuLaunchKernel.* one$' lines.txt
[ "$(grep -c ^enter lines.txt)" = "$(grep -c ^exit lines.txt)" ]
[ "$(wc -l < lines.txt)" -gt 10 ]
# Not loaded as a tool, it says nothing.
[ -z "$(./program)" ]
echo "tool: as it should be"
