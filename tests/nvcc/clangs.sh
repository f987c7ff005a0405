# SPDX-License-Identifier: Apache-2.0
# clangs.sh NVCC FOLDER OLDEST: each clang here that nvcc may compile with, OLDEST to 22, links the bitcode of the device math library, without a word. nvcc takes the
# one it was built with, and another one where a package was installed without that.
. "$2/check.sh"
library=$(dirname "$(dirname "$nvcc")")/nvvm/libdevice/devmath.bc
tried=0
echo 'float __nv_sinf(float); float k(float p) { return __nv_sinf(p); }' >k.c
links() { # CLANG LIBRARY
    "$1" -cc1 -triple nvptx64-nvidia-cuda -target-cpu sm_75 -mlink-builtin-bitcode "$2" -Wno-linker-warnings -emit-llvm k.c -o k.ll
}
for version in 19 20 21 22; do
    [ "$version" -ge "$3" ] && command -v "clang-$version" >/dev/null || continue
    tried=$((tried + 1))
    ok "clang-$version" links "clang-$version" "$library"
    ok "clang-$version, the function" sh -c 'grep -q "^define.*@k(" k.ll && ! grep "^declare.*@__nv_sinf(" k.ll'
    ok "clang-$version, without a word" [ -z "$(links "clang-$version" "$library" 2>&1)" ]
    sed 's/./X/4' "$library" >broken.bc
    fails "clang-$version, a damaged file" error links "clang-$version" broken.bc
done
ok 'there is such a clang' [ $tried -gt 0 ]
finish
