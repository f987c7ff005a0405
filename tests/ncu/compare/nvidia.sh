#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# nvidia.sh OUT.csv: on a machine with a GPU and NVIDIA's toolkit, builds the programs of this folder with NVIDIA's nvcc and writes what
# NVIDIA's ncu counts, a line for each launch and metric: program,launch,kernel,grid,block,metric,value. compare.sh takes it. Without an ncu
# or a GPU it says so and ends with 77. ARCH=sm_90 is another target, PROGRAMS=cases one program alone, SECONDS_MOST the most that all of it may take (110).
out=${1:?nvidia.sh OUT.csv}
here=$(cd "$(dirname "$0")" && pwd) root=$(cd "$here/../../.." && pwd)
PATH=$PATH:${CUDA_HOME:-/usr/local/cuda}/bin
command -v ncu >/dev/null && command -v nvcc >/dev/null || { echo "nvidia.sh: no ncu and nvcc of NVIDIA's" && exit 77; }
nvidia-smi -L >/dev/null 2>&1 || { echo "nvidia.sh: no GPU" && exit 77; }
arch=${ARCH:-sm_90} most=${SECONDS_MOST:-110}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
. "$here/metrics"

# ---- the programs, all files at once
jobs=
for f in dense block grid number order sparse tensor; do
    nvcc -std=c++17 -lineinfo -arch="$arch" -I "$root/bench" -c "$root/bench/$f.cu" -o "$work/$f.o" &
    jobs="$jobs $!"
done
nvcc -std=c++20 -lineinfo -arch="$arch" -I "$root/bench" -c "$here/bench.cu" -o "$work/main.o" &
jobs="$jobs $!"
nvcc -std=c++17 -lineinfo -arch="$arch" "$root/tests/ncu/cases.cu" -o "$work/cases" &
jobs="$jobs $!"
for job in $jobs; do
    wait "$job" || { echo "nvidia.sh: a program does not compile" && exit 1; }
done
nvcc -arch="$arch" "$work"/{dense,block,grid,number,order,sparse,tensor,main}.o -o "$work/bench" || exit 1
echo "nvidia.sh: built after $SECONDS s"

# ---- metrics that this ncu has: of those that it does not know it tells the name
known() { # METRIC,METRIC...
    local list=$1 said bad try
    for try in 1 2 3 4 5 6; do
        said=$(timeout 30 ncu --csv -c 1 --metrics "$list" "$work/cases" coalesced 2>&1)
        bad=$(echo "$said" | sed -n 's/.*[Ff]ailed to find metric[s]* *:* *//p' | tr -d '"' | tr ', ' '\n\n' | grep -v '^$')
        [ -z "$bad" ] && break
        for m in $bad; do
            echo "nvidia.sh: this ncu has no metric $m" >&2
            list=$(echo "$list" | tr , '\n' | grep -vxF "$m" | paste -sd,)
        done
    done
    echo "$said" | grep -q ERR_NVGPUCTRPERM && echo "nvidia.sh: the counters of this GPU may not be read (ERR_NVGPUCTRPERM)" >&2
    echo "$list"
}

echo "program,launch,kernel,grid,block,metric,value" >"$out"
status=0
for group in $groups; do
    list=$(known "${!group}")
    [ -z "$list" ] && continue
    for program in ${PROGRAMS:-cases bench}; do
        left=$((most - SECONDS))
        [ "$left" -lt 5 ] && echo "nvidia.sh: no time left for $group of $program" && continue
        limit=
        [ "$group $program" = "sass bench" ] && limit="-c 30" # instrumented runs take long
        timeout "$left" ncu $limit --csv --page details --print-units base --print-kernel-base function --metrics "$list" \
            --log-file "$work/log" "$work/$program" >"$work/said" 2>&1 ||
            { echo "nvidia.sh: ncu failed for $group of $program" && tail -n 3 "$work/log" "$work/said" && status=1; }
        compact "$program" <"$work/log" >>"$out"
        echo "nvidia.sh: $group of $program after $SECONDS s, $(wc -l <"$out") lines"
    done
done
exit $status
