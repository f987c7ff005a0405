# SPDX-License-Identifier: Apache-2.0
# tidy.sh SOURCE BUILD: clang-tidy 22 finds nothing in src by the checks of .clang-tidy. (Not in src/devmath, which is compiled for two
# machines from macros.) Other versions have other checks.
. "$(dirname "$0")/files.sh"
for tool in clang-tidy-22 clang-tidy; do
    case $("$tool" --version 2>/dev/null) in *'version 22.'*) break ;; esac
    tool=
done
[ -n "$tool" ] || {
    echo "skipped: clang-tidy 22 is not installed"
    exit 77
}
[ -f "$2/compile_commands.json" ] || {
    echo "skipped: this generator writes no compile_commands.json"
    exit 77
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
sed -n 's|^ *"file": "\(.*/src/.*\.c\)",\{0,1\}$|\1|p' "$2/compile_commands.json" | grep -v /devmath/ | sort -u >"$work/files"
[ "$(wc -l <"$work/files")" -gt 300 ] || {
    echo "compile_commands.json names few files"
    exit 1
}
failed=0
xargs -n 40 -P "$(nproc)" "$tool" -p "$2" --quiet <"$work/files" >"$work/found" 2>"$work/log" || failed=1
cat "$work/found"
grep -E '^Error|error: ' "$work/log"

# What it is for is found.
printf 'int f(int a)\n{\n    if (a);\n        return 1;\n    return 0;\n}\n' >"$work/bad.c"
"$tool" --config-file=.clang-tidy --quiet "$work/bad.c" -- >/dev/null 2>&1 && {
    echo "a condition without effect is not found"
    failed=1
}
exit $failed
