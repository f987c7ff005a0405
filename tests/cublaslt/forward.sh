#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# forward.sh NVCC CC FAKE FOLDER: with a vendor's driver (the fake one) calls go to the vendor's library of the same name, and without
# that library they say so.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
nvcc=$1 cc=$2 fake=$3
mkdir -p "$4/vendor"
cd "$4"
cat > vendor.c << 'END'
#include <stddef.h>
int cublasLtCreate(void **handle) { *handle = (void *)0x7700; return 0; }
size_t cublasLtGetVersion(void) { return 42; }
int cublasLtMatmulPreferenceInit_internal(void *p, size_t size) { return p && size == 64 ? 15 : 14; }
const char *cublasLtGetStatusName(int status) { return status ? "vendor" : "fine"; }
END
cat > program.cu << 'END'
#include <cstdio>
#include <cublasLt.h>
int main()
{
    cublasLtHandle_t h = nullptr;
    cublasLtMatmulPreferenceOpaque_t p;
    int made = cublasLtCreate(&h), init = cublasLtMatmulPreferenceInit(&p);
    const char *name = made ? "none" : cublasLtGetStatusName(CUBLAS_STATUS_INVALID_VALUE);
    printf("%d %d %d %d %s\n", made, init, (int)cublasLtGetVersion(), (int)cublasLtDestroy(h), name);
}
END
"$cc" -shared -fPIC -Wl,-soname,libcublasLt.so.13 vendor.c -o vendor/libcublasLt.so.13
"$nvcc" program.cu -lcublasLt -o program
sdk=$(dirname "$nvcc")/../lib64
. "$here/../library_forward.sh"
check cpu '0 0 130100 0 CUBLAS_STATUS_INVALID_VALUE' env HEDDLE_DEVICE=cpu ./program
# A function that the vendor's library has not: the status says it, and the message names it.
check vendor '0 15 42 1 vendor' env LD_LIBRARY_PATH="$fake:$sdk:$PWD/vendor" ./program
check names 'libcublasLt.so.13 has no function cublasLtDestroy' env LD_LIBRARY_PATH="$fake:$sdk:$PWD/vendor" ./program
if [ ! -e /usr/local/cuda/lib64/libcublasLt.so.13 ]; then
    check absent '1 1 0 1 none' env LD_LIBRARY_PATH="$fake" ./program
    check message "needs NVIDIA's libcublasLt.so.13" env LD_LIBRARY_PATH="$fake" ./program
fi
# The name of CUDA 12 is the same library.
printf 'extern const char *cublasLtGetStatusName(int); int main(void) { return !cublasLtGetStatusName(0); }\n' > older.c
"$cc" -c older.c -o older.o
printf 'libcublasLt.so.12 { global: cublasLt*; };\n' > older.map
"$cc" -shared -fPIC -Wl,-soname,libcublasLt.so.12 -Wl,--version-script=older.map vendor.c -o libcublasLt.so.12
"$cc" older.o -o older ./libcublasLt.so.12
check older 'ours' env HEDDLE_DEVICE=cpu LD_LIBRARY_PATH="$sdk" sh -c './older && echo ours'
check quiet '0' sh -c "LD_LIBRARY_PATH='$sdk' HEDDLE_DEVICE=cpu ./older 2>&1 | grep -c 'no version' || true"
summary
