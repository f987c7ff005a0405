# SPDX-License-Identifier: Apache-2.0
# names.sh SOURCE: the JIT asks src/jit/ir/dialect.def which operation a call is; nothing else compares or looks up names heddle.*.
. "$(dirname "$0")/files.sh"
asks='(str[a-z_]*|memcmp|LLVMGetNamedFunction|LLVMAddFunction)\([^;]*"heddle\.'
made='"heddle\.(block|gang|interleaved|merge\.address)"' # functions that are made, not operations
echo 'x(strcmp(n, "heddle.tid.x"))' | grep -qE "$asks" || exit 1
found=$(files src/jit tests/unit | grep '\.[ch]$' | grep -v -E '^(src/jit/ir|tests/unit/jit)/dialect\.c$' | xargs grep -nE "$asks" | grep -vE "$made")
[ -z "$found" ] || {
    echo "$found"
    exit 1
}
