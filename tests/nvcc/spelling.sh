#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The spellings of options and values, quotes and backslashes among them: what the host compiler is told by nvcc is what NVIDIA's
# nvcc tells it, where that is installed; and what is an error there is one here.
. "$2/check.sh"
oracle=/usr/local/cuda/bin/nvcc
if [ ! -x "$oracle" ]; then
    echo "NVIDIA's nvcc is not installed: nothing to compare with"
    exit 0
fi
echo 'int f(void) { return 1; }' >x.cpp
cp x.cpp y.cpp
printf '%s\n' '-DX="a b" -DY=\"q\" -Xcompiler "-DA -DB"' '-DZ=1 -DW=a\ b' >options

# The words of the host compiler's command that come from the user: macros, folders, -O, -g, -W, -std, -f and -m, one a line.
told() { # PROGRAM ARGUMENT...
    TMPDIR=$dir "$@" -dryrun 2>&1 | sed -n 's/^#\$ //p' | grep -e "-E\|-c" | grep -v '^_\|^[A-Z_]*=' | grep 'x.cpp' | head -n 1 >line
    eval "set -- $(cat line)"
    while [ $# -gt 0 ]; do
        case $1 in
        -D | -U | -I | -isystem | -include) word=$1$2; shift ;;
        *) word=$1 ;;
        esac
        shift
        case $word in
        -D__* | -U__* | -I/usr/local/cuda* | -isystem*/include* | -fwrapv | -fdiagnostics* | -O2 | -Wno-psabi | -m64 | -m32) ;;
        -DCUDA_API*) ;;
        -D* | -U* | -I* | -isystem* | -include* | -O* | -g* | -W* | -std=* | -f* | -m* | -pg) echo "$word" ;;
        esac
    done | sort
}
same() { # ARGUMENT...
    dir=$TMPDIR told "$nvcc" -E x.cpp "$@" >ours
    dir=$work told "$oracle" -E x.cpp "$@" >theirs
    ok "same: $* [$(tr '\n' ' ' <theirs)]" cmp ours theirs
}
same -DA -D B -D=C --define-macro D,E --define-macro=F=1,G
same -UA -U B -U=C,D --undefine-macro E
same -Ia -I b -I=c,d --include-path e --include-path=f
same -isystem a -isystem=b,c --system-include d
same -O3
same -O 1
same -O=1
same --optimize 3
same -std=c++14
same -std c++20
same --std=c++11
same -Xcompiler -DA,-DB
same -Xcompiler=-DA,-DB
same -Xcompiler '-DA -DB'
same -Xcompiler -DA -Xcompiler -DB
same --compiler-options -DA,-DB
same --compiler-options=-DA
same -Xcompiler '"-DA=x,y",-DB'
same -Xcompiler '-DA=x\,y,-DB'
same -Xcompiler '"-DA=x y"'
same -Xcompiler "'-DA=x y'"
same -Xcompiler '-DA=\"x\"'
same -Xcompiler '-DA=\\\"x\\\"'
same -Xcompiler -DA,,-DB
same -Xcompiler=
same -Xcompiler ''
same '-DA="x,y"'
same '-DA=x,y'
same '-DA=\"x y\"'
same '-DA=a\\b'
same "-DA='x'"
same '-DA=a b'
same '-DA=x\,y'
same '-I/a b'
same '-I"a,b"'
same -t 4 -t4 -t=4 --threads=4
same -m64 --machine=64 -m 64
same -ftz true -fmad=false
same -optf options
same --options-file=options
same -g -pg
NVCC_PREPEND_FLAGS='-DP="a b" -DQ' same -DR
NVCC_APPEND_FLAGS='-DP="a,b" -Xcompiler "-DZ -DW"' same -DR

# Errors there and here.
bad() {
    if TMPDIR=$work "$oracle" -E x.cpp "$@" -dryrun >/dev/null 2>&1; then
        failed=$((failed + 1))
        echo "FAILED NVIDIA's nvcc takes $*"
    else
        fails "bad: $*" 'nvcc fatal   : ' "$nvcc" -E x.cpp "$@" -dryrun
    fi
}
bad -ofoo.o
bad --o foo.o
bad --D=A
bad -isystema
bad -Ofast
bad -O
bad -m32
bad -std=c++98
bad -std=gnu++17
bad -stdc++14
bad -xc++
bad -x foo
bad -ftz=maybe
bad -ftz
bad -rdc
bad -t x
bad -keep=1
bad -nosuch
bad --nosuch=1
bad -cudart=foo
bad -includex
bad -Werror=foo
bad -dopt=off
bad -Ofc=bad
bad -opt-info=foo
bad -default-stream=foo
bad -maxrregcount=x
bad -maxrregcount32
bad -optf none
bad -MF=x
bad -M=x
bad -arch=sm_80 -code=sm_80
bad -code=sm_80
bad -arch=sm_12345
bad -gencode arch=compute_90,code=sm_80
bad -gencode arch=sm_80,code=sm_80
bad -gencode code=sm_80
bad -gencode arch=compute_80
bad -ccbin=/nonexistent/compiler
bad -target-dir foo
bad -Wall
bad -fPIC
bad -static

# Targets: the list of architectures that the preprocessor sees.
archs() { TMPDIR=$work "$@" -E x.cu -dryrun 2>&1 | grep -o '__CUDA_ARCH_LIST__=[0-9,]*' | sort -u; }
cp x.cpp x.cu
for t in '' '-arch=sm_80' '-arch compute_90' '-arch=sm_90a' '-arch=compute_80 -code=sm_80,sm_86,compute_80' \
    '-gencode arch=compute_80,code=sm_80 -gencode=arch=compute_90,code=[sm_90,compute_90]' \
    '-gencode arch=compute_80,code="sm_80,compute_80"' '-arch=sm_80 -gencode arch=compute_90,code=sm_90' \
    '-gencode arch=compute_80,code=sm_80 -gencode arch=compute_80,code=sm_86'; do
    ok "targets: $t" test "$(archs "$nvcc" $t)" = "$(archs "$oracle" $t)"
done
"$nvcc" --list-gpu-arch | sort >ours
TMPDIR=$work "$oracle" --list-gpu-arch | sort >theirs
ok list_arch cmp ours theirs
"$nvcc" --list-gpu-code --list-gpu-arch | sort >ours
TMPDIR=$work "$oracle" --list-gpu-code --list-gpu-arch | sort >theirs
ok list_both cmp ours theirs
clean spelling
finish
