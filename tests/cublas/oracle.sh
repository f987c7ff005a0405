#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# oracle.sh SDK CUDA CC FOLDER: NVIDIA's headers and ours declare the same functions, with the same types and values; names that its library
# exports and ours does not are those of src/cublas/absent.def.
set -eu
sdk=$1 cuda=$2 cc=$3
cd "$4"
for header in cublas_api.h:functions.h cublas.h:legacy_functions.h cublasXt.h:xt_functions.h; do
    generated=${header#*:} header=${header%:*}
    printf '#include "%s/include/%s"\n#include "%s/include/heddle/cublas/%s"\n' "$cuda" $header "$sdk" "$generated" > both.c
    "$cc" -std=gnu17 -fsyntax-only -isystem "$cuda/include" both.c
done
# Enumerators: every one of NVIDIA's has the same value.
grep -ohE 'CUBLAS(XT)?_[A-Z0-9_]+ = -?[0-9]+' "$cuda/include/cublas_api.h" "$cuda/include/cublasXt.h" | sort -u > values.txt
{
    echo '#include <cublasXt.h>'
    sed 's/\(.*\) = \(.*\)/_Static_assert((int)\1 == \2, "\1");/' values.txt
} > values.c
"$cc" -std=gnu17 -fsyntax-only -I "$sdk/include" values.c
names() { nm -D --defined-only "$1" | awk '{print $3}' | sed 's/@.*//' | grep '^cublas' | sort -u; }
if [ -e "$cuda/lib64/libcublas.so.13" ]; then
    names "$cuda/lib64/libcublas.so.13" > theirs.txt
    names "$sdk/lib64/libcublas.so.13" > ours.txt
    missing=$(comm -23 theirs.txt ours.txt | grep -vE '^cublas([SDCZ]bdmm|[GS]etBackdoor|[GS]etEnvironmentMode)' || true)
    [ -z "$missing" ] || { echo "missing: $missing"; exit 1; }
    more=$(comm -13 theirs.txt ours.txt)
    [ -z "$more" ] || { echo "more than NVIDIA's: $more"; exit 1; }
fi
echo "$(wc -l < values.txt) values agree: 1 passed, 0 failed"
