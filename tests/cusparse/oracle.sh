#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# oracle.sh SDK CUDA CC FOLDER: NVIDIA's header and ours declare the same functions, with the same types and values, and its library exports
# no name that ours has not.
set -eu
sdk=$1 cuda=$2 cc=$3
cd "$4"
printf '#define DISABLE_CUSPARSE_DEPRECATED\n#include "%s/include/cusparse.h"\n#include "%s/include/heddle/cusparse/functions.h"\n' "$cuda" "$sdk" > both.c
"$cc" -std=gnu17 -fsyntax-only -isystem "$cuda/include" both.c
# Enumerators: every one of NVIDIA's has the same value.
grep -oE 'CUSPARSE_[A-Z0-9_]+ += [0-9]+' "$cuda/include/cusparse.h" | sort -u > values.txt
{
    echo '#include <cusparse.h>'
    sed 's/\(.*[^ ]\)  *= \(.*\)/_Static_assert((int)\1 == \2, "\1");/' values.txt
} > values.c
"$cc" -std=gnu17 -fsyntax-only -I "$sdk/include" values.c
names() { nm -D --defined-only "$1" | awk '{print $3}' | sed 's/@.*//' | grep '^cusparse' | sort -u; }
if [ -e "$cuda/lib64/libcusparse.so.12" ]; then
    names "$cuda/lib64/libcusparse.so.12" > theirs.txt
    names "$sdk/lib64/libcusparse.so.12" > ours.txt
    missing=$(comm -23 theirs.txt ours.txt | grep -v '^cusparse[.]so' || true)
    [ -z "$missing" ] || { echo "missing: $missing"; exit 1; }
fi
echo "$(wc -l < values.txt) values agree: 1 passed, 0 failed"
