# SPDX-License-Identifier: Apache-2.0
heddle_fuzz(fatbin_read SOURCES ${CMAKE_CURRENT_SOURCE_DIR}/fatbin_read.c ${CMAKE_SOURCE_DIR}/src/fatbin/fatbin_read.c
            LIBS -llz4 -lzstd)
