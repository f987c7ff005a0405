#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# oracle.sh SDK CUDA CC FOLDER SOURCE: NVIDIA's header and ours declare the same functions with the same types and values, and its library
# exports no name that ours has not, but for those that src/nccl/absent.def names.
set -eu
sdk=$1 cuda=$2 cc=$3 source=$5
cd "$4"
version() { awk '$2 == "NCCL_VERSION_CODE" { print $3 }' "$1/include/nccl.h"; }
if [ "$(version "$cuda")" != "$(version "$sdk")" ]; then
    echo "another version of NCCL: nothing to compare with"
    exit 0
fi
printf '#include "%s/include/nccl.h"\n#include "%s/include/heddle/nccl/functions.h"\n' "$cuda" "$sdk" > both.c
"$cc" -std=gnu17 -fsyntax-only -isystem "$cuda/include" both.c
# Enumerators and macros of NVIDIA's, and the layouts of its structures, have the same values.
{
    grep -oE '\bnccl[A-Za-z0-9_]+ += +[0-9]+' "$cuda/include/nccl.h" | sed 's/ *= */ /' | grep -v '^ncclMaxRedOp'
    grep -oE '^#define NCCL_[A-Z_]+ +(0x)?-?[0-9a-fA-F]+\b' "$cuda/include/nccl.h" | awk '{print $2, $3}'
} | sort -u > values.txt
{
    echo '#include <stddef.h>'
    echo '#include <nccl.h>'
    echo '_Static_assert(ncclMaxRedOp == 0x7fffffff, "ncclMaxRedOp");'
    sed 's/\(.*\) \(.*\)/_Static_assert((long)(\1) == \2, "\1");/' values.txt
} > values.c
"$cc" -std=gnu17 -fsyntax-only -I "$sdk/include" values.c
fields='blocking cgaClusterSize minCTAs maxCTAs netName splitShare trafficClass commName collnetEnable CTAPolicy shrinkShare nvlsCTAs nChannelsPerNetPeer nvlinkCentricSched'
{
    printf '#include <nccl.h>\n#include <stddef.h>\n#include <stdio.h>\nint main(void) {\n ncclConfig_t c = NCCL_CONFIG_INITIALIZER; ncclSimInfo_t s = NCCL_SIM_INFO_INITIALIZER;\n'
    echo ' printf("%zu %x %u %zu %x %u %f %zu ", c.size, c.magic, c.version, s.size, s.magic, s.version, (double)s.estimatedTime, sizeof(ncclUniqueId));'
    for f in $fields; do echo " printf(\"%zu \", offsetof(ncclConfig_t, $f));"; done
    echo '}'
} > layout.c
"$cc" -std=gnu17 -I "$sdk/include" layout.c -o layout_ours
"$cc" -std=gnu17 -isystem "$cuda/include" layout.c -o layout_theirs
[ "$(./layout_ours)" = "$(./layout_theirs)" ] || { echo "layouts differ"; exit 1; }
names() { nm -D --defined-only "$1" | awk '{print $3}' | sed 's/@.*//' | grep -E '^p?nccl' | sort -u; }
library=$(ls "$cuda/lib64/libnccl.so.2" "$cuda/lib/libnccl.so.2" 2> /dev/null | head -1)
if [ -n "$library" ]; then
    names "$library" > theirs.txt
    names "$sdk/lib64/libnccl.so.2" > ours.txt
    grep -oE 'nccl[A-Za-z0-9]+' "$source/src/nccl/absent.def" | sort -u > absent.txt
    missing=$(comm -23 theirs.txt ours.txt | sed 's/^pnccl/nccl/' | sort -u | comm -23 - absent.txt)
    [ -z "$missing" ] || { echo "missing: $missing"; exit 1; }
fi
echo "$(wc -l < values.txt) values agree: 1 passed, 0 failed"
