#compdef heddle
# SPDX-License-Identifier: Apache-2.0
# Completion of heddle's commands and options in zsh; the words are those that the program's own --help begins lines with.
local -a words
if (( CURRENT == 2 )); then
    words=(${(f)"$(heddle --help 2> /dev/null | sed -n 's/^  \([a-z]*\) .*/\1/p')"} --help --version)
    compadd -a words
elif [[ $words[2] == run && $PREFIX != -* ]]; then
    _normal
else
    local command=$words[2]
    words=(${(f)"$(heddle $command --help 2> /dev/null | sed -n 's/^  \(-*[a-z][a-z-]*\) .*/\1/p')"} --help)
    compadd -a words
    _files
fi
