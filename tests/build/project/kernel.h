// SPDX-License-Identifier: Apache-2.0
int scale_on_device(float *values, float factor, int n);
