#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# oracle.sh SDK CUDA CC FOLDER: NVIDIA's headers and ours declare the same functions, with the same types and values; names that its
# libraries export and ours do not are those of src/cufft/absent.def.
set -eu
sdk=$1 cuda=$2 cc=$3
cd "$4"
for pair in cufft.h:functions.h cufftXt.h:xt_functions.h cufftw.h:w_functions.h; do
    printf '#include "%s/include/%s"\n#include "%s/include/heddle/cufft/%s"\n' "$cuda" "${pair%:*}" "$sdk" "${pair#*:}" > both.c
    "$cc" -std=gnu17 -fsyntax-only -isystem "$cuda/include" both.c
done
# Enumerators and numbers: every one of NVIDIA's has the same value.
cat "$cuda/include/cufft.h" "$cuda/include/cufftXt.h" "$cuda/include/cufftw.h" "$cuda/include/cudalibxt.h" |
    sed -nE 's/^(#define)? *((CUFFT|FFTW|NVFFT|LIB_FORMAT|MAX)_[A-Za-z0-9_]+) *=? *(-?[0-9][0-9a-fA-Fx]*).*/\2 \4/p' | sort -u > values.txt
{
    echo '#include <cufftXt.h>'
    echo '#include <cufftw.h>'
    sed 's/\(.*\) \(.*\)/_Static_assert((int)\1 == \2, "\1");/' values.txt
} > values.c
"$cc" -std=gnu17 -fsyntax-only -I "$sdk/include" values.c
# Structures: the same sizes.
for type in cudaXtDesc cudaLibXtDesc cufftXt1dFactors cufftComplex cufftDoubleComplex fftw_iodim fftw_iodim64; do
    for include in "$cuda" "$sdk"; do
        printf '#include <cufftXt.h>\n#include <cufftw.h>\nchar size[sizeof(%s)];\n' $type > size.c
        "$cc" -std=gnu17 -c -isystem "$include/include" size.c -o size.o
        nm -S size.o | awk '$4 == "size" {print $2}'
    done | uniq | wc -l | grep -qx ' *1' || { echo "$type differs"; exit 1; }
done
names() { nm -D --defined-only "$1" | awk '{print $3}' | sed 's/@.*//' | grep -E '^(cufft|fftw)' | sort -u; }
for library in cufft cufftw; do
    [ -e "$cuda/lib64/lib$library.so.12" ] || continue
    names "$cuda/lib64/lib$library.so.12" > theirs.txt
    names "$sdk/lib64/lib$library.so.12" > ours.txt
    missing=$(comm -23 theirs.txt ours.txt | grep -vE '^cufft(Debug|XtMakePlanGuru64)$' || true)
    [ -z "$missing" ] || { echo "missing: $missing"; exit 1; }
    more=$(comm -13 theirs.txt ours.txt)
    [ -z "$more" ] || { echo "more than NVIDIA's: $more"; exit 1; }
done
count=$(wc -l < values.txt)
[ "$count" -gt 60 ] || { echo "only $count values were found"; exit 1; }
echo "$count values agree: 1 passed, 0 failed"
