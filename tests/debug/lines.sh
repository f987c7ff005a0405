#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# lines.sh NVCC FOLDER OUT: a fault names kernel, block, the thread or its gang, and the source line: with -lineinfo and with
# -G, at every width; so does a kernel whose time is up. A bad address is told with the allocation that is near it, endless
# recursion as what it is, all of it unasked; HEDDLE_LOG=off says nothing.
set -eu
nvcc=$1 here=$2 out=$3 failed=0
export HEDDLE_CACHE=0
for option in -lineinfo -G; do
    "$nvcc" $option "$here/faults.cu" -o "$out/faults"
    for kind in address trap assert recursive forever tile; do
        line=$(grep -n "MARK $kind" "$here/faults.cu" | cut -d: -f1)
        limit=
        [ $kind != forever ] || limit=1
        for width in 1 8 32; do
            HEDDLE_LOG=warn HEDDLE_DUMP=verify HEDDLE_LAUNCH_TIMEOUT=$limit HEDDLE_WIDTH=$width "$out/faults" $kind > "$out/faults.txt" 2>&1 || {
                echo "$option $kind $width: no fault"
                failed=1
            }
            first=$((37 / width * width))
            gang="threads ($first,0,0) to ($((first + width - 1)),0,0)"
            [ $width != 1 ] || gang='thread (37,0,0)'
            case $kind in
            tile) wanted="in block (1,0,0), thread.* at $here/faults.cu:$line: a null pointer\$" ;;
            address) wanted="in block (1,0,0), $gang at $here/faults.cu:$line: a null pointer\$" ;;
            forever) wanted="launch timeout, HEDDLE_LAUNCH_TIMEOUT=1, in block (1,0,0), $gang at $here/faults.cu:$line\$" ;;
            *) wanted="in block (1,0,0), thread (37,0,0) at $here/faults.cu:$line\$" ;;
            esac
            grep -q "kernel '_Z[0-9]*[a-z]*P.*'.*$wanted" "$out/faults.txt" || {
                echo "$option $kind, width $width: no line with '$wanted' in"
                cat "$out/faults.txt"
                failed=1
            }
        done
    done
done
"$nvcc" "$here/faults.cu" -o "$out/faults"
"$out/faults" trap 2> "$out/faults.txt"
grep -q "in block (1,0,0), thread (37,0,0)\$" "$out/faults.txt" || { echo "without lines:"; cat "$out/faults.txt"; failed=1; }
# expect KIND PATTERN: the one line of stderr
expect() {
    "$out/faults" "$1" 2> "$out/faults.txt"
    [ "$(wc -l < "$out/faults.txt")" = 1 ] && grep -Eq "$2" "$out/faults.txt" || { echo "$1: not one line with '$2':"; cat "$out/faults.txt"; failed=1; }
}
expect behind "heddle: error: kernel '_Z6faultsPii': access to an illegal address 0x[0-9a-f]+ in block \(1,0,0\): 0 bytes behind the end of the allocation of 8192 bytes at 0x[0-9a-f]+\$"
expect before "illegal address 0x[0-9a-f]+ in block \(1,0,0\).*: [0-9]+ bytes (before|behind the end of) the allocation of [0-9]+ bytes at 0x"
expect shared "illegal address 0x[0-9a-f]+ in block \(1,0,0\): 0 bytes behind the end of the block's shared memory of 256 bytes\$"
expect misaligned "misaligned access to 0x[0-9a-f]+2 in block \(1,0,0\), thread \(37,0,0\): 2 bytes inside the allocation of 8192 bytes at 0x[0-9a-f]+\$"
expect loop "misaligned access (to 0x[0-9a-f]+4c|near 0x[0-9a-f]+14) in block \(1,0,0\), thread \(37,0,0\)"
expect endless "stack overflow in block \(1,0,0\)\$"
expect large "stack overflow in block \(1,0,0\)\$"
expect assert "faults.cu:[0-9]+: .*: block: \[1,0,0\], thread: \[37,0,0\] Assertion .* failed.\$"
for kind in address assert; do
    HEDDLE_LOG=off "$out/faults" $kind 2> "$out/faults.txt"
    grep -q heddle "$out/faults.txt" && { echo "HEDDLE_LOG=off:"; cat "$out/faults.txt"; failed=1; }
done
exit $failed
