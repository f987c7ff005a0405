#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# cli.sh SDK SOURCES FOLDER: options of compute-sanitizer that concern no kernel: files, exit statuses, errors in the command line.
sdk=$1 sources=$2 folder=$3
tool=$sdk/bin/compute-sanitizer
mkdir -p "$folder"
export HEDDLE_CACHE_DIR=$folder/cache
mkdir -p -m 700 "$HEDDLE_CACHE_DIR"
failed=0
is() { # WHAT STATUS TEXT COMMAND...: the status, and a line that has the text
    local what=$1 status=$2 text=$3 out
    shift 3
    out=$("$@" 2>&1 </dev/null)
    local got=$?
    if [ $got != "$status" ] || [[ $out != *"$text"* ]]; then
        echo "$what: status $got, $status expected; '$text' expected in:"
        echo "$out"
        failed=1
    fi
}

is help 0 "--error-exitcode" "$tool" --help
is version 0 "compute-sanitizer of Heddle" "$tool" --version
is none 1 "no program is given" "$tool"
is unknown 1 "'--nothing' is no option" "$tool" --nothing true
is value 1 "--tool does not take 'lint'" "$tool" --tool lint true
is number 1 "--print-limit does not take 'x'" "$tool" --print-limit=x true
is missing 1 "--tool needs a value" "$tool" --tool
is refused 1 "--suppressions is not supported: there are no suppressions" "$tool" --suppressions file true
is absent 127 "not found" "$tool" "$folder/absent"
is no_cuda 1 "terminated before first instrumented API call" "$tool" true
is no_cuda_is_right 0 "ERROR SUMMARY: 0 errors" "$tool" --require-cuda-init no true
is own_status 3 "Target application returned an error" "$tool" --require-cuda-init=no bash -c 'exit 3'
is signal 143 "Target application returned an error" "$tool" --require-cuda-init=no bash -c 'kill $$'

program=$folder/cli
"$sdk/bin/nvcc" -std=c++17 "$sources/memory.cu" -o "$program" || exit 1
quiet="--report-api-errors no"
is log_file 5 "" "$tool" $quiet --error-exitcode 5 --log-file "$folder/log" "$program" write_after
grep -q "Invalid __global__ write" "$folder/log" || { echo "log_file: no report in it" && failed=1; }
is save 0 "Invalid __global__ write" "$tool" $quiet --save "$folder/saved" "$program" write_after
is read 0 "ERROR SUMMARY: 2 errors" "$tool" --read "$folder/saved"
is read_other 1 "is no file that --save has written" "$tool" --read "$sources/memory.cu"
is xml 0 "" "$tool" $quiet --xml=yes --save "$folder/xml" "$program" write_after
grep -q "<text>Invalid __global__ write of size 4 bytes</text>" "$folder/xml" || { echo "xml: no report in it" && failed=1; }
grep -q "</ComputeSanitizerOutput>" "$folder/xml" || { echo "xml: no end" && failed=1; }
is prefix 0 "## Invalid __global__ write" "$tool" $quiet --prefix "## " "$program" write_after
is simple_names 0 "at write_at+0x" "$tool" $quiet --demangle simple "$program" write_after
is no_names 0 "at _Z8write_atPii+0x" "$tool" $quiet --demangle no "$program" write_after
is children 7 "Invalid __global__ write" "$tool" $quiet --error-exitcode 7 bash -c "$program write_after; true"
is no_children 1 "terminated before first" "$tool" $quiet --target-processes application-only bash -c "$program write_after; true"
exit $failed
