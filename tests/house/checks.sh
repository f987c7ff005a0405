# SPDX-License-Identifier: Apache-2.0
# checks.sh SOURCE: no test without a check. What a reader of the text can tell: a PTX test compares a buffer or is refused; a
# program with a main has a way to fail; a script has one too. The frameworks themselves (unit/test.h, cu/check.h, nvcc/check.sh, ptx/run.c)
# count what was checked when a test runs, and nothing is a failure.
. "$(dirname "$0")/files.sh"
failed=0
# Programs whose answer is judged by the script that runs them, and sources that only have to compile.
elsewhere='^tests/(nvcc/compile/|build/|bits/bits\.cu$|debug/step\.cu$|api/layout\.c$|texture/record\.cu$)'
fails_c='CHECK|WANT|EXPECT|REQUIRE|DONE\(\)|abort\(|exit\((1|2|EXIT_FAILURE)|return 1;|return [^;]*(!=|==|\?|!|failed|failures|errors|bad|wrong|status)'
fails_sh='finish|failed|exit 1|set -eu?|&& "\$'

# unchecked FILE: it has no check
unchecked() {
    case $1 in
    *.ptx) ! grep -q -E '^// (expect|fails): ' "$1" ;;
    *.sh) ! grep -q -E -e "$fails_sh" "$1" ;;
    *) grep -q -E '\bmain\(' "$1" && ! grep -q -E -e "$fails_c" "$1" ;;
    esac
}
for f in $(files 'tests/*.c' 'tests/*.cu' 'tests/*.cpp' 'tests/*.sh' 'tests/ptx/*.ptx' | grep -v -E "$elsewhere|/files\.sh$"); do
    if unchecked "$f"; then
        echo "$f: checks nothing"
        failed=1
    fi
done

# What this test is for is found, and so is a program that checks nothing when it runs.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
printf 'int main(void)\n{\n    f();\n    return 0;\n}\n' >"$work/empty.c"
printf '// launch: grid 1 block 1\n.version 8.0\n' >"$work/empty.ptx"
printf 'echo "no test"\n' >"$work/empty.sh"
printf '#include "unit/test.h"\nint main(void)\n{\n    return test_summary();\n}\n' >"$work/none.c"
for f in empty.c empty.ptx empty.sh; do
    unchecked "$work/$f" || {
        echo "$f is taken for a test"
        failed=1
    }
done
if command -v cc >/dev/null; then
    cc -I tests "$work/none.c" -o "$work/none" || failed=1
    ! "$work/none" >/dev/null || {
        echo "a program without a check passes"
        failed=1
    }
fi
exit $failed
