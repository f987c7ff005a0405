# SPDX-License-Identifier: Apache-2.0
# Completion of heddle's commands and options in fish; the words are those that the program's own --help begins lines with.
complete -c heddle -n __fish_use_subcommand -a "(heddle --help 2>/dev/null | string match -rg '^  ([a-z]+) ')"
complete -c heddle -n __fish_use_subcommand -l help
complete -c heddle -n __fish_use_subcommand -l version
complete -c heddle -n 'not __fish_use_subcommand' -a "(heddle (commandline -opc)[2] --help 2>/dev/null | string match -rg '^  (-*[a-z][a-z-]*) ')"
