#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run.sh SDK FOLDER: a program of two sources with annotations, alone, with a tool, with a tool that declines and with one
# that is missing; and with annotations compiled away. NVIDIA's headers, where present, give the same lines.
set -eu
sdk=$1 out=$2 here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$out"
cd "$out"
warn="-Wall -Wextra -Werror"
build() { # HEADERS SUFFIX
    # shellcheck disable=SC2086
    gcc -std=c99 $warn -isystem "$1" -c "$here/part.c" -o "part$2.o"
    # shellcheck disable=SC2086
    g++ -std=c++11 $warn -isystem "$1" -c "$here/program.cpp" -o "program$2.o"
    g++ "program$2.o" "part$2.o" -ldl -o "program$2"
    gcc -std=c11 -fPIC -shared -fvisibility=hidden -isystem "$1" "$here/tool.c" -o "tool$2.so"
}
build "$sdk/include" ""
# shellcheck disable=SC2086
for header in nvToolsExt nvToolsExtCuda nvToolsExtCudaRt nvToolsExtSync nvtx3/nvToolsExt nvtx3/nvToolsExtSync; do
    printf '#include <%s.h>\nint one;\n' $header | gcc -std=c99 $warn -I"$sdk/include" -x c -fsyntax-only -
    printf '#include <%s.h>\nint one;\n' $header | g++ -std=c++11 $warn -I"$sdk/include" -x c++ -fsyntax-only -
done
unset NVTX_INJECTION64_PATH || :
[ -z "$(./program)" ]
[ -z "$(NVTX_INJECTION64_PATH=/nowhere/tool.so ./program)" ]
[ -z "$(TOOL_DECLINES=1 NVTX_INJECTION64_PATH=$out/tool.so ./program)" ]
NVTX_INJECTION64_PATH=$out/tool.so ./program > ours.txt
grep -q '^push in 0x1000: version 3 size 48 category 5 color 1 ff7fff00 payload 5 42 message 1 coloured$' ours.txt
grep -q '^string work in (nil)$' ours.txt
[ "$(grep -c '^push' ours.txt)" = "$(grep -c '^pop' ours.txt)" ]
"$sdk/bin/nvcc" -x cu -std=c++17 -c "$here/program.cpp" -o program-cuda.o
g++ -std=c++17 -DNVTX_DISABLE -I"$sdk/include" -c "$here/program.cpp" -o program-without.o
if [ -e /usr/local/cuda/include/nvtx3/nvtx3.hpp ]; then
    build /usr/local/cuda/include -nvidia
    NVTX_INJECTION64_PATH=$out/tool-nvidia.so ./program-nvidia > theirs.txt
    cmp ours.txt theirs.txt
    NVTX_INJECTION64_PATH=$out/tool.so ./program-nvidia | cmp - theirs.txt
fi
# The library of old: a program that only declares what it calls.
printf 'int nvtxRangePushA(const char *); int nvtxRangePop(void); int main(void) { nvtxRangePushA("library"); nvtxRangePop(); }' |
    gcc -x c - -L"$sdk/lib64" -lnvToolsExt -Wl,-rpath,"$sdk/lib64" -o old
NVTX_INJECTION64_PATH=$out/tool.so ./old | grep -q '^push library$'
wc -l < ours.txt
