#!/bin/sh
# lines.sh NVCC FOLDER OUT: a fault names kernel, block, where known the thread, and the source line: with -lineinfo and with
# -G, at every width.
set -eu
nvcc=$1 here=$2 out=$3 failed=0
export HEDDLE_LOG=error HEDDLE_CACHE=0
for option in -lineinfo -G; do
    "$nvcc" $option "$here/faults.cu" -o "$out/faults"
    for kind in address trap assert recursive; do
        line=$(grep -n "MARK $kind" "$here/faults.cu" | cut -d: -f1)
        for width in 1 8 32; do
            HEDDLE_DUMP=verify HEDDLE_WIDTH=$width "$out/faults" $kind > "$out/faults.txt" 2>&1 || {
                echo "$option $kind $width: no fault"
                failed=1
            }
            wanted="in block (1,0,0).* at $here/faults.cu:$line\$"
            [ $kind = address ] || wanted="in block (1,0,0), thread (37,0,0) at $here/faults.cu:$line\$"
            grep -q "kernel '_Z6faultsPii'.*$wanted" "$out/faults.txt" || {
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
exit $failed
