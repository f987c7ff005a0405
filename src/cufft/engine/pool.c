// SPDX-License-Identifier: Apache-2.0
#include "cufft/engine/engine.h"
#include <stdlib.h>

void *pool_alloc(struct fft_pool *p, size_t bytes)
{
    void **more = realloc(p->block, (p->count + 1) * sizeof *more);
    if (!more)
        return NULL;
    p->block = more;
    void *m = bytes < (size_t)1 << 60 ? aligned_alloc(64, (bytes + 127) / 64 * 64) : NULL;
    if (m)
        p->block[p->count++] = m;
    return m;
}

void pool_fini(struct fft_pool *p)
{
    for (size_t i = 0; i < p->count; i++)
        free(p->block[i]);
    free(p->block);
}
