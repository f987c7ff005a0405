// SPDX-License-Identifier: Apache-2.0
#include "cufft/w/plan.h"
#include <cufftXt.h>
#include <math.h>
#include <stdlib.h>

enum { MAX_RANK = 3 };

struct plan {
    cufftHandle handle;
    void *in, *out;
    int sign;
    double elements, points; // of all batches; of one transform
};

// --- planning ---

struct layout {
    long long embed[MAX_RANK], stride, dist;
};

static void *plan_layout(cufftType type, int rank, const long long *n, long long batch, void *in, void *out,
                         const struct layout *from, const struct layout *to, int sign)
{
    size_t bytes;
    struct plan *p = calloc(1, sizeof *p);
    if (!p || cufftCreate(&p->handle)) {
        free(p);
        return NULL;
    }
    *p = (struct plan){p->handle, in, out, sign, (double)batch, 1};
    struct layout f = from ? *from : (struct layout){0}, t = to ? *to : (struct layout){0};
    if (cufftMakePlanMany64(p->handle, rank, (long long *)n, from ? f.embed : NULL, f.stride, f.dist,
                            to ? t.embed : NULL, t.stride, t.dist, type, batch, &bytes)) {
        cufftDestroy(p->handle);
        free(p);
        return NULL;
    }
    for (int i = 0; i < rank; i++)
        p->points *= (double)n[i];
    p->elements *= p->points;
    return p;
}

static bool sizes_of(int rank, const int *n, long long to[MAX_RANK])
{
    for (int i = 0; n && i < rank && i < MAX_RANK; i++)
        to[i] = n[i];
    return n && rank >= 1 && rank <= MAX_RANK;
}

static bool sign_known(int sign)
{
    return sign == FFTW_FORWARD || sign == FFTW_BACKWARD;
}

void *w_plan(cufftType type, int rank, const int *n, void *in, void *out, int sign)
{
    long long sizes[MAX_RANK];
    return sign_known(sign) && sizes_of(rank, n, sizes) ? plan_layout(type, rank, sizes, 1, in, out, NULL, NULL, sign)
                                                        : NULL;
}

// One side of a plan of many. Where FFTW is given no embedding it takes the sizes of the array: of a real side in place those that
// have room for the complex one.
static struct layout layout_of(int rank, const long long *n, const int *embed, int stride, int dist, bool halved,
                               bool padded)
{
    struct layout l = {.stride = stride, .dist = dist};
    for (int i = 0; i < rank; i++)
        l.embed[i] = embed ? embed[i] : n[i];
    if (!embed && (halved || padded))
        l.embed[rank - 1] = (n[rank - 1] / 2 + 1) * (halved ? 1 : 2);
    return l;
}

void *w_plan_many(cufftType type, int rank, const int *n, int batch, void *in, void *out, const int *inembed,
                  int istride, int idist, const int *onembed, int ostride, int odist, int sign)
{
    long long sizes[MAX_RANK];
    bool from_real = type == CUFFT_R2C || type == CUFFT_D2Z, to_real = type == CUFFT_C2R || type == CUFFT_Z2D;
    if (!sign_known(sign) || !sizes_of(rank, n, sizes))
        return NULL;
    struct layout f = layout_of(rank, sizes, inembed, istride, idist, to_real, from_real && in == out);
    struct layout t = layout_of(rank, sizes, onembed, ostride, odist, from_real, to_real && in == out);
    return plan_layout(type, rank, sizes, batch, in, out, &f, &t, sign);
}

// Strides of each axis become embeddings, where each is a multiple of the next.
static bool nested(int rank, const ptrdiff_t stride[MAX_RANK], struct layout *l)
{
    l->stride = stride[rank - 1];
    l->embed[0] = 1;
    for (int i = 1; i < rank; i++) {
        if (stride[i] < 1 || stride[i - 1] % stride[i])
            return false;
        l->embed[i] = stride[i - 1] / stride[i];
    }
    return true;
}

void *w_plan_guru64(cufftType type, int rank, const fftw_iodim64 *dims, int batch_rank, const fftw_iodim64 *batch_dims,
                    void *in, void *out, int sign)
{
    long long sizes[MAX_RANK];
    ptrdiff_t is[MAX_RANK], os[MAX_RANK];
    struct layout f = {.dist = 0}, t = {.dist = 0};
    if (!sign_known(sign) || !dims || rank < 1 || rank > MAX_RANK || batch_rank < 0 || batch_rank > 1 ||
        (batch_rank && !batch_dims))
        return NULL;
    for (int i = 0; i < rank; i++) {
        sizes[i] = dims[i].n;
        is[i] = dims[i].is;
        os[i] = dims[i].os;
    }
    if (!nested(rank, is, &f) || !nested(rank, os, &t))
        return NULL;
    f.dist = batch_rank ? batch_dims[0].is : 0;
    t.dist = batch_rank ? batch_dims[0].os : 0;
    return plan_layout(type, rank, sizes, batch_rank ? batch_dims[0].n : 1, in, out, &f, &t, sign);
}

void *w_plan_guru(cufftType type, int rank, const fftw_iodim *dims, int batch_rank, const fftw_iodim *batch_dims,
                  void *in, void *out, int sign)
{
    fftw_iodim64 wide[MAX_RANK], batch = {1, 0, 0};
    if (!dims || rank < 1 || rank > MAX_RANK || (batch_rank == 1 && !batch_dims))
        return NULL;
    for (int i = 0; i < rank; i++)
        wide[i] = (fftw_iodim64){dims[i].n, dims[i].is, dims[i].os};
    if (batch_rank == 1)
        batch = (fftw_iodim64){batch_dims[0].n, batch_dims[0].is, batch_dims[0].os};
    return w_plan_guru64(type, rank, wide, batch_rank, &batch, in, out, sign);
}

void w_destroy(void *plan)
{
    struct plan *p = plan;
    if (p)
        cufftDestroy(p->handle);
    free(p);
}

// --- execution ---

void w_execute_new(void *plan, void *in, void *out)
{
    struct plan *p = plan;
    if (p && !cufftXtExec(p->handle, in, out, p->sign))
        cudaStreamSynchronize(cudaStreamLegacy);
}

void w_execute(void *plan)
{
    struct plan *p = plan;
    if (p)
        w_execute_new(p, p->in, p->out);
}

// --- the rest ---

void *w_malloc(size_t bytes)
{
    return aligned_alloc(64, (bytes + 63) / 64 * 64);
}

void w_free(void *memory)
{
    free(memory);
}

void w_print(const void *plan)
{
    const struct plan *p = plan;
    if (p)
        printf("(cufft %d: %.0f of %.0f points)", p->handle, p->elements / p->points, p->points);
}

// The usual count of a transform of n points, 5 n log2(n).
double w_cost(const void *plan)
{
    const struct plan *p = plan;
    return p ? 5 * p->elements * log2(p->points) : 0;
}

void w_flops(const void *plan, double *add, double *mul, double *fma)
{
    double all = w_cost(plan);
    if (add)
        *add = all * 3 / 5;
    if (mul)
        *mul = all * 2 / 5;
    if (fma)
        *fma = 0;
}
