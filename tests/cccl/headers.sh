#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# headers.sh NVCC CCCL FOLDER [REGEX [WAYS]]: every public header of Thrust, CUB and libcu++ in CCCL compiles alone, as C++17 and C++20, with
# assertions and without (WAYS: some of 17, 17n, 20 and 20n). REGEX: only those whose names match. What a compiler said of one that failed stays
# in FOLDER. `./dev cccl` runs it; it takes hours of processor time for all of them. Status 77: no such libraries.
set -u
nvcc=$1 cccl=$2 out=$3 regex=${4:-.} ways=${5:-17 17n 20 20n}
[ -r "$cccl/cub/cub.cuh" ] || {
    echo "skipped: no CCCL in $cccl"
    exit 77
}
rm -rf "$out"
mkdir -p "$out" || exit 1

# Names without __ are public; a folder is none.
headers() {
    (cd "$cccl" && { find thrust cub cuda cuda/std -maxdepth 1 -type f; find cub -mindepth 2 -maxdepth 2 -type f; } 2> /dev/null) |
        grep -E '^(thrust/.*\.h|cub/.*\.cuh|cuda/.*)$' | grep -v '/_' | sort -u | grep -E "$regex"
}
one() { # WAY HEADER
    local name=$1-${2//\//_} define=()
    [ "${1%n}" = "$1" ] || define=(-DNDEBUG)
    echo "#include <$2>" > "$out/$name.cu"
    if "$nvcc" "-std=c++${1%n}" "${define[@]}" -c "$out/$name.cu" -o "$out/$name.o" > "$out/$name.log" 2>&1; then
        if grep -q 'warning:' "$out/$name.log"; then echo "warns $1 $2"; else echo "passed $1 $2" && rm -f "$out/$name.log"; fi
    else
        echo "FAILED $1 $2"
    fi
    rm -f "$out/$name.o" "$out/$name.cu"
}
export -f one
export nvcc out
for way in $ways; do
    # shellcheck disable=SC2016
    headers | xargs -P "$(nproc)" -I @ bash -c 'one "$1" "$2"' bash "$way" @
done > "$out/result"
grep -v '^passed' "$out/result" | sort
for way in $ways; do
    awk -v way="$way" '$2 == way { n++; count[$1]++ }
        END { printf "C++%s: %d headers, %d failed, %d with warnings\n", way, n, count["FAILED"], count["warns"] }' "$out/result"
done | sed 's/n:/ with NDEBUG:/'
! grep -q '^FAILED' "$out/result" && grep -q . "$out/result"
