# SPDX-License-Identifier: Apache-2.0
heddle_unit_test(fatbin_read fatbin_read.c LIBS heddle_fatbin lz4 zstd)
