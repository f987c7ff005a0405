# SPDX-License-Identifier: Apache-2.0
heddle_unit_test(device device.c LIBS heddle_device)
heddle_unit_test(texture texture.c LIBS heddle_device)
heddle_unit_test(matrix matrix.c LIBS heddle_device)
