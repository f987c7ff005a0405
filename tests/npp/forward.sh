#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# forward.sh NVCC CC FAKE FOLDER: with a vendor's driver (the fake one) calls go to the vendor's library of the same name, with a context and without.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
nvcc=$1 cc=$2 fake=$3
mkdir -p "$4/vendor"
cd "$4"
cat > vendor.c << 'END'
struct size { int width, height; };
struct context { void *stream; int a[4]; unsigned long b; int c[4]; };
int nppiAbs_16s_C1R_Ctx(const short *s, int ss, short *d, int ds, struct size r, struct context c) { return s && d && ss == 8 && ds == 16 && r.width == 4 && c.stream == 0 ? 35 : -2; }
END
cat > program.cpp << 'END'
#define HEDDLE_NPP_PLAIN_NAMES
#include <cstdio>
#include <npp.h>
int main()
{
    NppStreamContext c = {};
    Npp16s *s = (Npp16s *)16;
    NppiSize none = {4, 0};
    int with = nppiAbs_16s_C1R_Ctx(s, 8, s, 16, none, c), plain = nppiAbs_16s_C1R(s, 8, s, 16, none);
    printf("%d %d %d\n", with, plain, (int)nppiAbs_16s_C3R_Ctx(s, 8, s, 16, none, c));
}
END
"$cc" -shared -fPIC -Wl,-soname,libnppial.so.13 vendor.c -o vendor/libnppial.so.13
"$nvcc" program.cpp -lnppial -lnppc -o program
sdk=$(dirname "$nvcc")/../lib64
. "$here/../library_forward.sh"
check cpu '0 0 0' env HEDDLE_DEVICE=cpu ./program
check vendor '35 35 -9999' env LD_LIBRARY_PATH="$fake:$sdk:$PWD/vendor" ./program
check names 'libnppial.so.13 has no function nppiAbs_16s_C3R_Ctx' env LD_LIBRARY_PATH="$fake:$sdk:$PWD/vendor" ./program
summary
