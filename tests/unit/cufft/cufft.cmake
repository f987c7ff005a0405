# SPDX-License-Identifier: Apache-2.0
heddle_unit_test(fft cufft/fft.c LIBS heddle_fft)
