# SPDX-License-Identifier: Apache-2.0
# Completion of ncu and compute-sanitizer in bash: their options, and the values of those that have a list, as the program's own --help
# has them ('  -o, --option   meaning (a|b) [a]'). The first word that is a program is the one to be run, which completes its own arguments.
_heddle_tool()
{
    local tool=${COMP_WORDS[0]} word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} help values='' at
    for ((at = 1; at < COMP_CWORD; at++)); do
        if [[ ${COMP_WORDS[at]} != -* ]] && type -P "${COMP_WORDS[at]}" > /dev/null; then
            _command_offset "$at" 2> /dev/null
            return
        fi
    done
    help=$("$tool" --help 2> /dev/null)
    [[ $before == -* ]] && values=$(sed -n "s/^  \(-[a-z], \)\?$before  .*(\([a-z0-9,|-]*\)) \[.*/\2/p" <<< "$help")
    if [ -n "$values" ]; then
        mapfile -t COMPREPLY < <(compgen -W "${values//|/ }" -- "$word")
    elif [[ $word == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$(sed -n 's/^  \(-[a-z], \)\?\(--[a-z-]*\)  .*/\2/p' <<< "$help")" -- "$word")
    else
        compopt -o default 2> /dev/null
    fi
}
complete -F _heddle_tool ncu compute-sanitizer
