#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run.sh NVCC PROGRAM.cu FOLDER: compiles the program there and runs it at every width. Options for nvcc and for the widths
# may stand in the program: "// nvcc: -rdc=true" and "// widths: 32"; "// clang: 22" is the oldest front end that takes it.
# HEDDLE_TEST_WIDTHS in the environment takes the place of the widths; the policy's own is always run.
set -eu
nvcc=$1 source=$2 out=$3
name=$(basename "$source" .cu)
options=$(sed -n 's|^// nvcc: ||p' "$source")
widths=$(sed -n 's|^// widths: ||p' "$source")
oldest=$(sed -n 's|^// clang: ||p' "$source")
clang=$("$nvcc" --dryrun "$source" 2>&1 | sed -n 's|.*clang++-\([0-9]*\).*|\1|p' | head -n 1)
if [ "${clang:-99}" -lt "${oldest:-0}" ]; then
    echo "clang $clang does not take it"
    exit 77
fi
# Headers <cuda/...> are our own, also where the SDK has CCCL, whose would take their place.
# shellcheck disable=SC2086
"$nvcc" -O2 -I "$(dirname "$nvcc")/../../own_headers" $options "$source" -o "$out/$name"
export HEDDLE_CACHE_DIR="$out/cache"
for w in ${HEDDLE_TEST_WIDTHS-${widths:-1 8 32}} ''; do
    HEDDLE_WIDTH=$w timeout "${HEDDLE_TEST_BRIEF:+6}600" "$out/$name" > "$out/$name.$w.txt" 2>&1 || {
        [ $? != 77 ] || { cat "$out/$name.$w.txt"; exit 77; } # a device that cannot show it
        echo "width ${w:-by policy}:"
        cat "$out/$name.$w.txt"
        exit 1
    }
done
cat "$out/$name..txt"
