# SPDX-License-Identifier: Apache-2.0
heddle_unit_test(device device/device.c LIBS heddle_device)
heddle_unit_test(texture device/texture.c LIBS heddle_device)
heddle_unit_test(texture_gang device/texture_gang.c LIBS heddle_device)
heddle_unit_test(matrix device/matrix.c LIBS heddle_device)
heddle_unit_test(reuse device/reuse.c LIBS heddle_device)
