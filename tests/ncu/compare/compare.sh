#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# compare.sh SDK NVIDIA.csv [all]: the same programs under our ncu, and a table of the metrics beside what nvidia.sh has written: launches that
# agree, sums of both, and the kernels that differ most. all: each difference. NVCC=PATH is another compiler for the programs: with NVIDIA's,
# what differs is not its front end's and ours. Without the file, which only a machine with a GPU makes, it
# ends with 77.
sdk=${1:?compare.sh SDK NVIDIA.csv} theirs=$2 all=$3
[ -s "$theirs" ] || { echo "compare.sh: no counts of NVIDIA's ncu; nvidia.sh makes them where there is one" && exit 77; }
here=$(cd "$(dirname "$0")" && pwd) root=$(cd "$here/../../.." && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
. "$here/metrics"
nvcc="${NVCC:-$sdk/bin/nvcc} -lineinfo -cudart shared -gencode arch=compute_90,code=[sm_90,compute_90] -I $root/bench"
for f in dense block grid number order sparse tensor; do
    $nvcc -std=c++17 -c "$root/bench/$f.cu" -o "$work/$f.o" || exit 1
done
$nvcc -std=c++20 -c "$here/bench.cu" -o "$work/main.o" || exit 1
$nvcc "$work"/{dense,block,grid,number,order,sparse,tensor,main}.o -o "$work/bench" || exit 1
$nvcc -std=c++17 "$root/tests/ncu/cases.cu" -o "$work/cases" || exit 1
for program in cases bench; do
    for group in $groups; do
        "$sdk/bin/ncu" --csv --metrics "${!group}" "$work/$program" 2>&1 | compact "$program"
    done
done >"$work/ours.csv"
[ -n "$OURS" ] && cp "$work/ours.csv" "$OURS"
awk -F, -v all="$all" '
    function off(a, b) { return a == b ? 0 : (a > b ? a - b : b - a) / (a > b ? a : b) }
    # A launch is known by its kernel, its shape, and how many such came before it in its program.
    function launch_of(side) {
        id = side "," $1 "," $2
        if (!(id in known)) known[id] = $1 "," $3 "," $4 "," $5 "," ++before[side "," $1 "," $3 "," $4 "," $5]
        return known[id]
    }
    FNR == NR { key = launch_of("here"); ours[key "," $6] = $7; here[key] = 1; next }
    $1 == "program" || $7 !~ /^[0-9.]+$/ { next }
    {
        key = launch_of("there")
        if (!(key in here)) {
            if (!told[key]++) { print "launch " key " is only there"; strange++ }
            next
        }
        if (!((key "," $6) in ours)) { missing[$6]++; next }
        a = ours[key "," $6]; b = $7
        if (!(($6) in n)) order[++metrics] = $6
        n[$6]++; same[$6] += off(a, b) < 0.0051; near[$6] += off(a, b) < 0.05
        mine[$6] += a; yours[$6] += b
        if (all && off(a, b) >= 0.0051) differs[++d] = sprintf("%-80s %-34s %12s %12s", $6, $1 " " $2 " " $3, a, b)
        if (off(a, b) > worst[$6]) { worst[$6] = off(a, b); who[$6] = $3 " " a " / " b }
    }
    END {
        printf "%-72s %8s %6s %6s %14s %14s  %s\n", "metric", "launches", "same", "<5 %", "ours", "NVIDIA", "differs most: ours / NVIDIA"
        for (i = 1; i <= metrics; i++) {
            m = order[i]
            printf "%-72s %8d %6d %6d %14.0f %14.0f  %s\n", m, n[m], same[m], near[m], mine[m], yours[m], who[m]
        }
        for (m in missing) print "not here: " m
        for (i = 1; i <= d; i++) print differs[i]
        exit !metrics || strange > 0
    }' "$work/ours.csv" "$theirs"
