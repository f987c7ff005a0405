# SPDX-License-Identifier: Apache-2.0
# What the scripts here share: counting checks in a folder of their own that goes away at the end.
nvcc=$1
here=$2
passed=0
failed=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM HUP
export TMPDIR="$work/tmp"
mkdir "$TMPDIR"
cd "$work" || exit 1

ok() { # NAME COMMAND...: it must succeed
    check=$1
    shift
    if "$@" >"$work/.log" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED $check: $*"
        head -n 5 "$work/.log"
    fi
}
fails() { # NAME TEXT COMMAND...: it must fail, with TEXT in its one message
    check=$1
    text=$2
    shift 2
    if "$@" >"$work/.log" 2>&1; then
        failed=$((failed + 1))
        echo "FAILED $check: no error from $*"
    elif ! grep -q -e "$text" "$work/.log"; then
        failed=$((failed + 1))
        echo "FAILED $check: no '$text' in:"
        head -n 5 "$work/.log"
    else
        passed=$((passed + 1))
    fi
}
says() { # NAME TEXT COMMAND...: it succeeds and prints TEXT
    check=$1
    text=$2
    shift 2
    if "$@" >"$work/.log" 2>&1 && grep -q -e "$text" "$work/.log"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED $check: no '$text' from $*"
        head -n 5 "$work/.log"
    fi
}
clean() { # NAME: nothing is left in the temporary folder
    if [ -z "$(ls -A "$TMPDIR")" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED $1: left behind: $(ls -A "$TMPDIR")"
        rm -rf "$TMPDIR"/*
    fi
}
finish() {
    echo "$passed passed, $failed failed"
    [ "$failed" = 0 ] && [ "$passed" != 0 ]
}
