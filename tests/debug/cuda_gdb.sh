#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# cuda_gdb.sh NVCC FOLDER OUT: sessions with cuda-gdb: breakpoints before a kernel is loaded, the focus moved between threads, steps
# of one thread, variables of every kind, tables, stops at launches and at exceptions, core files.
set -eu
nvcc=$1 here=$2 out=$3 failed=0
cuda_gdb=$(dirname "$nvcc")/cuda-gdb
says() { # what, in the last session
    grep -q -- "$1" "$out/session.txt" || {
        echo "$name: cuda-gdb did not say: $1"
        failed=1
    }
}
says_not() {
    ! grep -q -- "$1" "$out/session.txt" || {
        echo "$name: cuda-gdb said: $1"
        failed=1
    }
}
line() { grep -n "MARK $1\$" "$here/${2:-reduce}.cu" | cut -d: -f1; }
CUDA_GDB_BACKEND=$out/none "$cuda_gdb" > "$out/none.txt" 2>&1 && failed=1
grep -q "cuda-gdb: there is no '.*none'" "$out/none.txt" || { echo "no word of a gdb that is not there"; failed=1; }
command -v gdb > /dev/null || { echo "no gdb"; exit 77; }
gdb -nx -batch -ex 'python import struct' > /dev/null 2>&1 || { echo "gdb has no Python"; exit 77; }
export HEDDLE_CACHE=0
"$nvcc" -G -rdc=true "$here/reduce.cu" "$here/linked.cu" -o "$out/reduce"
session() { # NAME ARGUMENTS...: the commands are on standard input; one that fails does not end the session
    name=$1
    shift
    { printf 'set pagination off\nset debuginfod enabled off\n'; cat; } > "$out/$name.gdb"
    { while IFS= read -r command; do
        command=$(printf %s "$command" | sed "s/'/'\\\\''/g")
        printf " -ex '%s'" "$command"
    done; } < "$out/$name.gdb" > "$out/$name.arguments"
    # GDB 13 ends with an error of its own now and then when a thread of an emulated process begins while it steps over a breakpoint.
    for _ in 1 2 3; do
        timeout "${HEDDLE_TEST_BRIEF:+6}600" sh -c "exec '$cuda_gdb' -nx -batch $(cat "$out/$name.arguments") \"\$@\"" sh "$@" > "$out/session.txt" 2>&1 || true
        grep -q 'A problem internal to GDB' "$out/session.txt" || break
    done
    cp "$out/session.txt" "$out/$name.txt"
    if grep -q "ptrace: Operation not permitted\|Cannot PTRACE\|not being run" "$out/session.txt" && [ "$name" = focus ]; then
        cat "$out/session.txt"
        exit 77
    fi
}

session focus "$out/reduce" << END
break reduce
break reduce.cu:$(line wait) if threadIdx.x == 9
tbreak linked.cu:$(line last linked) if table[1] == 2
info cuda kernels
run
info breakpoints
bt 1
print i + n
cuda kernel block thread lane
info cuda kernels
cuda thread (15,0,0)
print threadIdx
next
print t + 1000
info cuda threads
cuda thread 0
print threadIdx
next
print t + 2000
cuda thread 40
cuda block 1
delete 1
continue
print part[9]
print *part@2
print *(@shared float*)4
print ((int*)dyn)[8]
print counter
print factor
info cuda lanes
info cuda warps
info cuda blocks
info cuda line
delete 2
continue
print y
print calls + 70
info args
info cuda devices
info cuda sms
info cuda launch trace
up
print blockIdx
info cuda nonsense
END
says '^Breakpoint 1 (reduce) pending'
says_not '(y or \[n\])'
says 'No CUDA kernels\|not run'
says "hit Breakpoint 1, sim::reduce<float, 32> (in=0x[0-9a-f]*, out=0x[0-9a-f]*, n=64) at .*reduce.cu:"
says '^\[Switching focus to CUDA kernel 0, grid 1, block (0,0,0), thread (0,0,0), device 0, sm 0, warp 0, lane 0\]'
says '^1 .* in sim::reduce<float, 32>(float const\*, float\*, int) at'    # one place, and none of the host
says '^lane 0, kernel 0, block (0,0,0), thread (0,0,0)'
says '^\* *0 .* Active .*(2,1,1) (32,1,1) sim::reduce<float, 32>(in=0x'
says 'focus to CUDA kernel 0, grid 1, block (0,0,0), thread (15,0,0), device 0, sm 0, warp 0, lane 15'
says '= {x = 15, y = 0, z = 0}'
says '= 1015$'
says '(0,0,0) *1 .* reduce.cu .* held$'
says '^\* *(0,0,0) *(15,0,0) .* reduce.cu .* running$'
says 'not begun$'
says '= {x = 0, y = 0, z = 0}'
says '= 2000$'
says 'Request cannot be satisfied. CUDA focus unchanged.'
says "hit Breakpoint 2, sim::reduce.*reduce.cu:$(line wait)"
says 'thread (9,0,0), device 0, sm 0, warp 0, lane 9'
says '^\$[0-9]* = 22.5$'           # part[9]
says '^\$[0-9]* = {0, 2.5}$'
says '^\$[0-9]* = 2.5$'            # shared address 4, and factor
says '^\$[0-9]* = 24$'
says '^\$[0-9]* = 7$'
says '^\* *9 active 0x[0-9a-f]* *(9,0,0)'
says '^\* *0 *0xffffffff '
says '^\* *(0,0,0) *(0,0,0) *1 *running'
says "reduce.cu *$(line wait)$"
says "hit Temporary breakpoint 3, mix (x=1240, k=0) at .*linked.cu:$(line last linked)"
says '^\$[0-9]* = 2480$'
says '^\$[0-9]* = 71$'
says '^x = 1240'
says 'Heddle on .* sm_90 '
says "sim::reduce<float, 32> .*reduce.cu:$(line mix)"
says "Unrecognized option: 'nonsense'"

session launch "$out/reduce" << END
set cuda break_on_launch application
set cuda launch_blocking on
show cuda break_on_launch
show cuda launch_blocking
set cuda memcheck on
show cuda memcheck
run
info locals
set cuda break_on_launch none
continue
cuda thread
END
says "Break on every kernel launch is set to 'application'"
says '^#0 *sim::reduce<float, 32> (in=0x[0-9a-f]*, out=0x[0-9a-f]*, n=64) at .*reduce.cu:'
says_not 'not defined'
says '^blockDim = {x = 32, y = 1, z = 1}'
says 'Not supported: accesses are not checked'
says 'memcheck) is off'
says 'result 2481 7602'
says 'exited normally'
says 'Focus is not set on any active CUDA kernel'

session exception --args "$out/reduce" wrong << END
run
cuda block thread
print t
next
END
says 'CUDA Exception: Warp Illegal Address'
says "^The exception was triggered at PC 0x[0-9a-f]* (reduce.cu:$(line wrong))"
says 'CUDA_EXCEPTION_14, Warp Illegal Address'
says '^block (0,0,0), thread (4,1,0)'
says '= 13$'

# Core files, of code with -G and its threads, and of optimised code; the names as CUDA expands them.
cd "$out"
rm -f core.*
core() { # VARIABLES...
    env CUDA_ENABLE_COREDUMP_ON_EXCEPTION=1 "$@" > "$out/core.txt" 2>&1 || true
}
core HEDDLE_DEBUGGER=1 CUDA_COREDUMP_FILE=core.%h.%t.%p ./reduce wrong
ls core."$(hostname)".*.* > /dev/null 2>&1 || { echo "no core file of the name"; ls core*; cat core.txt; failed=1; }
session core "$out/reduce" << END
target cudacore $(ls core."$(hostname)".*.*)
bt 1
cuda block thread
cuda thread (6,1,0)
print threadIdx
END
says "reduce.cu:$(line wrong))"
says 'Current focus set to CUDA kernel 0, grid 1, block ([01],[01],0), thread (4,1,0)'
says "wrong (p=0x40, n=13) at .*reduce.cu:$(line wrong)"
"$nvcc" -lineinfo -rdc=true "$here/reduce.cu" "$here/linked.cu" -o "$out/plain"
core CUDA_COREDUMP_FILE=core.plain CUDA_ENABLE_LIGHTWEIGHT_COREDUMP=1 CUDA_ENABLE_CPU_COREDUMP_ON_EXCEPTION=0 HEDDLE_WIDTH=1 ./plain wrong
session plain "$out/plain" << END
target cudacore core.plain
info cuda kernels
cuda thread
END
says "CUDA Exception: Warp Illegal Address"
says 'Current focus set to CUDA kernel 0, grid 1, block ([01],[01],0), thread (4,1,0)'
says '^\* *0 .* Active .* (2,2,1)  *(8,5,1) *wrong()'
rm -f core.*
[ $failed = 0 ] || { for f in focus launch exception core plain; do echo "== $f"; cat "$out/$f.txt"; done; }
exit $failed
