#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# run.sh SDK SOURCE FOLDER [OPTIONS]: compiles the source, runs each of its cases under compute-sanitizer and compares the reports with what
# stands before the case (memory.cu has the words). CASE=NAME runs one alone and prints what it says.
sdk=$1 source=$2 folder=$3 options=$4
name=$(basename "$source" .cu)
mkdir -p "$folder"
export HEDDLE_CACHE_DIR=$folder/cache HEDDLE_THREADS=2
mkdir -p -m 700 "$HEDDLE_CACHE_DIR"
program=$folder/$name
if [ ! "$program" -nt "$source" ] || [ ! "$program" -nt "$sdk/lib64/libcudart_static.a" ]; then
    "$sdk/bin/nvcc" -std=c++17 -lineinfo -arch=sm_90 "$source" -o "$program" || exit 1
fi

failed=0 cases=0
complain() {
    echo "$name, case $case: $1"
    sed 's/^/    | /' "$folder/$name.out"
    failed=$((failed + 1))
}

# Brackets and question marks stand for themselves.
pattern_of() {
    local text=$1
    text=${text//\\/\\\\} text=${text//[/\\[} text=${text//]/\\]} text=${text//\?/\\?}
    printf %s "$text"
}

# The patterns in order, each in a line behind the one of the last.
run_case() {
    [ -z "$case" ] && return
    [ -n "$CASE" ] && [ "$CASE" != "$case" ] && return
    cases=$((cases + 1))
    timeout 60 "$sdk/bin/compute-sanitizer" $options $case_options --error-exitcode 77 "$program" "$case" >"$folder/$name.out" 2>&1
    status=$?
    [ -n "$CASE" ] && cat "$folder/$name.out"
    local lines line at=0 found k pattern
    mapfile -t lines <"$folder/$name.out"
    for pattern in "${wanted[@]}"; do
        found=
        for ((k = at; k < ${#lines[@]}; k++)); do
            line=${lines[k]}
            if [[ $line == *$pattern* ]]; then
                found=1 at=$((k + 1))
                break
            fi
        done
        [ -z "$found" ] && complain "there is no line '$pattern' behind line $at" && return
    done
    for pattern in "${unwanted[@]}"; do
        for line in "${lines[@]}"; do
            [[ $line == *$pattern* ]] && complain "a line has '$pattern'" && return
        done
    done
    # Each call behind a kernel that failed is told as well, however many there are.
    local told=0 summary=0
    for line in "${lines[@]}"; do
        [[ $line == *"ERROR SUMMARY: "*" error"* || $line == *"RACECHECK SUMMARY: "*" hazard"* ]] && [[ $line != *"not printed"* ]] &&
            line=${line#*SUMMARY: } && summary=${line%% *}
        [[ $line == *"cudaErrorLaunchFailure (error 719)"* ]] && told=$((told + 1))
    done
    summary=$((summary - told))
    [ "$errors" = any ] && [ "$summary" -gt 0 ] && errors=$summary
    [ "$summary" = "$errors" ] || { complain "$summary errors, $errors expected"; return; }
    if [ "$errors" = 0 ]; then
        [ "$status" = 0 ] || complain "exit status $status"
    else
        [ "$status" = 77 ] || complain "exit status $status, 77 expected"
    fi
}

case=
while IFS= read -r line; do
    if [[ $line =~ ^//\ case\ ([a-z_0-9]+)(.*)$ ]]; then
        run_case
        case=${BASH_REMATCH[1]} case_options=${BASH_REMATCH[2]} errors=0 wanted=() unwanted=()
    elif [[ $line == "// > "* ]]; then
        wanted+=("$(pattern_of "${line:5}")")
    elif [[ $line == "// ! "* ]]; then
        unwanted+=("$(pattern_of "${line:5}")")
    elif [[ $line == "// errors "* ]]; then
        errors=${line:10}
    fi
done <"$source"
run_case
[ "$cases" = 0 ] && echo "$name: no cases" && exit 1
echo "$name: $cases cases, $failed failed"
[ "$failed" = 0 ]
