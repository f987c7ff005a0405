#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run.sh WHAT SDK WORK-FOLDER: builds projects with one build system and the toolkit in SDK, and runs what was built.
set -eu
what=$1 sdk=$2 work=$3
here=$(cd "$(dirname "$0")" && pwd)
unset CUDA_PATH CUDA_HOME CUDACXX CUDAHOSTCXX CUDAARCHS LD_LIBRARY_PATH LIBRARY_PATH CPATH PKG_CONFIG_PATH CXX CC CXXFLAGS CFLAGS LDFLAGS
rm -rf "$work"
mkdir -p "$work"
cd "$work"

fail() {
    echo "$what: $*" >&2
    exit 1
}
# The search path without another toolkit; an installed one is in /usr/bin by links.
plain=$(printf '%s\n' "$PATH" | tr : '\n' | while read -r d; do
    [ -e "$d/nvcc" ] && [ "$(realpath "$d/nvcc")" != "$(realpath "$sdk/bin/nvcc")" ] || echo "$d"
done | paste -sd :)
need() { command -v "$1" > /dev/null || { echo "no $1 here"; exit 77; }; }

# quiet COMMAND...: its output is shown when it fails
quiet() { "$@" > log 2>&1 || { cat log; fail "failed: $*"; }; }

# What was compiled with the headers of another toolkit proves nothing.
own_headers() {
    found=$(find . -name '*.d' -exec grep -l "$sdk/include" {} + | head -1)
    [ -n "$found" ] || fail "no dependency file names our headers"
    ! find . -name '*.d' -exec grep -l '/usr/local/cuda\|/usr/local/include/cuda' {} + | grep . || fail "headers of another toolkit"
}

case $what in
install)
    quiet cmake --install "$sdk/.." --prefix "$work/sdk"
    ! find "$work/sdk" -xtype l | grep . || fail "links to nowhere"
    quiet "$here/../security/runpath.sh" "$work/sdk"
    ! grep -rlF "$(realpath "$sdk")" "$work/sdk" || fail "files that name the tree that was built"
    # What goes into an archive names no place at all.
    HEDDLE_ANYWHERE=1 quiet cmake --install "$sdk/.." --prefix "$work/anywhere"
    ! grep -rlF "$work/anywhere" "$work/anywhere" || fail "files that name a place in which they will not stand"
    rm -rf "$work/anywhere"
    quiet "$work/sdk/bin/nvcc" "$here/project/kernel.cu" "$here/project/mixed.cpp" -o program
    HEDDLE_LOG=info ./program 2>&1 | grep -q "driver: $work/sdk/lib64/libcuda" || fail "another driver"
    quiet c++ -I"$work/sdk/include" "$here/project/api.cpp" -o api -L"$work/sdk/lib64" -lcudart_static -ldl -lrt -lpthread
    HEDDLE_LOG=info ./api 2>&1 | grep -q "driver: $work/sdk/lib64/libcuda" || fail "another driver without an object of nvcc"
    # A tree that was moved, or copied: what its nvcc makes looks there, with precompiled headers as well, and says so when it is gone.
    cp -a sdk "$work/moved"
    HEDDLE_CACHE_DIR=$work/cache quiet "$work/moved/bin/nvcc" "$here/project/kernel.cu" "$here/project/mixed.cpp" -o program
    HEDDLE_LOG=info ./program 2>&1 | grep -q "driver: $work/moved/lib64/libcuda" || fail "the driver of the tree before it was moved"
    rm -rf "$work/moved"
    HEDDLE_DEVICE=cpu ./program > log 2>&1 || true
    grep -q "not in $work/moved/lib64, where the program's SDK was" log || fail "no word of where the tree was"
    # The loader gives the program another copy of the driver than the one that libcudart knows: both interfaces take that one.
    cat > both.cu << 'CU'
#include <cuda.h>
int main()
{
    unsigned flags;
    int active = 0;
    return cudaFree(0) || cuInit(0) || cuDevicePrimaryCtxGetState(0, &flags, &active) || !active;
}
CU
    quiet "$sdk/bin/nvcc" both.cu -o both -lcuda
    HEDDLE_DEVICE=cpu LD_LIBRARY_PATH=$work/sdk/lib64 quiet ./both
    # C++ libraries that are put into the tree come before ours.
    mkdir -p sdk/include/cccl/cuda/std
    echo '#define THEIRS 1' > sdk/include/cccl/cuda/std/tuple
    printf '#include <cuda/std/tuple>\nint theirs = THEIRS;\n' > theirs.cu
    quiet "$work/sdk/bin/nvcc" -c theirs.cu
    ;;
manuals)
    # Each program's page has its options, and is roff that no formatter complains of.
    need man
    for program in "$sdk"/bin/*; do
        name=${program##*/}
        case $name in __*) continue ;; esac
        "$here/../../tools/manual" "$program" 0 > "$name.1"
        warnings=$(man --warnings -E UTF-8 -l -Tutf8 -Z "./$name.1" 2>&1 > /dev/null)
        [ -z "$warnings" ] || fail "$name: $warnings"
        MANWIDTH=100 man -l "./$name.1" 2> /dev/null | col -b > text
        grep -q "^ *$name - [A-Za-z]" text || fail "$name: the page does not say what it is"
        option=$("$program" --help | sed -n 's/^  *\(--[a-z-]*\).*/\1/p' | tail -1)
        grep -q -- "${option:---help}" text || fail "$name: the page lacks ${option:---help}"
    done
    ;;
completion)
    export LC_ALL=C
    # Every program of bin/, and every option and command that its --help has at the head of a line, in each shell that is here; and its page has them.
    scripts=$sdk/../package/completion
    need bash
    quiet bash -n "$scripts/completion.bash"
    cat > ask.bash << 'SH'
. "$1/completion.bash"
shift
COMP_CWORD=$(($# - 1)) COMP_WORDS=("$@") COMPREPLY=()
_heddle
printf '%s\n' "${COMPREPLY[@]}"
SH
    cat > ask.zsh << 'SH'
script=$1/completion.zsh
shift
compadd() { [[ $1 != -a ]] || print -l -- ${(M)${(P)2}:#${PREFIX}*}; }
_files() { : }
_normal() { : }
words=("$@") CURRENT=$# PREFIX=${@[$#]}
. $script
SH
    ask() { # SHELL PROGRAM WORD...: what that shell offers for the last word
        shell=$1
        shift
        case $shell in
        bash) bash ask.bash "$scripts" "$@" ;;
        zsh) zsh -f ask.zsh "$scripts" "$@" ;;
        fish) XDG_CONFIG_HOME=$work HOME=$work fish --no-config -c 'source $argv[1]/completion.fish; complete -C "$argv[2..]"' "$scripts" "$@" | cut -f 1 ;;
        esac
    }
    # options FILE: those of a text of help, by another way than the scripts: all words with dashes before the gap that precedes the meaning
    options() { sed -n 's/^   *\((*-.*\)/\1/p' "$1" | sed 's/   *.*//; s/ [a-z]* [a-z]* .*//' | grep -oE '(^|[ (])--?[A-Za-z0-9_][-A-Za-z0-9_]*' | tr -d ' ('; }
    compare() { # PROGRAM [COMMAND]: help and completions
        "$@" --help > help 2> /dev/null || return 0
        manual=$(basename "$1").1
        [ -f "$manual" ] || "$here/../../tools/manual" "$1" 0 | sed 's/\\-/-/g' > "$manual"
        options help | sort -u > wanted
        ! grep -oE '[-]{1,2}[A-Za-z0-9_][-A-Za-z0-9_]*' "$manual" | sort -u | comm -23 wanted - | grep . || fail "$*: the page lacks that"
        for shell in bash zsh fish; do
            command -v $shell > /dev/null || continue
            PATH=$sdk/bin:$PATH ask $shell "${1##*/}" ${2:+"$2"} - | sort -u > offered
            ! comm -23 wanted offered | grep . || fail "$shell: ${1##*/} ${2:-} lacks that"
            ! grep -vE '^-{1,2}[A-Za-z0-9_][-A-Za-z0-9_]*$' offered | grep . || fail "$shell: ${1##*/} ${2:-}: no options"
        done
    }
    for program in "$sdk"/bin/*; do
        case ${program##*/} in __*) continue ;; esac
        grep -qw -e "${program##*/}" "$scripts/completion.bash" || fail "${program##*/} has no completion"
        compare "$program"
        [ -s wanted ] || [ "${program##*/}" = cuda-gdb ] || grep -q '^  [a-z]*  ' help || fail "${program##*/}: no options in its help"
    done
    for program in heddle nsys; do
        commands=$("$sdk/bin/$program" --help | sed -n 's/^  \([a-z]*\)  *.*/\1/p')
        [ -n "$commands" ] || fail "$program: no commands"
        for command in $commands; do
            compare "$sdk/bin/$program" "$command"
            for shell in bash zsh fish; do
                command -v $shell > /dev/null || continue
                PATH=$sdk/bin:$PATH ask $shell $program "$(printf %.2s "$command")" | grep -qx "$command" || fail "$shell: $program lacks $command"
            done
        done
    done
    [ "$(PATH=$sdk/bin:$PATH ask bash nvcc --generate-l)" = --generate-line-info ] || fail "one option"
    [ -z "$(PATH=$sdk/bin:$PATH ask bash nvcc x)" ] || fail "options in place of files"
    ;;
symbols)
    # A package of symbols as CPack makes it, with sums by paths of the machine, is made one that dpkg can verify and apt takes.
    need dpkg-deb
    need bash
    mkdir -p made/DEBIAN made/usr/lib/debug/.build-id/ab build/packages out
    echo symbols > made/usr/lib/debug/.build-id/ab/cd.debug
    printf 'Package: heddle-dbgsym\nVersion: 1\nArchitecture: all\nMaintainer: A <a@example.org>\nPackage-Type: ddeb\nDescription: symbols\n' > made/DEBIAN/control
    echo "0 $work/made/usr/lib/debug/.build-id/ab/cd.debug" > made/DEBIAN/md5sums
    quiet dpkg-deb -b made build/packages/heddle-dbgsym_1_all.ddeb
    sed -n '/^finish() {/,/^}/p' "$here/../../tools/package" > finish.sh
    quiet bash -euc '. ./finish.sh; build=build out=out; finish build/packages/heddle-dbgsym_1_all.ddeb'
    quiet dpkg-deb -R out/heddle-dbgsym_1_all.deb there
    (cd there && quiet md5sum -c DEBIAN/md5sums)
    ! grep -q "$work" there/DEBIAN/* || fail "a path of this machine"
    ! grep -q '^Package-Type' there/DEBIAN/control || fail "of another type"
    [ "$(readlink there/usr/share/doc/heddle-dbgsym)" = heddle ] || fail "no documents"
    ;;
cmake)
    quiet cmake -G 'Unix Makefiles' -S "$here/project" -B b -DCMAKE_CUDA_COMPILER="$sdk/bin/nvcc"
    quiet cmake --build b -j 2
    own_headers
    for program in b/static_*; do
        ! readelf -d "$program" | grep 'NEEDED.*lib\(cu\|nv\|nccl\)' || fail "$program loads a library"
    done
    (cd b && quiet ctest --output-on-failure)
    # As link lines are written by hand, for a library whose names come from stubs/ as well.
    quiet c++ -I"$sdk/include" -DWITH_cublas -DWITH_cusolver "$here/project/libraries.cpp" -o by_hand -L"$sdk/lib64" -lcusolver_static \
        -lcusolver_lapack_static -lcusolver_metis_static -lcublas_static -lcublasLt_static -lcusparse_static -lculibos -lcudart_static -ldl -lrt -lpthread
    quiet ./by_hand
    for library in cublas cublasLt cufft cufftw cusparse cusolver curand nvjpeg; do
        quiet c++ -I"$sdk/include" "-DWITH_$library" "$here/project/libraries.cpp" -o by_stub -L"$sdk/lib64/stubs" "-l$library" \
            -L"$sdk/lib64" -lcudart
        LD_LIBRARY_PATH=$sdk/lib64 quiet ./by_stub
    done
    # What they need of ours stands beside them: elsewhere the linker would find another toolkit's, or none.
    for library in "$sdk"/lib64/stubs/*.so; do
        for needed in $(readelf -d "$library" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p'); do
            [ ! -e "$sdk/lib64/$needed" ] || [ -e "$sdk/lib64/stubs/$needed" ] || fail "$library needs $needed, which is not beside it"
        done
    done
    ;;
cmake_places)
    # The compiler by its variable, on the search path, and by the toolkit's place; each with another choice of targets.
    CUDACXX=$sdk/bin/nvcc quiet cmake -S "$here/minimal" -B variable -DCMAKE_CUDA_ARCHITECTURES=native
    PATH=$sdk/bin:$PATH quiet cmake -S "$here/minimal" -B path -DCMAKE_CUDA_ARCHITECTURES=all-major
    PATH=$plain CUDA_PATH=$sdk CUDAARCHS=90a quiet cmake -S "$here/minimal" -B place
    ln -s "$sdk/bin/nvcc" nvcc
    PATH=$work:$PATH quiet cmake -S "$here/minimal" -B link -DCMAKE_CUDA_ARCHITECTURES=off -DCMAKE_CUDA_FLAGS=-arch=sm_80
    for b in variable path place link; do
        grep -q "CMAKE_CUDA_COMPILER_TOOLKIT_ROOT \"$sdk\"" "$b"/CMakeFiles/*/CMakeCUDACompiler.cmake || fail "$b: another toolkit"
        quiet cmake --build "$b"
        (cd "$b" && quiet ctest --output-on-failure)
    done
    ;;
cmake_runpath)
    # From the build tree and installed; with another toolkit in sight, where there is one, and without. ldd tells what is loaded.
    quiet cmake --install "$sdk/.." --prefix "$work/sdk"
    for root in "$sdk" "$work/sdk"; do
        for languages in CUDA 'C;CXX;CUDA' 'C;CXX'; do
            for hidden in OFF /usr/local/cuda; do
                [ "$root $hidden" != "$work/sdk /usr/local/cuda" ] || continue
                [ $hidden = OFF ] || [ -e $hidden ] || continue
                rm -rf b
                quiet cmake -S "$here/runpath" -B b "-DLANGUAGES=$languages" -DCMAKE_CUDA_COMPILER="$root/bin/nvcc" \
                    -DCUDAToolkit_ROOT="$root" -DCMAKE_IGNORE_PREFIX_PATH=$hidden -DCMAKE_CUDA_ARCHITECTURES=75
                quiet cmake --build b
                for program in b/linked_by_*; do
                    [ -x "$program" ] && [ ! -d "$program" ] || continue
                    ldd "$program" > libraries
                    grep -q "libcudart.so.13 => $root/lib\(64\)\?/" libraries ||
                        { cat libraries; fail "$program ($languages, $root): another libcudart, or none"; }
                    quiet "$program"
                done
                (cd b && quiet ctest --output-on-failure)
            done
        done
    done
    ;;
findcuda)
    cmake --help-module FindCUDA > /dev/null 2>&1 || exit 77
    CUDA_PATH=$sdk quiet cmake -S "$here/findcuda" -B b -Wno-dev
    quiet cmake --build b
    (cd b && quiet ctest --output-on-failure)
    ;;
make)
    need make
    target=$(ls "$sdk/targets" | head -1)
    [ "$(HEDDLE_CC=8.6 "$sdk/bin/__nvcc_device_query")" = 86 ] || fail "__nvcc_device_query"
    quiet make -f "$here/project/Makefile" CUDA_PATH="$sdk" TARGET="$target"
    LD_LIBRARY_PATH=$sdk/lib64 quiet make -f "$here/project/Makefile" CUDA_PATH="$sdk" TARGET="$target" check
    ;;
pkgconfig)
    need pkg-config
    export PKG_CONFIG_PATH="$sdk/lib64/pkgconfig"
    quiet c++ "$here/project/api.cpp" -o api $(pkg-config --cflags --libs cudart-13.0)
    quiet c++ "$here/project/rtc.cpp" -o rtc $(pkg-config --cflags --libs nvrtc-13.0 cuda-13.0)
    quiet cc "$here/project/api.c" -o api_c $(pkg-config --cflags --libs cudart)
    quiet c++ "$here/project/blas.cpp" -o blas $(pkg-config --cflags --libs cublas-13.0 cudart)
    quiet c++ "$here/project/blaslt.cpp" -o blaslt $(pkg-config --cflags --libs cublasLt-13.0 cudart)
    quiet c++ "$here/project/solver.cpp" -o solver $(pkg-config --cflags --libs cusolver-13.0 cudart)
    quiet c++ "$here/project/jpeg.cpp" -o jpeg $(pkg-config --cflags --libs nvjpeg-13.0 cudart)
    quiet c++ "$here/project/npp.cpp" -o npp $(pkg-config --cflags --libs nppist-13.0 nppidei-13.0 nppisu-13.0 nppc-13.0 cudart)
    [ "$(pkg-config --modversion cuda)" = 13.0 ] || fail "version"
    quiet ./api
    quiet ./api_c
    quiet ./blas
    quiet ./blaslt
    quiet ./solver
    quiet ./jpeg
    quiet ./npp
    quiet ./rtc
    ;;
bazel)
    # Bazel is not needed: these are the places that rules_cuda looks at in a toolkit, and the command lines of its compilations, with the search path
    # alone in the environment as Bazel starts them. An emulator keeps its own variables.
    for file in bin/nvcc bin/ptxas bin/nvlink bin/fatbinary bin/bin2c version.json include/cuda_runtime.h include/cuda.h lib64/libcudart.so lib64/libcudart_static.a \
        lib64/libcudadevrt.a lib64/libculibos.a lib64/libnvptxcompiler_static.a lib64/stubs/libcuda.so lib64/stubs/libnvidia-ml.so include/nvtx3/nvToolsExt.h nvvm/libdevice; do
        [ -e "$sdk/$file" ] || fail "there is no $file"
    done
    "$sdk/bin/nvcc" --version | grep -qE ', release [0-9]+\.[0-9]+, ' || fail "nvcc --version has no release"
    mkdir -p headers
    echo '__device__ int twice(int);' > headers/twice.h
    printf '#include "twice.h"\n__device__ int twice(int v) { return FACTOR * v; }\n' > part.cu
    cat > main.cu << 'CU'
#include <twice.h>
__global__ void k(int *p) { *p = twice(*p); }
int main()
{
    int *p;
    if (cudaMallocManaged(&p, sizeof *p))
        return 1;
    *p = 21;
    k<<<1, 1>>>(p);
    return cudaDeviceSynchronize() || *p != 42;
}
CU
    action() { quiet env -i PATH="$(dirname "$(command -v c++)")" ${QEMU_LD_PREFIX:+"QEMU_LD_PREFIX=$QEMU_LD_PREFIX"} ${QEMU_CPU:+"QEMU_CPU=$QEMU_CPU"} "$@"; }
    targets='-gencode arch=compute_75,code=sm_75 -gencode arch=compute_75,code=compute_75'
    for file in part main; do
        action "$sdk/bin/nvcc" -ccbin "$(command -v c++)" -x cu $targets -rdc=true -Xcompiler -fPIC -I . -isystem headers -DFACTOR=2 -Xcompiler -g1 \
            --allow-unsupported-compiler -c $file.cu -o $file.rdc.pic.o
    done
    action "$sdk/bin/nvcc" -ccbin "$(command -v c++)" -dlink $targets -Xcompiler -fPIC part.rdc.pic.o main.rdc.pic.o -o linked.pic.o
    action c++ main.rdc.pic.o part.rdc.pic.o linked.pic.o -o static "$sdk/lib64/libcudadevrt.a" "$sdk/lib64/libcudart_static.a" -ldl -lpthread -lrt
    action ./static
    action c++ main.rdc.pic.o part.rdc.pic.o linked.pic.o -o shared "$sdk/lib64/libcudadevrt.a" -L"$sdk/lib64" -lcudart -Wl,-rpath,"$sdk/lib64" -ldl -lpthread -lrt
    action ./shared
    ;;
meson)
    need meson
    export CUDA_PATH="$sdk" PATH="$sdk/bin:$plain"
    quiet meson setup b "$here/project"
    quiet meson compile -C b
    quiet meson test -C b
    ;;
*) fail "no such test" ;;
esac
echo "$what: passed"
