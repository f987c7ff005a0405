# SPDX-License-Identifier: Apache-2.0
# pages.sh SOURCE: the pages that are written from tables are as the tools in tools/ write them. (api/coverage, guide/coverage and
# nvcc/options compare the other three.)
. "$(dirname "$0")/files.sh"
command -v cc > /dev/null || {
    echo "skipped: no cc"
    exit 77
}
dir=$(mktemp -d)
failed=0
# full TOOL ARGUMENT...: it says that it failed where nothing can be written; a file that it is given, or its output
full() {
    [ ! -c /dev/full ] || ! "$@" >/dev/full 2>/dev/null || {
        echo "$*: a page that is not written goes unnoticed"
        failed=1
    }
}
for page in passes dialect tuning machines; do
    sources=$([ $page != passes ] || (cd src/jit && files '*.c' 'analysis/*.h'))
    cc -Isrc tools/jit_$page.c -o "$dir/tool" && (cd src/jit && "$dir/tool" "$dir/$page.md" $sources 2>"$dir/said") && diff -u docs/jit/$page.md "$dir/$page.md" || {
        echo "docs/jit/$page.md: ninja -C build pages writes it"
        failed=1
    }
    [ ! -s "$dir/said" ] || {
        cat "$dir/said"
        failed=1
    }
    full sh -c 'cd src/jit && exec "$@"' sh "$dir/tool" /dev/full $sources
done
# generated PAGE: docs/generated/PAGE is what stands in $dir/page
generated() {
    diff -u "docs/generated/$1" "$dir/page" || {
        echo "docs/generated/$1: ninja -C build pages writes it"
        failed=1
    }
}
cc -Isrc tools/ptxgen.c -o "$dir/tool" && "$dir/tool" docs src/jit/translate/emit.def src/jit/translate/reach/lack.def > "$dir/page"
generated ptx-coverage.md
full "$dir/tool" docs
full "$dir/tool" enums
full "$dir/tool" forms
cc -Isrc tools/driver_coverage.c -o "$dir/tool" && "$dir/tool" "$dir/page"
generated driver-coverage.md
full "$dir/tool" /dev/full
full "$dir/tool"
cc -Isrc tools/runtime_coverage.c -o "$dir/tool" && full "$dir/tool"
cc -Isrc tools/library_coverage.c -o "$dir/tool" && for library in cublas cublaslt cufft cusparse cusolver curand nvjitlink nvptxcompiler nvfatbin nvml cupti nccl nvjpeg; do
    "$dir/tool" $library > "$dir/page"
    generated $library-coverage.md
    full "$dir/tool" $library
done
cc -Isrc tools/environment_page.c -o "$dir/tool" && "$dir/tool" > "$dir/page"
generated environment.md
full "$dir/tool"
cc -Isrc tools/npp_table.c -o "$dir/tool" && "$dir/tool" page > "$dir/page"
generated npp-coverage.md
full "$dir/tool" page
full "$dir/tool" stubs nppial
cc -Isrc tools/api_headers.c -o "$dir/tool" && mkdir "$dir/headers" && ln -s /dev/full "$dir/headers/cudaTypedefs.h" && full "$dir/tool" "$dir/headers"
rm -r "$dir"
exit $failed
