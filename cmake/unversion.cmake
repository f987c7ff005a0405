# SPDX-License-Identifier: Apache-2.0
# The names of FILE that have the default version of a shared library (name@@version) become plain ones.
execute_process(COMMAND ${NM} --defined-only --extern-only --format=posix ${FILE} OUTPUT_VARIABLE names COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[A-Za-z0-9_]+@@[^ \n]+" versioned "${names}")
string(REGEX REPLACE "([A-Za-z0-9_]+)(@@[^;]+)" "\\1\\2 \\1\n" renamed "${versioned}")
string(REPLACE ";" "" renamed "${renamed}")
file(WRITE ${FILE}.names "${renamed}")
execute_process(COMMAND ${OBJCOPY} --redefine-syms=${FILE}.names ${FILE} COMMAND_ERROR_IS_FATAL ANY)
