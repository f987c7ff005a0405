// SPDX-License-Identifier: Apache-2.0
// Signals are images of one channel, with rows of NPP_SIGNAL numbers: their bodies are those of images. Running sums are not.
#include "npp/body.h"
#include <string.h>

// The call as one of an image; the checks of lengths are done here.
#define SIGNAL(name, body)                                                                                             \
    NppStatus name(const struct npp_call *c)                                                                           \
    {                                                                                                                  \
        NPP_ENTER(c);                                                                                                  \
        struct npp_call s = npp_signal(c);                                                                             \
        return body(&s);                                                                                               \
    }
SIGNAL(npps_element, npp_element)
SIGNAL(npps_threshold, npp_threshold)
SIGNAL(npps_statistic, npp_statistic)
SIGNAL(npps_extreme, npp_extreme)
SIGNAL(npps_count_in_range, npp_count_in_range)
SIGNAL(npps_copy, npp_copy)
SIGNAL(npps_convert, npp_convert)
#undef SIGNAL

NppStatus npps_shift(const struct npp_call *c)
{
    NPP_ENTER(c);
    NPP_CHECK(*(const int *)c->value[0] >= 0, NPP_BAD_ARGUMENT_ERROR);
    struct npp_call s = npp_signal(c);
    return npp_element_shift(&s);
}

NppStatus npps_set(const struct npp_call *c)
{
    static const unsigned char zero[16];
    NPP_ENTER(c);
    struct npp_call s = npp_signal(c);
    if (c->form->argument)
        s.value[0] = zero;
    return npp_set(&s);
}

// ---- running sums, which wrap around: one part, since each needs the one before
static void run_integral(const void *block, uint64_t part)
{
    const struct npp_job *j = block;
    const int32_t *from = j->c.src[0].data;
    int32_t *to = j->c.dst[0].data;
    uint32_t sum = 0;
    (void)part;
    for (size_t i = 0; i < j->c.length; i++) {
        sum += (uint32_t)from[i];
        to[i] = (int32_t)sum;
    }
}
static struct library_kernel integral_kernel = LIBRARY_KERNEL("npps_integral", run_integral, struct npp_job);
NppStatus npps_integral(const struct npp_call *c)
{
    NPP_ENTER(c);
    struct npp_job j = npp_job(c);
    return npp_launch_parts(&integral_kernel, &j, 1, 2.0 * (double)c->length);
}
