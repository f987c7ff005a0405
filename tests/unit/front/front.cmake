# SPDX-License-Identifier: Apache-2.0
heddle_unit_test(front_ir front/front_ir.c LIBS heddle_front)
