#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# one_driver.sh SOURCE NVCC FAKE FOLDER: runtime and driver are one in a program that links -lcuda, where the loader finds a vendor's
# libcuda.so.1 (the fake one, which has a device) and where it finds none; in a shared library too, which shows nothing of it.
set -eu
source=$1 nvcc=$2 fake=$3
mkdir -p "$4"
cd "$4"
passed=0 failed=0
check() { # NAME WANTED COMMAND...
    name=$1 wanted=$2
    shift 2
    if text=$("$@" 2>&1) && printf '%s' "$text" | grep -qE "$wanted"; then passed=$((passed + 1)); else
        failed=$((failed + 1))
        echo "FAIL $name: $text"
    fi
}
unset LD_LIBRARY_PATH HEDDLE_DEVICE
for cudart in static shared; do
    "$nvcc" -cudart $cudart -L"$fake" "$source" -o one_$cudart -lcuda
    check $cudart-none '[^0]' env HEDDLE_DEVICE=cpu ./one_$cudart
    check $cudart-cpu '^[^f]' env HEDDLE_DEVICE=cpu LD_LIBRARY_PATH="$fake" ./one_$cudart
    check $cudart-vendor '^fake 0$' env LD_LIBRARY_PATH="$fake" ./one_$cudart
    check $cudart-gpu '^fake 0$' env HEDDLE_DEVICE=gpu LD_LIBRARY_PATH="$fake" ./one_$cudart
    check $cudart-unlinked '^0$' sh -c "readelf -d one_$cudart | grep -c 'libcuda[.]so' || true"
done
# The same from a library that a program opens, and what it shows.
sed 's/int main()/extern "C" int one()/' "$source" > library.cu
"$nvcc" -shared -Xcompiler -fPIC library.cu -o libone.so -lcuda
printf 'extern "C" int one();\nint main() { return one(); }\n' > main.cpp
"$nvcc" main.cpp -o main -L. -lone -Xlinker -rpath -Xlinker "$PWD"
check library-cpu '^[^f]' env HEDDLE_DEVICE=cpu LD_LIBRARY_PATH="$fake" ./main
check library-vendor '^fake 0$' env LD_LIBRARY_PATH="$fake" ./main
check library-hidden '^0$' sh -c "nm -D --defined-only libone.so | grep -c ' cu[A-Z]' || true"
echo "$passed passed, $failed failed"
[ $failed = 0 ]
