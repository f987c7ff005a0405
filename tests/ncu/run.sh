#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# run.sh SDK SOURCE FOLDER: compiles the source, counts its cases, which are its launches in their order, and compares with what stands before each
# ("// case NAME", then "// METRIC VALUE"). Then it counts them again at every width of a gang, in other orders and by other code: all must
# come to the same.
sdk=$1 source=$2 folder=$3
name=$(basename "$source" .cu)
mkdir -p "$folder"
export HEDDLE_CACHE_DIR=$folder/cache HEDDLE_THREADS=2 HEDDLE_SMS=4
mkdir -p -m 700 "$HEDDLE_CACHE_DIR"
program=$folder/$name
if [ ! "$program" -nt "$source" ] || [ ! "$program" -nt "$sdk/lib64/libcudart_static.a" ]; then
    "$sdk/bin/nvcc" -std=c++17 -lineinfo -arch=sm_90 "$source" -o "$program" -lcuda || exit 1
fi

# A line for each launch: the metrics by name, without the commas in numbers and without the process.
count() { # OUT [VARIABLE=VALUE...]
    local out=$1
    shift
    env "$@" "$sdk/bin/ncu" --quiet --csv --page raw "$program" >"$out.csv" 2>"$out.err"
    local status=$?
    [ $status = 0 ] || { echo "$name, $*: exit status $status" && cat "$out.csv" "$out.err" && return 1; }
    awk -F'","' 'BEGIN { OFS = "\t" } { for (i = 1; i <= NF; i++) gsub(/[",]/, "", $i); $2 = ""; print }' "$out.csv" >"$out"
}

count "$folder/$name.plain" || exit 1
awk -F'\t' -v name="$name" '
    BEGIN {
        l = "l1tex__t_"; g = "_pipe_lsu_mem_global_op_"; d = "l1tex__data_"; s = "_pipe_lsu_mem_shared_op_"
        short["ld.requests"] = l "requests" g "ld.sum"; short["ld.sectors"] = l "sectors" g "ld.sum"
        short["st.requests"] = l "requests" g "st.sum"; short["st.sectors"] = l "sectors" g "st.sum"
        short["cc10"] = "heddle__transactions_cc10_global.sum"; short["cc12"] = "heddle__transactions_cc12_global.sum"
        short["cc20"] = "heddle__transactions_cc20_global.sum"; short["banks16"] = "heddle__passes_16_banks_shared.sum"
        short["ls.conflicts"] = d "bank_conflicts" s "ld.sum"; short["ss.conflicts"] = d "bank_conflicts" s "st.sum"
        short["ls.wavefronts"] = d "pipe_lsu_wavefronts_mem_shared_op_ld.sum"; short["ls.requests"] = "smsp__inst_executed_op_shared_ld.sum"
        short["inst"] = "smsp__inst_executed.sum"; short["threads"] = "smsp__thread_inst_executed.sum"
        short["on"] = "smsp__thread_inst_executed_pred_on.sum"; short["branches"] = "smsp__inst_executed_op_branch.sum"
        short["divergent"] = "smsp__sass_branch_targets_threads_divergent.sum"
    }
    FNR == NR {
        if (FNR == 1) for (i = 1; i <= NF; i++) column[$i] = i
        if (FNR > 2) for (i = 1; i <= NF; i++) value[FNR - 3, i] = $i
        launches = FNR - 2
        next
    }
    { sub(/^ +/, "") }
    /^\/\/ case / { split($0, word, " "); now = word[3]; at = cases++; next }
    /^\/\/ [a-z0-9_.]+ [0-9.]+$/ && now {
        split($0, word, " ")
        metric = word[2] in short ? short[word[2]] : word[2]
        if (!(metric in column)) { print name ", case " now ": no metric " word[2]; failed++; next }
        checks++
        if (value[at, column[metric]] != word[3]) {
            print name ", case " now ": " word[2] " is " value[at, column[metric]] ", " word[3] " expected"
            failed++
        }
        next
    }
    !/^\/\// { now = "" }
    END {
        if (launches != cases) { print name ": " launches " launches, " cases " cases"; failed++ }
        printf "%s: %d passed, %d failed\n", name, checks - failed + 0, failed
        exit failed || !checks
    }' "$folder/$name.plain" "$source"
failed=$?

for way in HEDDLE_WIDTH=1 HEDDLE_WIDTH=8 HEDDLE_WIDTH=16 HEDDLE_WIDTH=32 HEDDLE_THREADS=1 HEDDLE_QUICK=always HEDDLE_COMPAT=everywhere \
    HEDDLE_STRUCTURE=dispatch "HEDDLE_WIDTH=8 HEDDLE_STRUCTURE=dispatch HEDDLE_COMPAT=0" \
    HEDDLE_PASSES=-merge_guards,-unroll,-range,-interleave_gangs,-loop_carried,-privatise,-unfold,-align,-keep_less; do
    # shellcheck disable=SC2086
    count "$folder/$name.other" $way || failed=1
    cmp -s "$folder/$name.plain" "$folder/$name.other" && continue
    echo "$name: other counts with $way"
    diff "$folder/$name.plain" "$folder/$name.other" | cut -c1-200 | head -n 6
    failed=1
done
exit $failed
