# SPDX-License-Identifier: Apache-2.0
file(GLOB_RECURSE ptx_sources ${CMAKE_SOURCE_DIR}/src/ptx/*.c)
file(GLOB ptx_seeds ${CMAKE_CURRENT_SOURCE_DIR}/seeds/*.ptx)
heddle_fuzz(ptx SOURCES ${CMAKE_CURRENT_SOURCE_DIR}/ptx_target.c ${CMAKE_CURRENT_SOURCE_DIR}/fuzz_ptx.c ${ptx_sources}
                        ${CMAKE_BINARY_DIR}/generated/ptx/ptx_forms.c
            FLAGS -I${CMAKE_BINARY_DIR}/generated
            SEEDS ${CMAKE_CURRENT_SOURCE_DIR}/seeds)
add_dependencies(fuzz_ptx ptx_generated)
