#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# names.sh NVCC FOLDER OUT: the map for perf names kernels, perf shows them and their instructions, and so does GDB, also without debug information.
set -eu
nvcc=$1 here=$2 out=$3 failed=0
"$nvcc" -O2 "$here/names.cu" -o "$out/names"
export HEDDLE_CACHE=0 HEDDLE_THREADS=1 HEDDLE_PERF_MAP=1
wants() { # file, what
    grep -q -- "$2" "$1" || {
        echo "$1 does not have: $2"
        cat "$1"
        failed=1
    }
}
"$out/names" &
pid=$!
wait $pid
wants "/tmp/perf-$pid.map" '^[0-9a-f]* [0-9a-f]* _Z15counting_kernelPjj$'
rm -f "/tmp/perf-$pid.map"
if command -v perf > /dev/null && perf record -q -e cpu-clock -o "$out/perf.data" "$out/names" 2> "$out/perf.err"; then
    perf report -i "$out/perf.data" --stdio --no-children -g none --sort symbol > "$out/perf.txt" 2> "$out/perf.err"
    wants "$out/perf.txt" 'counting_kernel'
    pid=$(perf script -i "$out/perf.data" -F pid 2> /dev/null | sort | uniq -c | sort -rn | awk 'NR == 1 { print $2 }')
    rm -f "/tmp/perf-$pid.map"
else
    echo "perf cannot be used here: its part is left out"
fi
# The code itself, in the current folder: perf makes an object of it, and shows its instructions.
rm -f "$out"/jit-*.dump "$out"/jitted-*.so
(cd "$out" && HEDDLE_PERF_MAP=dump ./names)
head -c 4 "$out"/jit-*.dump | grep -q DTiJ || { echo "no dump for perf"; failed=1; }
grep -q _Z15counting_kernelPjj "$out"/jit-*.dump || { echo "a dump without the kernel"; failed=1; }
if command -v perf > /dev/null && (cd "$out" && rm -f jit-*.dump && HEDDLE_PERF_MAP=dump perf record -q -k mono -e cpu-clock -o dump.data ./names) 2> "$out/perf.err" &&
    (cd "$out" && perf inject -j -i dump.data -o dump.jit.data) 2> "$out/perf.err"; then
    (cd "$out" && perf annotate -i dump.jit.data --stdio) > "$out/annotate.txt" 2> "$out/perf.err" || true
    wants "$out/annotate.txt" 'counting_kernel'
    wants "$out/annotate.txt" '^ *[0-9.]* :  *[0-9a-f]*: '
fi
unset HEDDLE_PERF_MAP
if command -v gdb > /dev/null; then
    timeout "${HEDDLE_TEST_BRIEF:+6}600" gdb -nx -batch -ex 'set debuginfod enabled off' -ex 'set breakpoint pending on' -ex run -ex 'bt 2' \
        --args "$out/names" fault > "$out/names.txt" 2>&1 || true
    if grep -q "ptrace: Operation not permitted\|Cannot PTRACE\|not being run" "$out/names.txt"; then
        echo "gdb cannot be used here: its part is left out"
    else
        wants "$out/names.txt" '^#0 .* in faulting_kernel'
    fi
fi
exit $failed
