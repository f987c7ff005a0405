// SPDX-License-Identifier: Apache-2.0
// The bodies of NPP's functions; the table says which are whose.
#ifndef HEDDLE_NPP_BODY_H
#define HEDDLE_NPP_BODY_H
#include "npp/color.h"
#include "npp/core/npp.h"
#include "npp/element.h"
#include "npp/filter.h"
#include "npp/geometry.h"
#include "npp/statistics.h"

typedef NppStatus npp_body(const struct npp_call *c);
// element.c
npp_body npp_element, npp_element_device, npp_element_shift, npp_threshold;
// compose.c
npp_body npp_accumulate, npp_compose, npp_premultiply;
// compare.c
npp_body npp_compare, npp_compare_epsilon;
// exchange.c
npp_body npp_set, npp_set_channel, npp_copy, npp_copy_channel, npp_copy_planes, npp_copy_border, npp_convert, npp_scale,
    npp_dup, npp_transpose, npp_swap, npp_copy_subpixel;
// statistics.c
npp_body npp_statistic, npp_statistic_one, npp_count_in_range, npp_buffer;
// extreme.c
npp_body npp_extreme;
// histogram.c
npp_body npp_histogram_even, npp_histogram_range, npp_even_levels, npp_integral;
// memory.c
void *npp_malloc_image(const struct npp_call *c);
void *npp_malloc_signal(const struct npp_call *c);
void npp_free(const struct npp_call *c);
// filter.c
npp_body npp_filter, npp_filter_line, npp_filter_box, npp_filter_taps, npp_filter_fixed;
// rank.c
npp_body npp_filter_rank, npp_morph, npp_filter_buffer;
// resize.c
npp_body npp_resize, npp_resize_batch, npp_resize_rect;
// warp.c
npp_body npp_warp, npp_warp_quad, npp_rotate, npp_remap, npp_rotate_quad, npp_quad_of_transform, npp_transform_of_quad,
    npp_mirror;
// color.c
npp_body npp_color, npp_gray, npp_twist, npp_gamma;
// signal.c
npp_body npps_element, npps_threshold, npps_statistic, npps_extreme, npps_count_in_range, npps_copy, npps_convert,
    npps_shift, npps_set, npps_integral;
#endif
