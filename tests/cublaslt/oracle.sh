#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# oracle.sh SDK CUDA CC FOLDER: NVIDIA's header and ours declare the same functions, with the same types, sizes and values; names that its
# library exports and ours does not are those that no header declares.
set -eu
sdk=$1 cuda=$2 cc=$3
cd "$4"
printf '#include "%s/include/cublasLt.h"\n#include "%s/include/heddle/cublaslt/functions.h"\n' "$cuda" "$sdk" > both.c
"$cc" -std=gnu17 -w -fsyntax-only -isystem "$cuda/include" both.c
# Enumerators and macros: every one of NVIDIA's has the same value, also those that are sums of others.
names() { grep -oE '^ *CUBLASLT_[A-Za-z0-9_]+|^#define CUBLASLT_[A-Z0-9_]+' "$cuda/include/cublasLt.h" | grep -oE 'CUBLASLT_.*' | sort -u; }
{
    printf '#include <stdio.h>\n#include <cublasLt.h>\nint main(void)\n{\n'
    for name in $(names); do printf '    printf("%%s %%llu\\n", "%s", (unsigned long long)%s);\n' "$name" "$name"; done
    for type in MatrixLayoutOpaque_t MatmulDescOpaque_t MatrixTransformDescOpaque_t MatmulPreferenceOpaque_t EmulationDescOpaque_t MatmulAlgo_t \
        MatmulHeuristicResult_t; do
        printf '    printf("%%s %%zu\\n", "%s", sizeof(cublasLt%s));\n' "$type" "$type"
    done
    printf '    return 0;\n}\n'
} > values.c
"$cc" -std=gnu17 -w -I "$cuda/include" values.c -o values_theirs && ./values_theirs > theirs.txt
"$cc" -std=gnu17 -w -I "$sdk/include" values.c -o values_ours && ./values_ours > ours.txt
cmp theirs.txt ours.txt
# Functions that its header declares.
grep -oE 'CUBLASWINAPI cublasLt[A-Za-z_0-9]+' "$cuda/include/cublasLt.h" | awk '{print $2}' | sort -u > declared.txt
nm -D --defined-only "$sdk/lib64/libcublasLt.so.13" | awk '{print $3}' | sed 's/@.*//' | grep '^cublasLt' | sort -u > exported.txt
diff declared.txt exported.txt | grep '^[<>]' && exit 1
[ "$(wc -l < declared.txt)" -gt 40 ]
echo "$(wc -l < ours.txt) values and $(wc -l < declared.txt) functions agree: 1 passed, 0 failed"
