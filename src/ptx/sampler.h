// SPDX-License-Identifier: Apache-2.0
// The properties that a .samplerref is declared with, { addr_mode_0 = wrap, filter_mode = linear, ... }, as its initial
// value: PTX_SAMPLER, which no handle has, and a field for each property.
#ifndef HEDDLE_PTX_SAMPLER_H
#define HEDDLE_PTX_SAMPLER_H
#include <stdint.h>

#define PTX_SAMPLER (UINT64_C(0x5a) << 56)
enum { PTX_SAMPLER_ADDRESS = 2, PTX_SAMPLER_FILTER = 6, PTX_SAMPLER_UNNORMALIZED = 7 }; // bits; addresses from 0 on

static const struct ptx_sampler_property {
    const char *name;
    unsigned shift, values;
    const char *value[5]; // of names; NULL: a number
    unsigned char bits[5];
} ptx_sampler_properties[] = {
#define PTX_SAMPLER_MODES 5, {"wrap", "clamp_to_edge", "mirror", "clamp_to_border", "clamp_ogl"}, {0, 1, 2, 3, 1}
    {"addr_mode_0", 0, PTX_SAMPLER_MODES},
    {"addr_mode_1", PTX_SAMPLER_ADDRESS, PTX_SAMPLER_MODES},
    {"addr_mode_2", 2 * PTX_SAMPLER_ADDRESS, PTX_SAMPLER_MODES},
#undef PTX_SAMPLER_MODES
    {"filter_mode", PTX_SAMPLER_FILTER, 2, {"nearest", "linear"}, {0, 1}},
    {"force_unnormalized_coords", PTX_SAMPLER_UNNORMALIZED, 2, {0}, {0}},
};
enum { PTX_SAMPLER_PROPERTIES = sizeof ptx_sampler_properties / sizeof *ptx_sampler_properties };
#endif
