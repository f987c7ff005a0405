# SPDX-License-Identifier: Apache-2.0
# format.sh SOURCE: every C, C++ and CUDA file is as clang-format 22 writes it. Other versions write some of them in another way.
. "$(dirname "$0")/files.sh"
for tool in clang-format-22 clang-format; do
    case $("$tool" --version 2>/dev/null) in *'version 22.'*) break ;; esac
    tool=
done
[ -n "$tool" ] || {
    echo "skipped: clang-format 22 is not installed"
    exit 77
}
failed=0
files '*.c' '*.h' '*.cu' '*.cuh' '*.cpp' '*.hpp' '*.cl' | xargs -n 40 -P "$(nproc)" "$tool" --dry-run --Werror --ferror-limit=1 || failed=1
# Headers without an extension.
for f in $(files include | grep -v '\.[a-z]*$'); do
    "$tool" --assume-filename=header.hpp <"$f" | cmp -s - "$f" || {
        echo "$f: not formatted"
        failed=1
    }
done
exit $failed
