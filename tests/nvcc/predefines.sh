#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The macros that the compiler defines, by options: as recorded here from NVIDIA's nvcc 13.0, and as that says where it is
# installed. -E shows the device side, as theirs does; the host side is seen by an #error.
. "$2/check.sh"
oracle=/usr/local/cuda/bin/nvcc
echo 'int x;' >x.cu
cp x.cu x.cpp
names='__CUDACC__|__NVCC__|__CUDACC_VER_(MAJOR|MINOR|BUILD)__|__CUDA_API_VER_(MAJOR|MINOR)__|__CUDA_ARCH__|__CUDA_ARCH_LIST__'
names="$names|__CUDA_ARCH_FEAT_[A-Z0-9_]*|__CUDA_ARCH_SPECIFIC__|__CUDA_ARCH_FAMILY_SPECIFIC__|__CUDACC_RDC__|__CUDACC_EWP__"
names="$names|__CUDACC_EXTENDED_LAMBDA__|__CUDACC_RELAXED_CONSTEXPR__|__CUDACC_DEBUG__|__NVCC_DIAG_PRAGMA_SUPPORT__"
names="$names|CUDA_API_PER_THREAD_DEFAULT_STREAM|CUDA_DOUBLE_MATH_FUNCTIONS|__CUDACC_DEVICE_ATOMIC_BUILTINS__|CUDART_VERSION"
names="$names|__CUDACC_INTEGRATED__|__DEVICE_EMULATION__|__cplusplus|__USE_FAST_MATH__"
macros() { # PROGRAM ARGUMENT...
    TMPDIR=$work "$@" -E -Xcompiler -dM 2>/dev/null | sed -n 's/^#define //p' | grep -E "^($names) " | sort
}
common='CUDART_VERSION 13000
CUDA_DOUBLE_MATH_FUNCTIONS 1
__CUDACC_DEVICE_ATOMIC_BUILTINS__ 1
__CUDACC_VER_BUILD__ 88
__CUDACC_VER_MAJOR__ 13
__CUDACC_VER_MINOR__ 0
__CUDACC__ 1
__CUDA_API_VER_MAJOR__ 13
__CUDA_API_VER_MINOR__ 0
__NVCC_DIAG_PRAGMA_SUPPORT__ 1
__NVCC__ 1'
check() { # OPTIONS FACT...: the facts besides the common ones
    options=$1
    shift
    { echo "$common"; printf '%s\n' "$@"; } | sort >facts
    macros "$nvcc" x.cu $options >ours
    ok "ours '$options': $(diff ours facts | tr '\n' ' ')" cmp ours facts
    [ -x "$oracle" ] || return 0
    macros "$oracle" x.cu $options >theirs
    ok "theirs '$options': $(diff theirs facts | tr '\n' ' ')" cmp theirs facts
}
target='__CUDA_ARCH__ 750'
list='__CUDA_ARCH_LIST__ 750'
cxx='__cplusplus 201703L'
check '' "$target" "$list" "$cxx"
check '-rdc=true' "$target" "$list" "$cxx" '__CUDACC_RDC__ 1'
check '-dlto' "$target" "$list" "$cxx" '__CUDACC_RDC__ 1'
check '-ewp' "$target" "$list" "$cxx" '__CUDACC_EWP__ 1'
check '-extended-lambda' "$target" "$list" "$cxx" '__CUDACC_EXTENDED_LAMBDA__ 1'
check '--expt-relaxed-constexpr' "$target" "$list" "$cxx" '__CUDACC_RELAXED_CONSTEXPR__ 1'
check '-G' "$target" "$list" "$cxx" '__CUDACC_DEBUG__ 1'
check '-G -dopt=on' "$target" "$list" "$cxx"
check '-default-stream=per-thread' "$target" "$list" "$cxx" 'CUDA_API_PER_THREAD_DEFAULT_STREAM 1'
check '-std=c++14' "$target" "$list" '__cplusplus 201402L'
check '-std=c++20' "$target" "$list" '__cplusplus 202002L'
check '-arch=sm_80' '__CUDA_ARCH__ 800' '__CUDA_ARCH_LIST__ 800' "$cxx"
check '-arch=sm_120' '__CUDA_ARCH__ 1200' '__CUDA_ARCH_LIST__ 1200' "$cxx"

# Targets with a letter: theirs preprocesses the plain one first, so the facts are of our own second pass.
letter() { # ARCH FACT...
    arch=$1
    shift
    { echo "$common"; printf '%s\n' "$@" "$cxx"; } | sort >facts
    macros "$nvcc" x.cu "-arch=$arch" >ours
    ok "ours $arch: $(diff ours facts | tr '\n' ' ')" cmp ours facts
    [ -x "$oracle" ] || return 0
    TMPDIR=$work "$oracle" -c x.cu "-arch=$arch" -dryrun 2>&1 | tr ' ' '\n' | sed -n 's/^-D\(__CUDA_ARCH_\(FEAT\|SPEC\|FAM\)[A-Z0-9_]*\).*/\1/p' |
        sort -u >theirs
    cut -d' ' -f1 ours | grep -E '__CUDA_ARCH_(FEAT|SPEC|FAM)' | sort -u >mine
    ok "theirs $arch: $(tr '\n' ' ' <theirs)" cmp mine theirs
}
letter sm_90a '__CUDA_ARCH__ 900' '__CUDA_ARCH_LIST__ 900' '__CUDA_ARCH_FEAT_SM90_ALL 1' '__CUDA_ARCH_SPECIFIC__ 900' \
    '__CUDA_ARCH_FAMILY_SPECIFIC__ 900'
letter sm_100f '__CUDA_ARCH__ 1000' '__CUDA_ARCH_LIST__ 1000' '__CUDA_ARCH_FAMILY_SPECIFIC__ 1000'

cat >feature.cu <<'Y'
#if __CUDA_ARCH_HAS_FEATURE__(SM90_ALL)
feature_sm90
#endif
#if __CUDA_HAS_ARCH_SPECIFIC(90)
specific_90
#endif
#if __CUDA_HAS_ARCH_FAMILY_SPECIFIC(100)
family_100
#endif
#if __CUDA_HAS_ARCH_FAMILY_SPECIFIC(103)
family_103
#endif
Y
for t in sm_80: 'sm_90a:feature_sm90 specific_90 ' 'sm_100f:family_100 ' 'sm_103a:family_100 family_103 '; do
    found=$("$nvcc" -arch="${t%%:*}" -E feature.cu | grep '^[fs][a-z]*_[a-z0-9]*$' | tr '\n' ' ')
    ok "features of ${t%%:*}: $found" test "$found" = "${t#*:}"
done

# Host sources know the driver and the list of targets, and are no CUDA sources.
printf '%s\n' "$common" "$list" "$cxx" | grep -v 'CUDACC__ 1\|DOUBLE_MATH\|CUDART' | sort >facts
macros "$nvcc" x.cpp >ours
ok "host source: $(diff ours facts | tr '\n' ' ')" cmp ours facts
if [ -x "$oracle" ]; then
    macros "$oracle" x.cpp >theirs
    ok "their host source: $(diff theirs facts | tr '\n' ' ')" cmp theirs facts
fi

# Within a CUDA source: __CUDA_ARCH__ on the device side alone, and as many compilations as there are targets.
cat >s.cu <<'Y'
#if defined __CUDA_ARCH__ && __CUDA_ARCH__ != 750 && __CUDA_ARCH__ != 800
#error wrong target
#endif
__global__ void k(int *p) {
#ifdef __CUDA_ARCH__
    *p = __CUDA_ARCH__;
#else
#error host side sees the body
#endif
}
Y
fails host_side 'host side sees the body' "$nvcc" -c s.cu
sed -i '/^#else/,/^#error host/d' s.cu
ok both_targets "$nvcc" -c s.cu -gencode arch=compute_75,code=sm_75 -gencode arch=compute_80,code=sm_80
fails third_target 'wrong target' "$nvcc" -c s.cu -arch=sm_90
clean predefines
finish
