# SPDX-License-Identifier: Apache-2.0
# levels.sh SOURCE BUILD: files that call setjmp or getcontext compile without a warning at every level of optimisation: which of their
# variables gcc takes for lost (-Wclobbered) hangs on what it inlines, and ./dev coverage compiles at another level than ./dev build.
. "$(dirname "$0")/files.sh"
[ -f "$2/compile_commands.json" ] || {
    echo "skipped: this generator writes no compile_commands.json"
    exit 77
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0

# compile LEVEL COMMAND...: the build's own command, at another level
compile() {
    level=$1
    shift
    (cd "$work" && eval "$(echo "$*" | sed "s| -o [^ ]* -c | -O$level -S -o $work/out.s |")") >"$work/said" 2>&1
}

for f in $(files 'src/*.c' | xargs grep -l -E '\b(sig)?setjmp\(|\bgetcontext\('); do
    command=$(sed -n "s|^ *\"command\": \"\(.* -c [^ ]*/$f\)\",\{0,1\}\$|\1|p" "$2/compile_commands.json" | sed 's|\\"|"|g' | head -n 1)
    [ -n "$command" ] || continue # for another machine, or of a library that is not here
    for level in 0 1 2 3 s; do
        if compile "$level" "$command"; then
            passed=$((passed + 1))
        else
            echo "$f at -O$level:"
            cat "$work/said"
            failed=$((failed + 1))
        fi
    done
done

# What it is for is found, by the compiler that has this warning.
cat >"$work/lost.c" <<'EOF'
#include <setjmp.h>
extern jmp_buf here;
extern int next(int);
int f(int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++) {
        if (setjmp(here))
            break;
        sum += next(i);
    }
    return sum;
}
EOF
case ${command:-cc} in
*clang*) ;;
*) ! compile 2 "${command%% *} -Wall -Wextra -Werror -o x -c $work/lost.c" || { echo "a variable that is lost is not found" && failed=$((failed + 1)); } ;;
esac
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -ge 30 ]
