# SPDX-License-Identifier: Apache-2.0
# The dialect and the analyses of it, each alone.
if(TARGET heddle_analysis)
  heddle_unit_test(dialect jit/dialect.c LIBS heddle_analysis llvm_shared)
endif()
