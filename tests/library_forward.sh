# shellcheck shell=sh
# SPDX-License-Identifier: Apache-2.0
# What the scripts forward.sh of the libraries' tests share; each sources it, and ends with `summary`.
passed=0 failed=0
check() { # NAME WANTED COMMAND...
    name=$1 wanted=$2
    shift 2
    text=$("$@" 2>&1) || true
    if printf '%s' "$text" | grep -qF "$wanted"; then passed=$((passed + 1)); else
        failed=$((failed + 1))
        echo "FAIL $name: $text"
    fi
}
unset LD_LIBRARY_PATH HEDDLE_DEVICE CUDA_PATH CUDA_HOME
summary() {
    echo "$passed passed, $failed failed"
    [ "$failed" = 0 ]
}
