#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# smi.sh NVIDIA-SMI CC FAKE FOLDER: nvidia-smi's forms of output, its errors, and calls that go to a vendor's library where the driver is a
# vendor's (the fake one).
smi=$1 cc=$2 fake=$3
mkdir -p "$4/vendor" && cd "$4" || exit 1
passed=0 failed=0
check() { # NAME WANTED COMMAND...: the output, or the status, matches the pattern
    name=$1 wanted=$2
    shift 2
    text=$("$@" 2>&1; echo "status $?")
    if printf '%s' "$text" | grep -qE -e "$wanted"; then passed=$((passed + 1)); else
        failed=$((failed + 1))
        echo "FAIL $name: $text"
    fi
}
unset LD_LIBRARY_PATH CUDA_VISIBLE_DEVICES CUDA_PATH CUDA_HOME
export HEDDLE_DEVICE=cpu HEDDLE_DEVICES=2
check list '^GPU 0: .+ \(UUID: GPU-[0-9a-f-]{36}\)$' "$smi" -L
check second '^GPU 1: ' "$smi" --list-gpus
check table 'CUDA Version: 13\.0' "$smi"
check header '^index, memory.total \[MiB\]$' "$smi" --query-gpu=index,memory.total --format=csv
check units '^1, [0-9]+ MiB$' "$smi" --query-gpu=index,memory.total --format=csv,noheader
check plain '^0, [0-9]+$' "$smi" --query-gpu index,memory.total --format csv,noheader,nounits
check one '^1$' "$smi" -i 1 --query-gpu=index --format=csv,noheader
check only 'status 0' sh -c "[ \$('$smi' -i 1 --query-gpu=index --format=csv,noheader | wc -l) = 1 ]"
check uuid '^1$' sh -c "'$smi' -i \$('$smi' -i 1 --query-gpu=uuid --format=csv,noheader) --query-gpu=index --format=csv,noheader"
check nothing '^\[N/A\]$' "$smi" -i 0 --query-gpu=fan.speed --format=csv,noheader
check fields 'status 0' sh -c "'$smi' --query-gpu=\$('$smi' --help-query-gpu | sed 's/\"\([^\"]*\)\".*/\1/' | paste -sd, -) --format=csv"
check field 'not a valid field' "$smi" --query-gpu=nonsense --format=csv
check empty_field 'status 2' "$smi" --query-gpu=,index --format=csv
check format 'format' "$smi" --query-gpu=index
check bad_format 'status 2' "$smi" --query-gpu=index --format=xml
check option 'status 2' "$smi" --nonsense
check device 'status 6' "$smi" -i 7 -L
check help '--query-gpu' "$smi" --help
check version '^CUDA Version        : 13\.0$' "$smi" --version
check full 'status 1' sh -c "[ ! -c /dev/full ] && exit 1; '$smi' -L >/dev/full"
cat >vendor.c <<'END'
#include <string.h>
int nvmlInit_v2(void) { return 0; }
int nvmlShutdown(void) { return 0; }
int nvmlDeviceGetCount_v2(unsigned *n) { *n = 1; return 0; }
int nvmlDeviceGetHandleByIndex_v2(unsigned i, void **d) { *d = (void *)0x7700; return i; }
int nvmlDeviceGetIndex(void *d, unsigned *n) { *n = 5; return d != (void *)0x7700; }
int nvmlDeviceGetName(void *d, char *name, unsigned n) { strncpy(name, "the vendor's", n); return d != (void *)0x7700; }
END
"$cc" -shared -fPIC -Wl,-soname,libnvidia-ml.so.1 vendor.c -o vendor/libnvidia-ml.so.1 || exit 1
unset HEDDLE_DEVICE
sdk=$(dirname "$smi")/../lib64
check vendor "^5, the vendor's$" env LD_LIBRARY_PATH="$fake:$sdk:$PWD/vendor" "$smi" --query-gpu=index,name --format=csv,noheader
check lacks 'has no function nvmlDeviceGetUUID' env LD_LIBRARY_PATH="$fake:$sdk:$PWD/vendor" "$smi" -L
echo "$passed passed, $failed failed"
[ $failed = 0 ]
