// SPDX-License-Identifier: Apache-2.0
// What all bodies share: checks in NVIDIA's order, pointers before sizes, and launches in parts of rows.
#include "npp/core/npp.h"
#include <string.h>

size_t npp_size(enum npp_type t)
{
    static const unsigned char sizes[] = {[NT_8u] = 1,    [NT_8s] = 1,   [NT_16u] = 2,  [NT_16s] = 2,   [NT_32u] = 4,
                                          [NT_32s] = 4,   [NT_64u] = 8,  [NT_64s] = 8,  [NT_16f] = 2,   [NT_32f] = 4,
                                          [NT_64f] = 8,   [NT_16sc] = 4, [NT_32sc] = 8, [NT_64sc] = 16, [NT_32fc] = 8,
                                          [NT_64fc] = 16, [NT_24u] = 3};
    return sizes[t];
}

bool npp_is_complex(enum npp_type t)
{
    return t >= NT_16sc && t <= NT_64fc;
}

enum npp_type npp_component(enum npp_type t)
{
    static const enum npp_type parts[] = {NT_16s, NT_32s, NT_64s, NT_32f, NT_64f};
    return npp_is_complex(t) ? parts[t - NT_16sc] : t;
}

static bool planes_there(const struct npp_image *planes, unsigned n)
{
    bool there = true;
    for (unsigned i = 0; i < n; i++)
        there &= planes[i].data != NULL;
    return there;
}

NppStatus npp_check(const struct npp_call *c, bool *empty)
{
    unsigned need = c->form->need;
    const void *const pointers[] = {c->src[0].data, c->src[1].data, c->src[2].data, c->dst[0].data, c->dst[1].data,
                                    c->mask.data,   c->value[0],    c->value[1],    c->value[2],    c->out[0],
                                    c->out[1],      c->out[2],      c->buffer};
    for (unsigned i = 0; i < sizeof pointers / sizeof *pointers; i++)
        if ((need >> i & 1) && !pointers[i])
            return NPP_NULL_POINTER_ERROR;
    if (((need & NEED_SRC_PLANES) && !planes_there(c->src, c->form->channels)) ||
        ((need & NEED_DST_PLANES) && !planes_there(c->dst, c->form->dst_channels)))
        return NPP_NULL_POINTER_ERROR;
    if (need & NEED_SIZE) {
        if (c->size.width < 0 || c->size.height < 0)
            return NPP_SIZE_ERROR;
        *empty |= !c->size.width || !c->size.height;
    }
    if (need & NEED_LENGTH) {
        if (c->length > PTRDIFF_MAX / 16)
            return NPP_SIZE_ERROR;
        *empty |= !c->length;
    }
    return NPP_NO_ERROR;
}

struct npp_job npp_job(const struct npp_call *c)
{
    struct npp_job j = {.c = *c, .form = *c->form};
    return j;
}

void npp_part(const struct npp_job *job, uint64_t part, int *from, int *to)
{
    int64_t first = (int64_t)part * job->rows_per_part, end = first + job->rows_per_part;
    *from = (int)first;
    *to = end < job->rows ? (int)end : job->rows;
}

NppStatus npp_launch_parts(struct library_kernel *k, struct npp_job *job, uint64_t parts, double work)
{
    return library_launch(k, job->c.stream, parts, work, job) ? NPP_CUDA_KERNEL_EXECUTION_ERROR : NPP_NO_ERROR;
}

// A part has some 32768 operations, and there are no more than 4096 parts.
NppStatus npp_launch(struct library_kernel *k, struct npp_job *job, int rows, double work)
{
    enum { PART = 32768, PARTS = 4096 };
    double wanted = work >= 1 ? PART / work : PART;
    int per = wanted < 1 ? 1 : wanted > rows ? rows : (int)wanted;
    if (rows / per >= PARTS)
        per = rows / PARTS + 1;
    job->rows = rows;
    job->rows_per_part = per;
    return npp_launch_parts(k, job, ((uint64_t)rows + (uint64_t)per - 1) / (uint64_t)per, work * per);
}

struct npp_call npp_signal(const struct npp_call *c)
{
    struct npp_call s = *c;
    size_t rows = (c->length + NPP_SIGNAL - 1) / NPP_SIGNAL;
    s.size = (NppiSize){c->length < NPP_SIGNAL ? (int)c->length : NPP_SIGNAL, rows < INT32_MAX ? (int)rows : INT32_MAX};
    s.last = (int)(c->length % NPP_SIGNAL);
    for (unsigned i = 0; i < 4; i++) {
        s.src[i].step = (int)(NPP_SIGNAL * npp_size(i == 2 ? c->form->d : c->form->s));
        s.dst[i].step = (int)(NPP_SIGNAL * npp_size(c->form->d));
    }
    return s;
}
