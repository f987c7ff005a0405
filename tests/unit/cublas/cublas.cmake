# SPDX-License-Identifier: Apache-2.0
heddle_unit_test(cublas_product cublas/product.c LIBS cublas_compute ${CMAKE_DL_LIBS})
heddle_unit_test(cublas_bfloat cublas/bfloat.c LIBS cublas_compute ${CMAKE_DL_LIBS})

# Code for processors that this one need not be, over models of their instructions: with tiles and without.
file(GLOB models CONFIGURE_DEPENDS cublas/model/x86_*.c)
foreach(kind tiles dot)
  add_library(cublas_model_${kind} OBJECT ${models} cublas/model/specials.c)
  target_include_directories(cublas_model_${kind} PRIVATE ${CMAKE_SOURCE_DIR}/src)
  target_compile_options(cublas_model_${kind} PRIVATE -O3 -ffp-contract=off -Wno-psabi)
  heddle_unit_test(cublas_model_bfloat_${kind} cublas/bfloat.c LIBS cublas_model_${kind} cublas_compute ${CMAKE_DL_LIBS})
endforeach()
target_compile_definitions(cublas_model_dot PRIVATE MODEL_WITHOUT_TILES)
heddle_unit_test(cublas_model_product cublas/product.c LIBS cublas_model_tiles cublas_compute ${CMAKE_DL_LIBS})
target_compile_definitions(unit_cublas_model_product PRIVATE ONLY_SPECIALS)
