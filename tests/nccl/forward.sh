#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# forward.sh NVCC CC FAKE FOLDER: with a vendor's driver (the fake one) calls go to the vendor's library of the same name.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
nvcc=$1 cc=$2 fake=$3
mkdir -p "$4/vendor"
cd "$4"
cat > vendor.c << 'END'
typedef struct { char internal[128]; } id;
int ncclGetUniqueId(id *x) { x->internal[5] = 42; return 0; }
int ncclCommInitRank(void **comm, int n, id x, int rank) { *comm = (void *)0x7700; return n == 3 && x.internal[5] == 42 && rank == 1 ? 0 : 3; }
const char *ncclGetErrorString(int r) { return r == 5 ? "vendor" : "?"; }
END
cat > program.cu << 'END'
#include <cstdio>
#include <nccl.h>
int main()
{
    ncclUniqueId id;
    ncclComm_t c = nullptr;
    int got = ncclGetUniqueId(&id), made = ncclCommInitRank(&c, 3, id, 1), gone = ncclCommDestroy(c);
    printf("%d %d %d %d %s\n", got, made, gone, c == (ncclComm_t)0x7700, ncclGetErrorString(ncclInvalidUsage));
}
END
"$cc" -shared -fPIC -Wl,-soname,libnccl.so.2 vendor.c -o vendor/libnccl.so.2
"$nvcc" program.cu -lnccl -o program
sdk=$(dirname "$nvcc")/../lib64
. "$here/../library_forward.sh"
check vendor '0 0 2 1 vendor' env LD_LIBRARY_PATH="$fake:$sdk:$PWD/vendor" ./program
check names 'libnccl.so.2 has no function ncclCommDestroy' env LD_LIBRARY_PATH="$fake:$sdk:$PWD/vendor" ./program
summary
