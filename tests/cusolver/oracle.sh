#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# oracle.sh SDK CUDA CC FOLDER: NVIDIA's headers and ours declare the same functions, with the same types and values, and ours exports all that
# those of NVIDIA's library declare.
set -eu
sdk=$1 cuda=$2 cc=$3
cd "$4"
headers="cusolver_common cusolverDn cusolverRf cusolverSp cusolverSp_LOWLEVEL_PREVIEW"
{
    echo '#define DISABLE_CUSOLVER_DEPRECATED'
    for h in $headers; do echo "#include \"$cuda/include/$h.h\""; done
    for part in common dn rf sp sp_low; do echo "#include \"$sdk/include/heddle/cusolver/${part}_functions.h\""; done
} > both.c
"$cc" -std=gnu17 -fsyntax-only -isystem "$cuda/include" both.c
# Enumerators: every one of NVIDIA's has the same value.
for h in $headers; do grep -ohE 'CU(SOLVER|BLAS)[A-Z0-9_a-z]+ += [0-9]+' "$cuda/include/$h.h" || true; done | sort -u > values.txt
{
    for h in $headers; do echo "#include <$h.h>"; done
    sed 's/\(.*[^ ]\)  *= \(.*\)/_Static_assert((int)\1 == \2, "\1");/' values.txt
} > values.c
"$cc" -std=gnu17 -fsyntax-only -I "$sdk/include" values.c
# Functions: what its headers declare and its library exports, ours does.
names() { nm -D --defined-only "$1" | awk '{print $3}' | sed 's/@.*//' | grep '^cusolver' | sort -u; }
if [ -e "$cuda/lib64/libcusolver.so.12" ]; then
    for h in $headers; do grep -ohE 'cusolver(Dn|Sp|Rf|Get)[A-Za-z0-9_]+' "$cuda/include/$h.h"; done | sort -u > words.txt
    names "$cuda/lib64/libcusolver.so.12" > all.txt
    comm -12 words.txt all.txt > theirs.txt
    names "$sdk/lib64/libcusolver.so.12" > ours.txt
    missing=$(comm -23 theirs.txt ours.txt || true)
    [ -z "$missing" ] || { echo "missing: $missing"; exit 1; }
fi
echo "$(wc -l < values.txt) values agree: 1 passed, 0 failed"
