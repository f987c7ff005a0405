#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# forward.sh NVCC CC FAKE FOLDER: with a vendor's driver (the fake one) calls go to the vendor's library of the same name, and without
# that library they say so.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
nvcc=$1 cc=$2 fake=$3
mkdir -p "$4/vendor" "$4/cuda/lib64"
cd "$4"
cat > vendor.c << 'END'
int cublasCreate_v2(void **handle) { *handle = (void *)0x7700; return 0; }
int cublasSscal_v2(void *handle, int n, const float *a, float *x, int inc) { return handle == (void *)0x7700 && n == 4 && *a == 2 && x && inc == 1 ? 15 : 14; }
int cublasSscal_v2_64(void *handle, long n) { return handle && n == 4 ? 16 : 14; }
const char *cublasGetStatusName(int status) { return status ? "vendor" : "fine"; }
END
cat > program.cu << 'END'
#include <cstdio>
#include <cublas_v2.h>
int main()
{
    cublasHandle_t h = nullptr;
    float two = 2, x[4] = {};
    int made = cublasCreate(&h), scaled = cublasSscal(h, 4, &two, x, 1), wide = cublasSscal_64(h, 4, &two, x, 1);
    const char *name = made ? "none" : cublasGetStatusName(CUBLAS_STATUS_INVALID_VALUE);
    printf("%d %d %d %d %s\n", made, scaled, wide, (int)cublasDestroy(h), name);
}
END
"$cc" -shared -fPIC -Wl,-soname,libcublas.so.13 vendor.c -o vendor/libcublas.so.13
cp vendor/libcublas.so.13 cuda/lib64/
"$nvcc" program.cu -lcublas -o program
sdk=$(dirname "$nvcc")/../lib64
. "$here/../library_forward.sh"
check cpu '0 0 ' env HEDDLE_DEVICE=cpu ./program
# A function that the vendor's library has not: the status says it, and the message names it.
check vendor '0 15 16 1 vendor' env LD_LIBRARY_PATH="$fake:$sdk:$PWD/vendor" ./program
check names 'libcublas.so.13 has no function cublasDestroy_v2' env LD_LIBRARY_PATH="$fake:$sdk:$PWD/vendor" ./program
check home '0 15 16 1 vendor' env LD_LIBRARY_PATH="$fake" CUDA_PATH="$PWD/cuda" ./program
if [ ! -e /usr/local/cuda/lib64/libcublas.so.13 ]; then
    check absent '1 1 1 1 none' env LD_LIBRARY_PATH="$fake" ./program
    check message "needs NVIDIA's libcublas.so.13" env LD_LIBRARY_PATH="$fake" ./program
fi
# The name of CUDA 12 is the same library.
printf 'extern int cublasGetStatusName(int); int main(void) { return !cublasGetStatusName(0); }\n' > older.c
"$cc" -w -c older.c -o older.o
printf 'libcublas.so.12 { global: cublas*; };\n' > older.map
"$cc" -shared -fPIC -Wl,-soname,libcublas.so.12 -Wl,--version-script=older.map vendor.c -o libcublas.so.12
"$cc" older.o -o older ./libcublas.so.12
check older 'ours' env HEDDLE_DEVICE=cpu LD_LIBRARY_PATH="$sdk" sh -c './older && echo ours'
check quiet '0' sh -c "LD_LIBRARY_PATH='$sdk' HEDDLE_DEVICE=cpu ./older 2>&1 | grep -c 'no version' || true"
summary
