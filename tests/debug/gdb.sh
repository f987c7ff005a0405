#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# gdb.sh NVCC FOLDER OUT: GDB stops on lines of a kernel compiled with -G, names the kernel, shows where it is, and steps.
set -eu
nvcc=$1 here=$2 out=$3 failed=0
command -v gdb > /dev/null || { echo "no gdb"; exit 77; }
export HEDDLE_CACHE=0 HEDDLE_THREADS=1
"$nvcc" -G "$here/step.cu" -o "$out/step"
line() { grep -n "MARK $1\$" "$here/step.cu" | cut -d: -f1; }
cat > "$out/step.gdb" << END
set pagination off
set breakpoint pending on
set debuginfod enabled off
break step.cu:$(line first) -force-condition if blockIdx.x == 2 && threadIdx.x == 5
run
bt 2
print threadIdx
print blockDim.x * gridDim.x
print i + n
print pair
info locals
delete
tbreak step.cu:$(line second) if threadIdx.x == 9
continue
print threadIdx.x + 1000
step
next
bt 3
print x + 2000
finish
next
next
print v + 3000
print pair.second[1] + 4000
delete
continue
END
# GDB 13 ends with an error of its own now and then when a thread of an emulated process begins while it steps over a breakpoint.
for _ in 1 2 3; do
    timeout "${HEDDLE_TEST_BRIEF:+6}600" gdb -nx -batch -x "$out/step.gdb" "$out/step" > "$out/gdb.txt" 2>&1 || true
    grep -q 'A problem internal to GDB' "$out/gdb.txt" || break
done
if grep -q "ptrace: Operation not permitted\|Cannot PTRACE\|not being run" "$out/gdb.txt" && ! grep -q "hit Breakpoint" "$out/gdb.txt"; then
    cat "$out/gdb.txt"
    exit 77
fi
wants() {
    grep -q -- "$1" "$out/gdb.txt" || {
        echo "gdb did not say: $1"
        failed=1
    }
}
wants "hit Breakpoint .*scale .*step.cu:$(line first)"
wants "^#0 .*scale .*step.cu:$(line first)"
wants '= {x = 5, y = 0, z = 0}'
wants '= 192$'
wants '= 283$'                                      # i + n
wants '= {first = 133, second = {1.5, 133}}$'       # pair
wants '^blockIdx = {x = 2, y = 0, z = 0}$'
wants '^#0 .*scale (p=0x[0-9a-f]*, n=150)'
wants "scale .*step.cu:$(line second)"
wants '= 1009$'
wants "^#0 .*twice .*step.cu:$(line twice)"
wants "^#1 .*scale .*step.cu:$(line second)"
wants "^$(line third)	.*MARK third"
wants '= 2000$'                                     # x, in the function called
wants '= 3000$'                                     # v, behind the barrier
wants '= 4137$'
wants 'result 1'
[ $failed = 0 ] || cat "$out/gdb.txt"
exit $failed
