#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# complete.sh SDK: everything that NVIDIA's headers of the driver interface declare is declared by ours, for every way to compile
# them, and every name that NVIDIA's stub of libcuda exports is exported by ours, but for EGL, VDPAU and debuggers, of which there is nothing.
# Skipped where the toolkit is not there.
sdk=$1
toolkit=${CUDA_HOME:-/usr/local/cuda}
[ -f "$toolkit/include/cuda.h" ] || { echo "the toolkit's cuda.h is not here"; exit 77; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0 names=0
lacking() { # lacking WHAT: names on both sides, theirs.txt and ours.txt
    LC_ALL=C comm -23 "$dir/theirs.txt" "$dir/ours.txt" >"$dir/lacking"
    names=$((names + $(wc -l <"$dir/theirs.txt")))
    [ -s "$dir/theirs.txt" ] && [ ! -s "$dir/lacking" ] && return
    echo "$1: $(tr '\n' ' ' <"$dir/lacking")" >&2
    failed=$((failed + 1))
}
words() { grep -oE '[A-Za-z_][A-Za-z_0-9]*' | LC_ALL=C sort -u; }
# What a header says after the preprocessor, its own lines alone: functions, types, enumerators, members of structures.
says() { echo "#include <$2>" | gcc -D$3 -E -I"$1" -x c - | sed '/^# [0-9]* "\/usr\/include\//,/^# [0-9]* "[^"]*\(cuda\|heddle\)[^"]*\.h"/d; /^#/d'; }
# Macros that stand for something else than themselves; guards and what begins with _ do not count.
macros() {
    echo "#include <$2>" | gcc -D$3 -E -dM -I"$1" -x c - | sed -n 's/^#define \(c[uU][A-Z][A-Za-z_0-9]*\|CU[A-Za-z_0-9]*\)\( .*\)$/\1\2/p' |
        awk '!($2 == "__CUDA_API_PTSZ(" $1 ")" || $2 == "__CUDA_API_PTDS(" $1 ")") || "'"$3"'" == "CUDA_API_PER_THREAD_DEFAULT_STREAM"' |
        awk '$1 !~ /TYPEDEFS_H$/ { print $1 }' | LC_ALL=C sort -u
}
for macro in HEDDLE_NONE CUDA_API_PER_THREAD_DEFAULT_STREAM __CUDA_API_VERSION_INTERNAL; do
    for header in cuda.h cudaTypedefs.h cudaProfilerTypedefs.h; do
        says "$toolkit/include" $header $macro | grep -oE '\b(cu[A-Z]|CU|PFN_cu|NVCL|cl_)[A-Za-z_0-9]*' | words >"$dir/theirs.txt"
        says "$sdk/include" $header $macro | words >"$dir/ours.txt"
        lacking "$header with $macro"
        macros "$toolkit/include" $header $macro >"$dir/theirs.txt"
        macros "$sdk/include" $header $macro >"$dir/ours.txt"
        lacking "macros of $header with $macro"
    done
done
stub=$toolkit/lib64/stubs/libcuda.so
if [ -f "$stub" ]; then
    nm -D --defined-only "$stub" | grep -o '\bcu[A-Za-z_0-9]*$' | grep -v 'E[Gg][Ll]\|VDPAU\|^cudbg' | LC_ALL=C sort -u >"$dir/theirs.txt"
    nm -D --defined-only "$sdk/lib64/libcuda.so.1" | grep -o '\bcu[A-Za-z_0-9]*$' | LC_ALL=C sort -u >"$dir/ours.txt"
    lacking "exports"
fi
echo "$names names, $failed failed"
[ $failed = 0 ] && [ $names -gt 5000 ]
