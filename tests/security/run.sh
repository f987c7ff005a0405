#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run.sh WHAT SDK WORK-FOLDER: one of the promises of docs/security.md, tried on the toolkit in SDK.
set -eu
what=$1 sdk=$2 work=$3
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
unset LD_LIBRARY_PATH CUDA_CACHE_PATH CUDA_CACHE_DISABLE HEDDLE_CACHE
rm -rf "$work"
mkdir -p "$work"
cd "$work"
export HEDDLE_DEVICE=cpu HEDDLE_CACHE_DIR="$work/cache"

fail() {
    echo "$what: $*" >&2
    exit 1
}

program() { # program NAME OPTIONS...: runs one kernel
    name=$1
    shift
    cat > "$name.cu" << 'CU'
#include <cstdio>
__global__ void set(int *p) { *p = 42; }
int main()
{
    int *p, h = 0;
    cudaMalloc(&p, sizeof h);
    set<<<1, 1>>>(p);
    cudaMemcpy(&h, p, sizeof h, cudaMemcpyDeviceToHost);
    return h != 42;
}
CU
    "$sdk/bin/nvcc" "$name.cu" -o "$name" "$@"
}

case $what in
runpath)
    program shared -cudart shared
    program static
    "$here/runpath.sh" "$sdk" "$sdk/../tests" "$work"
    # The loader says so too: no library is taken from here.
    mkdir traps
    for f in "$sdk"/bin/* "$sdk"/lib64/*.so* shared; do
        readelf -d "$f" 2> /dev/null | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'
    done | sort -u | while read -r library; do
        case $library in
        ld-linux*) ;;
        *) echo 'not a library' > "traps/$library" ;;
        esac
    done
    [ -e traps/libcudart.so.13 ] || fail "no traps were made"
    for f in libcuda.so.1 libheddle-jit.so; do # opened by name
        echo 'not a library' > "traps/$f"
    done
    cd traps
    for f in nvcc heddle cuobjdump ptxas; do
        "$sdk/bin/$f" --help > /dev/null || [ $f = heddle ] || fail "$f loads libraries from the current directory"
    done
    "$sdk/bin/heddle" env > /dev/null || fail "heddle loads libraries from the current directory"
    ../shared || fail "a program loads libraries from the current directory"
    ../static || fail "a program with libcudart inside loads libraries from the current directory"
    ;;
other_build)
    # A compiler that was built with other tables than the driver is not used, and the program is told.
    program shared -cudart shared
    mkdir lib
    cp "$sdk"/lib64/libcudart.so.13 "$sdk"/lib64/libcuda.so.1 lib
    echo 'const char heddle_jit_interface[] = "another"; int heddle_jit_compile(void) { return 1; }' > other.c
    ${CC:-cc} -shared -fPIC other.c -o lib/libheddle-jit.so
    ! LD_LIBRARY_PATH="$work/lib" ./shared > said 2>&1 || fail "a compiler of another build is used"
    grep -q 'libheddle-jit.so is of another build than the driver' said || fail "it does not say so: $(cat said)"
    cp "$sdk"/lib64/libheddle-jit.so lib
    LD_LIBRARY_PATH="$work/lib" ./shared || fail "the driver's own compiler is not used"
    ;;
environment)
    # A program that runs with another user's rights does not obey the caller's environment.
    [ "$(id -u)" = 0 ] || { echo "only root can make a set-user-ID program for another user"; exit 77; }
    dir=$(mktemp -d)
    trap 'rm -rf "$dir"' EXIT
    chmod 755 "$dir"
    cp "$sdk/bin/heddle" "$dir/heddle"
    HEDDLE_WIDTH=8 "$dir/heddle" env | grep -q '^HEDDLE_WIDTH=8$' || fail "a variable is not seen at all"
    HEDDLE_CACHE_DIR=$work/elsewhere "$dir/heddle" cache | grep -q "$work/elsewhere" || fail "the cache is not there"
    chown nobody "$dir/heddle" && chmod 4755 "$dir/heddle"
    grep -q nosuid /proc/self/mountinfo && findmnt -n -o OPTIONS -T "$dir" 2> /dev/null | grep -q nosuid && exit 77
    HEDDLE_WIDTH=8 "$dir/heddle" env | grep '^HEDDLE_WIDTH=8$' && fail "a variable is obeyed"
    HEDDLE_CACHE_DIR=$work/elsewhere HOME=$work XDG_CACHE_HOME=$work CUDA_CACHE_PATH=$work "$dir/heddle" cache > said
    ! grep "$work" said || fail "the caller says where the cache is"
    rm -rf "/tmp/heddle-cache-$(id -u nobody)"
    ;;
places)
    # A program on the PATH, while the current directory has a file of its name with a driver beside it.
    program static
    mkdir bin trap
    mv static bin/placed
    cp bin/placed trap/placed
    cp "$sdk/lib64/libcuda.so.1" trap/libcuda.so.1
    cd trap
    PATH=$work/bin:$PATH HEDDLE_LOG=info placed 2> ../said || fail "it does not run"
    grep -q "driver: $sdk/lib64/libcuda" ../said || { cat ../said; fail "another driver"; }
    ;;
perf_map)
    program mapped
    echo 'keep this' > victim
    # Before it begins, someone has made a link of the name that it will ask for.
    sh -c 'ln -s "$0" /tmp/perf-$$.map; echo $$ > pid; HEDDLE_PERF_MAP=1 exec ./mapped' "$work/victim" || fail "a link is followed, or ends the program"
    map=/tmp/perf-$(cat pid).map
    [ -L "$map" ] && [ "$(cat victim)" = 'keep this' ] || fail "a symbolic link was followed"
    rm -f "$map"
    cp victim /tmp/heddle-victim.$$
    sh -c 'ln "$0" /tmp/perf-$$.map; echo $$ > pid; HEDDLE_PERF_MAP=1 exec ./mapped' /tmp/heddle-victim.$$
    rm -f "/tmp/perf-$(cat pid).map"
    cmp victim /tmp/heddle-victim.$$ || fail "a hard link was written to"
    rm -f /tmp/heddle-victim.$$
    sh -c 'mkfifo /tmp/perf-$$.map; echo $$ > pid; HEDDLE_PERF_MAP=1 exec ./mapped' || fail "a FIFO ends it"
    rm -f "/tmp/perf-$(cat pid).map"
    sh -c 'echo $$ > pid; HEDDLE_PERF_MAP=1 exec ./mapped'
    map=/tmp/perf-$(cat pid).map
    grep -q set "$map" || fail "no map is written"
    [ "$(stat -c %a "$map")" = 600 ] || fail "others can read or write the map"
    rm -f "$map"
    ;;
precompiled)
    # Precompiled headers that others can write to are made anew; those of the user's own are used.
    program first
    ls cache/pch/*.pch > /dev/null 2>&1 || { echo "this compiler is given no precompiled headers"; exit 77; }
    [ "$(stat -c %a cache)$(stat -c %a cache/pch)" = 700700 ] || fail "the cache is not private"
    before=$(stat -c %i cache/pch/*.pch)
    program second
    [ "$before" = "$(stat -c %i cache/pch/*.pch)" ] || fail "own precompiled headers are made anew"
    chmod 666 cache/pch/*.pch
    program third
    for f in cache/pch/*.pch; do
        [ "$(stat -c %a "$f")" != 666 ] || fail "nvcc takes a precompiled header that others can write to"
    done
    chmod 666 cache/pch/*.list
    program fourth
    for f in cache/pch/*.list; do
        [ "$(stat -c %a "$f")" != 666 ] || fail "nvcc takes a record that others can write to"
    done
    # A folder that others can write to is left alone, whatever is in it.
    chmod 777 cache/pch
    for f in cache/pch/*.pch; do : > "$f"; done
    program fifth || fail "nvcc takes a precompiled header from a folder that others can write to"
    for f in cache/pch/*.pch; do
        [ ! -s "$f" ] || fail "nvcc writes to a folder that others can write to"
    done
    # NVRTC has its own in the same folder.
    rm -rf cache
    rtc=$sdk/../tests/nvrtc/nvrtc_interface
    "$rtc" > /dev/null
    chmod 666 cache/pch/*.pch
    rm -rf cache/??
    "$rtc" > /dev/null
    made=0
    for f in cache/pch/*.pch; do
        [ "$(stat -c %a "$f")" = 666 ] || made=1
    done
    [ $made = 1 ] || fail "NVRTC takes a precompiled header that others can write to"
    ;;
sources)
    # A library may be part of a program that runs with other rights.
    ! grep -rnE '(^|[^_[:alnum:]])getenv *\(' "$root/src" --include='*.c' --include='*.h' || fail "secure_getenv is to be used"
    ! grep -rnE '(^|[^_[:alnum:]])(tmpnam|mktemp|tempnam|tmpfile) *\(' "$root/src" --include='*.c' || fail "names in /tmp that others can foresee"
    ;;
*) fail "no such test" ;;
esac
echo "$what: passed"
