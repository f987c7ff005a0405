#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# forward.sh NVCC CC FAKE FOLDER: with a vendor's driver (the fake one) calls go to the vendor's libraries of the same names.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
nvcc=$1 cc=$2 fake=$3
mkdir -p "$4/vendor"
cd "$4"
cat > vendor.c << 'END'
int cufftPlan1d(int *plan, int nx, int type, int batch) { *plan = 4711; return nx == 8 && type == 0x29 && batch == 3 ? 0 : 14; }
int cufftExecC2C(int plan, void *in, void *out, int direction) { return plan == 4711 && in && out && direction == 1 ? 15 : 14; }
END
cat > vendor_w.c << 'END'
void *fftw_plan_dft_1d(int n, void *in, void *out, int sign, unsigned flags) { return n == 8 && in && out && sign == -1 && flags == 1 ? (void *)0x7700 : 0; }
END
cat > program.cu << 'END'
#include <cstdio>
#include <cufft.h>
#include <cufftw.h>
int main()
{
    cufftHandle p = 0;
    cufftComplex x[24] = {};
    fftw_complex y[8] = {};
    int made = cufftPlan1d(&p, 8, CUFFT_C2C, 3), run = cufftExecC2C(p, x, x, CUFFT_INVERSE), gone = cufftDestroy(p);
    cudaDeviceSynchronize();
    void *w = fftw_plan_dft_1d(8, y, y, FFTW_FORWARD, FFTW_ESTIMATE);
    printf("%d %d %d %d\n", made, run, gone, w == (void *)0x7700);
    if (w != (void *)0x7700)
        fftw_destroy_plan((fftw_plan)w);
}
END
"$cc" -shared -fPIC -Wl,-soname,libcufft.so.12 vendor.c -o vendor/libcufft.so.12
"$cc" -shared -fPIC -Wl,-soname,libcufftw.so.12 vendor_w.c -o vendor/libcufftw.so.12
"$nvcc" program.cu -lcufftw -lcufft -o program
sdk=$(dirname "$nvcc")/../lib64
. "$here/../library_forward.sh"
check cpu '0 0 0 0' env HEDDLE_DEVICE=cpu ./program
# A function that the vendor's library has not: the status says it, and the message names it.
check vendor '0 15 7 1' env LD_LIBRARY_PATH="$fake:$sdk:$PWD/vendor" ./program
check names 'libcufft.so.12 has no function cufftDestroy' env LD_LIBRARY_PATH="$fake:$sdk:$PWD/vendor" ./program
# The name of CUDA 12 is the same library.
printf 'extern int cufftGetVersion(int *); int main(void) { int v = 0; return cufftGetVersion(&v) || v < 10000; }\n' > older.c
printf 'int cufftGetVersion(int *v) { return 1; }\n' > older_library.c
printf 'libcufft.so.11 { global: cufft*; };\n' > older.map
"$cc" -shared -fPIC -Wl,-soname,libcufft.so.11 -Wl,--version-script=older.map older_library.c -o libcufft.so.11
"$cc" older.c -o older ./libcufft.so.11
check older 'ours' env HEDDLE_DEVICE=cpu LD_LIBRARY_PATH="$sdk" sh -c './older && echo ours'
summary
