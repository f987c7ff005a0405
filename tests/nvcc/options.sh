#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every option: the page that lists them is true, each is accepted or refused as it says, and where NVIDIA's toolkit is installed,
# each option of its compiler is known here under the same names.
. "$2/check.sh"
page=$3
written=$4
oracle=/usr/local/cuda/bin/nvcc

ok page cmp "$page" "$written"
echo 'int f(void) { return 1; }' >x.cpp
echo '__global__ void k() { }' >x.cu

# long|short|value|status of each row of the page.
sed -n 's/^| `--\([^`]*\)` | `\{0,1\}-\{0,1\}\([^`|]*\)`\{0,1\} *| \([^|]*\) | \([^|]*\) |.*/\1|\2|\3|\4/p' "$page" |
    sed 's/ *| */|/g' >rows
ok rows test "$(wc -l <rows)" -gt 140

# Refused options are refused under both names, with the name; the others are taken. Nothing is run for it.
while IFS='|' read -r long short value status; do
    argument=
    source=x.cpp
    case $value in
    '') ;;
    'true|false' | 'true, false') argument='=false' ;;
    option,... | value | value,...) argument='=1' ;;
    *) argument="=${value%%,*}" ;;
    esac
    case $long in
    gpu-architecture) argument='=sm_80' ;;
    gpu-code) argument='=sm_80 -arch=compute_80' ;;
    generate-code) argument='=arch=compute_80,code=sm_80' ;;
    target-directory) argument="=$(cc -dumpmachine | sed 's/aarch64/sbsa/; s/-.*//')-linux" ;;
    options-file) echo >1 ;;
    ptx | cubin | fatbin) source=x.cu ;;
    dependency-output) argument='=1 -M' ;;
    source-in-ptx) argument=' -lineinfo' ;;
    compiler-bindir) argument='=cc' ;;
    ptxas-options) argument='=-v' ;;
    esac
    for name in "--$long" "-$short"; do
        [ "$name" = - ] && continue
        if [ "$status" = refused ]; then
            fails "refused $name" "option '$name' is not supported: " "$nvcc" $name$argument -dryrun -c x.cpp
        elif [ "$long" != run ] && [ "$long" != device-emulation ]; then
            ok "taken $name" "$nvcc" $name$argument -dryrun "$source"
        fi
    done
done <rows
fails unknown "unknown option '--no-such-option'" "$nvcc" --no-such-option x.cpp
ok long_with_one_dash "$nvcc" -output-file=x -dryrun x.cpp
fails unknown_long "unknown option '--o=x'" "$nvcc" --o=x x.cpp

if [ -x "$oracle" ]; then
    "$oracle" --help | sed -n 's/^--\([A-Za-z0-9_+-]*\).*(-\([^)]*\)).*/\1|\2/p; s/^--\(no-align-double\) .*/\1|/p' | sort >theirs
    cut -d'|' -f1,2 rows | sort >ours
    comm -23 theirs ours >unknown
    ok oracle_listed test "$(wc -l <theirs)" -gt 140
    ok "oracle_unknown: $(tr '\n' ' ' <unknown)" test ! -s unknown
else
    echo "NVIDIA's nvcc is not installed: names not compared"
fi
clean options
finish
