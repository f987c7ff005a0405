#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What goes wrong gives one message that names the file, a status that is not 0, and leaves no partial output behind.
. "$2/check.sh"

echo '__global__ void k(int *p) { *p = 1; }
int main() { k<<<1, 1>>>(0); return 0; }' >k.cu
echo 'int f(void) { return 3; }' >c.c
echo '__global__ void k(int *p) { *p = unknown_name; }' >device.cu
echo '__global__ void k() { }
int f() { return unknown_name; }' >host.cu
echo '__global__ void k() { int i = 1 }' >syntax.cu
echo '#include "no_such_header.h"' >header.cu
printf '.version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k()\n{\n  .reg .b32 %%r<3>;\n  add.s32 %%r1, %%r2;\n  ret;\n}\n' >bad.ptx
printf 'this is no PTX\n' >none.ptx
mkdir folder
ok good_object "$nvcc" -c k.cu -o good.o

one() { # NAME FILE MESSAGE COMMAND...: it fails with one message that has the text, and FILE does not come to be
    name=$1
    file=$2
    text=$3
    shift 3
    if "$@" >.out 2>.err; then
        failed=$((failed + 1))
        echo "FAILED $name: no error from $*"
        return
    fi
    count=$(grep -c ': error:\|: fatal error:\|^error:\|fatal   :\|; error   :' .err)
    if [ "$count" = 1 ] && grep -q -e "$text" .err && [ ! -f "$file" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED $name: $count messages, file $(ls "$file" 2>/dev/null):"
        head -n 8 .err
    fi
}
# More static shared memory than a block may have: ptxas's error where machine code would be made, nvlink's where code is linked.
echo '__global__ void k(int *p) { __shared__ int s[20480]; s[threadIdx.x] = 1; __syncthreads(); *p = s[threadIdx.x ^ 1]; }
int main() { k<<<1, 1>>>(0); return 0; }' >shared.cu
sed 's/20480/12288/' shared.cu >shared_fits.cu
too_much() { # NAME TOOL COMMAND...
    name=$1 tool=$2
    shift 2
    if ! "$@" >.out 2>.err && grep -q "^$tool error   : Entry function '_Z1kPi' uses too much shared data (0x14000 bytes, 0xc000 max)" .err && [ ! -f out ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED $name:"
        cat .err
    fi
}
for phase in '-c' '-cubin' '-fatbin' ''; do
    too_much "static shared memory $phase" ptxas "$nvcc" $phase shared.cu -o out
done
too_much 'static shared memory, linked' nvlink "$nvcc" -rdc=true shared.cu -o out
ok shared_ptx "$nvcc" -ptx shared.cu -o shared.ptx
ok shared_dc "$nvcc" -dc shared.cu -o shared.o
too_much 'static shared memory, assembled' ptxas "$(dirname "$nvcc")/ptxas" shared.ptx -o out
ok shared_fits "$nvcc" -c shared_fits.cu -o shared.o

for phase in '-c' '-ptx' '-cubin' '-fatbin' '-dc' ''; do
    one "device error $phase" out "device.cu:1:34: error: use of undeclared identifier" "$nvcc" $phase device.cu -o out
    one "syntax error $phase" out "syntax.cu:1:" "$nvcc" $phase syntax.cu -o out
    one "missing header $phase" out "header.cu:1:10: fatal error: 'no_such_header.h' file not found" "$nvcc" $phase header.cu -o out
    one "missing input $phase" out "'none.cu': No such file" "$nvcc" $phase none.cu -o out
    one "unknown option $phase" out "unknown option '-no-such-option'" "$nvcc" $phase -no-such-option k.cu -o out
    one "output in no folder $phase" out "'none/out' cannot be written: No such file" "$nvcc" $phase k.cu -o none/out
    one "output is a folder $phase" out "'folder' cannot be written: Is a directory" "$nvcc" $phase k.cu -o folder
done
one 'host error' out 'host.cu:2:18: error:' "$nvcc" -c host.cu -o out
one 'error in the preprocessor' out 'no_such_header.h' "$nvcc" -E header.cu -o out
one 'error in dependencies' out 'no_such_header.h' "$nvcc" -M header.cu -o out
one 'host source' out 'c.c:1' "$nvcc" -c c.c -Dreturn=+ -Df=-1 -o out
one 'no temporary folder' out "no temporary folder in '/nonexistent'" env TMPDIR=/nonexistent "$nvcc" -c k.cu -o out
one 'library in no folder' out "cannot be written" "$nvcc" -lib k.cu -o none/l.a
one 'device link in no folder' out "cannot be written" "$nvcc" -dlink good.o -o none/d.o
one 'missing object' out "'none.o': No such file" "$nvcc" good.o none.o -o out
one 'missing options file' out "options file 'none'" "$nvcc" -optf none k.cu
one 'missing host compiler' out 'was not found' "$nvcc" -ccbin no-such-compiler k.cu -o out
for phase in -cubin -fatbin; do
    fails "bad PTX $phase" 'ptxas bad.ptx, line 7; error   : ' "$nvcc" $phase bad.ptx -o out
    ok "bad PTX $phase: no output" test ! -e out
    fails "not PTX $phase" 'none.ptx' "$nvcc" $phase none.ptx -o out
    ok "not PTX $phase: no output" test ! -e out
done
fails 'undefined name' 'undefined reference' "$nvcc" -DNO c.c -o out
ok 'undefined name: no output' test ! -e out
echo 'garbage' >broken.o
fails 'broken object' 'broken.o' "$nvcc" broken.o -o out
ok 'broken object: no output' test ! -e out
# A bad compilation does not keep the output of a good one before it.
cp good.o old.o
one 'old object' old.o 'unknown_name' "$nvcc" -c device.cu -o old.o

# A device without room, and a full disk for the output and for temporary files, where one may be mounted.
for phase in -ptx -cubin -fatbin -c; do
    one "no room $phase" out 'No space left on device' "$nvcc" $phase k.cu -o /dev/full
    ok "no room $phase: the device stays" test -c /dev/full
done
mkdir disk
if unshare -m mount -t tmpfs -o size=4k none disk 2>/dev/null; then
    full() { # NAME SIZE COMMAND
        unshare -m sh -c 'mount -t tmpfs -o size=$1 none disk && sh -c "$2" 2>.err && exit 9; ls -A disk' sh "$2" "$3" >.left
        if grep -q 'No space left' .err && [ ! -s .left ] && [ ! -e out ]; then
            passed=$((passed + 1))
        else
            failed=$((failed + 1))
            echo "FAILED full disk, $1: left '$(cat .left)', said:"
            head -n 5 .err
        fi
    }
    { cat k.cu; i=0; while [ $i -lt 40 ]; do i=$((i + 1)); echo "__global__ void k$i(float *p) { *p = sinf(*p) * $i; }"; done; } >big.cu
    full object 4k "'$nvcc' -c big.cu -o disk/out"
    full ptx 4k "'$nvcc' -ptx big.cu -o disk/out"
    full program 4k "'$nvcc' big.cu -o disk/out"
    full 'temporary files' 8k "TMPDIR=disk '$nvcc' big.cu -o out"
fi
clean errors
finish
