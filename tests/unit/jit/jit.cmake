# SPDX-License-Identifier: Apache-2.0
# The dialect and the analyses of it, each alone.
if(TARGET heddle_analysis)
  foreach(name dialect cfg fold liveness loops low_bits address linear cost thread_value machine hook_access)
    heddle_unit_test(${name} jit/${name}.c LIBS heddle_analysis llvm_shared)
  endforeach()
endif()
