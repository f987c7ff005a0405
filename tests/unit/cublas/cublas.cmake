# SPDX-License-Identifier: Apache-2.0
heddle_unit_test(cublas_product cublas/product.c LIBS cublas_compute ${CMAKE_DL_LIBS})
heddle_unit_test(cublas_bfloat cublas/bfloat.c LIBS cublas_compute ${CMAKE_DL_LIBS})
