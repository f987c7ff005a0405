#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# spelling.sh SOURCE: codespell finds no word misspelt in the pages, nor in what programs say. Without codespell it is skipped (77).
cd "$1" || exit 1
command -v codespell >/dev/null || exit 77
# Names: LLVM's pass, the format of matrices, the level of detail, a macro; and that a word misspelt is found.
check() { codespell -q 3 --ignore-words-list statics,coo,lod,upto "$@"; }
! echo 'recieve teh' | check - >/dev/null || {
    echo "codespell finds nothing"
    exit 1
}
check README.md CONTRIBUTING.md CHANGELOG.md SECURITY.md docs examples/README.md src/nvcc/option.def src/heddle/main.c src/ncu src/sanitizer src/nsys
