#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run.sh NVCC LAUNCH: makes relocatable device code in every form that links take, and runs the program on it. Then a program that was
# linked by the names and the soname of CUDA 12.
nvcc=$1
launch=$2
lib=$(dirname "$(dirname "$nvcc")")/lib64
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
echo 'extern "C" __device__ int twice(int a) { return a << 1; }' >callee.cu
"$nvcc" -arch=sm_75 -dc callee.cu -o callee.o && ar rc callee.a callee.o &&
    "$nvcc" -arch=sm_75 -rdc=true -fatbin callee.cu -o callee.fatbin && "$launch" "$work" || exit 1
cat >older.c <<'END'
typedef struct nvJitLink *handle;
int __nvJitLinkCreate_12_4(handle *, unsigned, const char **), __nvJitLinkDestroy_12_4(handle *), nvJitLinkVersion(unsigned *, unsigned *);
int main(void)
{
    handle h = 0;
    unsigned major = 0, minor = 0;
    const char *arch[] = {"-arch=sm_75"};
    return __nvJitLinkCreate_12_4(&h, 1, arch) || __nvJitLinkDestroy_12_4(&h) || h || nvJitLinkVersion(&major, &minor) || major != 13;
}
END
cc older.c "$lib/libnvJitLink.so.12" -Wl,-rpath,"$lib" -o older && ./older || {
    echo "the names of CUDA 12 do not work"
    exit 1
}
