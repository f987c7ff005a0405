# SPDX-License-Identifier: Apache-2.0
heddle_unit_test(fatbin_read fatbin/fatbin_read.c LIBS heddle_fatbin lz4 zstd)
heddle_unit_test(ptx_link fatbin/ptx_link.c LIBS heddle_fatbin)
