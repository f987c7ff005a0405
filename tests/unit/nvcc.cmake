# SPDX-License-Identifier: Apache-2.0
heddle_unit_test(ptx_link ptx_link.c LIBS heddle_fatbin)
