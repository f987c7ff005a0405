# SPDX-License-Identifier: Apache-2.0
heddle_unit_test(cache cache.c LIBS heddle_jitcore)
heddle_unit_test(detach detach.c)
