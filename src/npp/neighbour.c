// SPDX-License-Identifier: Apache-2.0
// Pixels around a pixel, within the source or beyond its edge.
#include "npp/filter.h"
#include "npp/kernel/move.h"
#include <string.h>

NppStatus npp_border_check(const struct npp_call *c)
{
    if (!c->src_size.width && !c->src_size.height && !c->border) // the function has none
        return NPP_NO_ERROR;
    NPP_CHECK(c->src_size.width > 0 && c->src_size.height > 0, NPP_SIZE_ERROR);
    NPP_CHECK(c->border == NPP_BORDER_REPLICATE, NPP_NOT_SUPPORTED_MODE_ERROR);
    return NPP_NO_ERROR;
}

static int limit(int i, int low, int high)
{
    return i < low ? low : i > high ? high : i;
}

void npp_neighbours(const struct npp_job *j, int y, int x, int n, double *to)
{
    unsigned channels = j->form.channels;
    size_t pixel = npp_size(j->form.s) * channels;
    if (!j->c.border) {
        const char *row =
            (const char *)j->c.src[0].data + (ptrdiff_t)y * j->c.src[0].step + (ptrdiff_t)x * (ptrdiff_t)pixel;
        npp_load(j->form.s, row, to, (size_t)n * channels);
        return;
    }
    int left = -j->c.offset.x, right = left + j->c.src_size.width - 1;
    y = limit(y, -j->c.offset.y, -j->c.offset.y + j->c.src_size.height - 1);
    const char *row = (const char *)j->c.src[0].data + (ptrdiff_t)y * j->c.src[0].step;
    int from = limit(x, left, right), until = limit(x + n - 1, left, right); // pixels that are there
    int before = from > x ? (from - x < n ? from - x : n - 1) : 0, there = until - from + 1;
    npp_load(j->form.s, row + (ptrdiff_t)from * (ptrdiff_t)pixel, to + (size_t)before * channels,
             (size_t)there * channels);
    for (int i = before - 1; i >= 0; i--)
        memcpy(to + (size_t)i * channels, to + (size_t)(i + 1) * channels, channels * sizeof *to);
    for (int i = before + there; i < n; i++)
        memcpy(to + (size_t)i * channels, to + (size_t)(i - 1) * channels, channels * sizeof *to);
}
