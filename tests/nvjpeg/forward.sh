#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# forward.sh NVCC CC FAKE FOLDER: with a vendor's driver (the fake one) calls go to the vendor's library of the same name. Without a codec
# the library loads, knows what it can know, and says what lacks.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
nvcc=$1 cc=$2 fake=$3
mkdir -p "$4/vendor" "$4/empty"
cd "$4"
cat > vendor.c << 'END'
int nvjpegCreateSimple(void **handle) { *handle = (void *)0x7700; return 0; }
int nvjpegSetDeviceMemoryPadding(unsigned long padding, void *handle) { return padding == 77 && handle == (void *)0x7700 ? 15 : 14; }
END
cat > program.cpp << 'END'
#include <cstdio>
#include <nvjpeg.h>
static const unsigned char grey[] = {
    0xff, 0xd8, 0xff, 0xc0, 0, 11, 8, 0, 16, 0, 24, 1, 1, 0x11, 0, 0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0, 0, 0xff, 0xd9};
int main()
{
    nvjpegHandle_t h = nullptr;
    nvjpegJpegState_t s = nullptr;
    nvjpegImage_t image = {{(unsigned char *)16}, {24}};
    nvjpegChromaSubsampling_t css;
    int n = 0, w[4] = {}, t[4] = {};
    int made = nvjpegCreateSimple(&h), padding = nvjpegSetDeviceMemoryPadding(77, h), gone = nvjpegGetImageInfo(h, grey, sizeof grey, &n, &css, w, t);
    printf("%d %d %d", made, padding, gone);
    if (gone == 0 && nvjpegJpegStateCreate(h, &s) == 0) {
        printf(" %d %dx%d %d", n, w[0], t[0], (int)nvjpegDecode(h, s, grey, sizeof grey, NVJPEG_OUTPUT_Y, &image, 0));
        nvjpegJpegStateDestroy(s);
        nvjpegDestroy(h);
    }
    printf("\n");
}
END
"$cc" -shared -fPIC -Wl,-soname,libnvjpeg.so.13 vendor.c -o vendor/libnvjpeg.so.13
"$nvcc" program.cpp -lnvjpeg -o program
sdk=$(dirname "$nvcc")/../lib64
. "$here/../library_forward.sh"
check cpu '0 0 0 1 24x16' env HEDDLE_DEVICE=cpu ./program
# A function that the vendor's library has not: the status says it, and the message names it.
check vendor '0 15 1' env LD_LIBRARY_PATH="$fake:$sdk:$PWD/vendor" ./program
check names 'libnvjpeg.so.13 has no function nvjpegGetImageInfo' env LD_LIBRARY_PATH="$fake:$sdk:$PWD/vendor" ./program
# A codec that has no functions is none.
for soname in libjpeg.so.62 libjpeg.so.8; do
    printf 'int nothing;\n' | "$cc" -shared -fPIC -Wl,-soname,$soname -x c - -o empty/$soname
done
check codec '0 0 0 1 24x16 9' env HEDDLE_DEVICE=cpu LD_LIBRARY_PATH="$PWD/empty" ./program
check message 'heddle: nvJPEG: ' env HEDDLE_DEVICE=cpu LD_LIBRARY_PATH="$PWD/empty" ./program
summary
