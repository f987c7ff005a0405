# SPDX-License-Identifier: Apache-2.0
# Completion of heddle's commands and options in bash; the words are those that `heddle --help` and `heddle COMMAND --help` begin lines with.
_heddle()
{
    local word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]} words
    if [ "$COMP_CWORD" = 1 ]; then
        words="$(heddle --help 2> /dev/null | sed -n 's/^  \([a-z]*\) .*/\1/p') --help --version"
    elif [ "$command" = run ] && [[ $word != -* ]]; then
        _command_offset 2 2> /dev/null && return
    else
        words="$(heddle "$command" --help 2> /dev/null | sed -n 's/^  \(-*[a-z][a-z-]*\) .*/\1/p') --help"
        compopt -o default 2> /dev/null
    fi
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}
complete -F _heddle heddle
