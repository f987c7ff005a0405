// SPDX-License-Identifier: Apache-2.0
// The reciprocal as GPUs compute it, to the last bit.
#ifndef HEDDLE_DEVICE_TEXTURE_RECIPROCAL_H
#define HEDDLE_DEVICE_TEXTURE_RECIPROCAL_H

// What an H200's instruction gives (MUFU.RCP, rcp.approx.ftz.f32): within one unit in the last place, correctly rounded
// in 87 of 100 places. Denormals count as zero, in the argument and in the result.
float reciprocal_approximate(float f);
#endif
