# SPDX-License-Identifier: Apache-2.0
# pages.sh SOURCE: the pages that are written from tables of the JIT are as the tools in tools/ write them.
. "$(dirname "$0")/files.sh"
command -v cc > /dev/null || {
    echo "skipped: no cc"
    exit 77
}
dir=$(mktemp -d)
failed=0
for page in passes dialect tuning; do
    cc -Isrc tools/jit_$page.c -o "$dir/tool" && "$dir/tool" "$dir/$page.md" && diff -u docs/jit/$page.md "$dir/$page.md" || {
        echo "docs/jit/$page.md: ninja jit_$page writes it"
        failed=1
    }
done
rm -r "$dir"
exit $failed
