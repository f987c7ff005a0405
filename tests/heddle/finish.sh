#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# finish.sh SDK FOLDER: quick code that has run for long enough, over all runs of a program, is left to be optimised when the program
# ends; `heddle cache finish`, and the process that the program starts, do so once; the next run finds it. Nothing of it happens where
# it is forbidden.
set -u
sdk=$1 out=$2/finish passed=0 failed=0
rm -rf "$out" && mkdir -p "$out" && cd "$out" || exit 1
export HEDDLE_CACHE_DIR=$out/cache HEDDLE_DEVICE=cpu HEDDLE_QUICK=always HEDDLE_FINISH=1
unset LD_PRELOAD
check() { # NAME CONDITION...
    name=$1
    shift
    if "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)) && echo "failed: $name"; fi
}
left() { find cache/todo -name '????????????????????????????????' 2> /dev/null | wc -l; }
kernels() { find cache -path 'cache/??/*' 2> /dev/null | wc -l; }
compiled() { HEDDLE_LOG=info ./program "$@" 2>&1 | grep -c ': compiled '; }
# Runs the program until the condition holds.
until_holds() { # CONDITION...
    for _ in $(seq 300); do
        ./program || return 1
        "$@" && return 0
    done
    return 1
}
some_left() { [ "$(left)" -gt 0 ]; }
two_kernels() { [ "$(kernels)" = 2 ]; }

cat > program.cu <<'END'
#include <cstdlib>
__global__ void walk(unsigned *p, int n)
{
    unsigned x = threadIdx.x;
    for (int i = 0; i < n; i++)
        x = x * 1664525u + p[x & 255];
    p[threadIdx.x] = x;
}
int main(int argc, char **)
{
    unsigned *p, one;
    if (cudaMalloc(&p, 1024) || cudaMemset(p, 1, 1024))
        return 1;
    walk<<<1, 64>>>(p, 20000);
    if (argc > 1) // what is left to be done is known to the next context too
        cudaDeviceReset();
    else if (cudaMemcpy(&one, p, 4, cudaMemcpyDeviceToHost))
        return 1;
    return cudaGetLastError() != cudaSuccess;
}
END
"$sdk/bin/nvcc" program.cu -o program || exit 1

# Forbidden: the program leaves nothing.
export HEDDLE_FINISH=0
for _ in 1 2 3 4; do ./program || failed=$((failed + 1)); done
check "forbidden: nothing is left" test ! -e cache/todo

# Another process has the lock: what is left stays until that is over.
rm -rf cache && mkdir -m 700 -p cache/todo
export HEDDLE_FINISH=1
exec 9> cache/todo/lock
flock 9
check "it is left in the end" until_holds some_left
check "quick code alone is there" test "$(kernels)" = 1
check "it is told" grep -q '^1 kernels that programs have left' <("$sdk/bin/heddle" cache)
check "one at a time" test "$("$sdk/bin/heddle" cache finish)" = "another process is at work"
./program && ./program || failed=$((failed + 1))
check "left once" test "$(left)" = 1
piece=$(cd cache/todo && ls | grep -v lock)
exec 9>&-
# What is broken, of another compiler or not the user's own is not compiled.
cp "cache/todo/$piece" saved
printf 'x' | dd of="cache/todo/$piece" bs=1 seek=100 conv=notrunc 2> /dev/null
check "broken" test "$("$sdk/bin/heddle" cache finish)" = "0 kernels were left to be optimised"
check "taken away" test "$(left)" = 0
cp saved "cache/todo/$piece" && chmod 666 "cache/todo/$piece"
check "others could have written it" test "$("$sdk/bin/heddle" cache finish)" = "0 kernels were left to be optimised"
rm -f "cache/todo/$piece" && cp saved "cache/todo/$piece" && chmod 600 "cache/todo/$piece"
check "for another processor" test "$(HEDDLE_CPU=generic "$sdk/bin/heddle" cache finish)" = "1 kernels were left to be optimised"
check "not compiled" test "$(kernels)" = 1
cp saved "cache/todo/$piece" && chmod 600 "cache/todo/$piece"
check "done" test "$("$sdk/bin/heddle" cache finish)" = "1 kernels were left to be optimised"
check "optimised code is there" test "$(kernels)" = 2
check "and found" test "$(compiled)" = 0
check "nothing more is left" test "$(left)" = 0

# The process that a program starts does it by itself, and no run of the program does it again. With a context that is gone, too.
# (Emulators start none: unit/detach.)
for how in "" reset; do
    [ -z "${HEDDLE_TEST_BRIEF:-}" ] || break
    "$sdk/bin/heddle" cache clear > /dev/null
    check "started${how:+, $how}" until_holds two_kernels
    check "found${how:+, $how}" test "$(compiled $how)" = 0
done
# A cache that is named from the current folder.
if [ -z "${HEDDLE_TEST_BRIEF:-}" ]; then
    rm -rf cache
    HEDDLE_CACHE_DIR=cache check "started, in this folder" until_holds two_kernels
fi
check "none is left behind" test "$(left)" = 0
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
