// SPDX-License-Identifier: Apache-2.0
// From the arguments of planning functions to a description.
#include "cufft/plan.h"

static const struct {
    cufftType type;
    enum fft_kind kind;
    enum fft_scalar scalar;
} types[] = {
    {CUFFT_C2C, FFT_C2C, FFT_FLOAT},  {CUFFT_R2C, FFT_R2C, FFT_FLOAT},  {CUFFT_C2R, FFT_C2R, FFT_FLOAT},
    {CUFFT_Z2Z, FFT_C2C, FFT_DOUBLE}, {CUFFT_D2Z, FFT_R2C, FFT_DOUBLE}, {CUFFT_Z2D, FFT_C2R, FFT_DOUBLE},
};

bool type_known(cufftType type, enum fft_kind *kind, enum fft_scalar *scalar)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (types[i].type == type) {
            *kind = types[i].kind;
            *scalar = types[i].scalar;
            return true;
        }
    return false;
}

// Positions are counted in bytes below 2^60.
static bool product_fits(int64_t *product, long long factor)
{
    return !__builtin_mul_overflow(*product, factor, product) && *product < (int64_t)1 << 55;
}

static cufftResult sizes_set(struct spec *s, int rank, const long long *n, long long batch)
{
    int64_t total = 1;
    s->d.rank = rank;
    for (int i = 0; i < rank; i++) {
        if (n[i] < 1 || !product_fits(&total, n[i]))
            return CUFFT_INVALID_SIZE;
        s->d.n[i] = (uint64_t)n[i];
    }
    if (batch < 1 || !product_fits(&total, batch))
        return CUFFT_INVALID_SIZE;
    s->d.batch = (uint64_t)batch;
    return CUFFT_SUCCESS;
}

static cufftResult layout_set(struct fft_layout *l, int rank, const long long *embed, long long stride, long long dist,
                              uint64_t batch)
{
    int64_t extent = 1, apart = dist;
    if (stride < 1 || dist < 0)
        return CUFFT_INVALID_VALUE;
    *l = (struct fft_layout){.stride = stride, .dist = dist};
    bool fits = product_fits(&extent, stride) && product_fits(&apart, (long long)batch);
    for (int i = 0; i < rank; i++) {
        if (i && embed[i] < 1)
            return CUFFT_INVALID_SIZE;
        l->embed[i] = embed[i];
        fits &= !i || product_fits(&extent, embed[i]);
    }
    return fits ? CUFFT_SUCCESS : CUFFT_INVALID_SIZE;
}

struct spec spec_sizes(cufftType type, long long batch, int rank, long long nx, long long ny, long long nz)
{
    struct spec s = {.d = {.packed = true}};
    if (!type_known(type, &s.d.kind, &s.d.scalar))
        s.refused = CUFFT_INVALID_TYPE;
    s.unfit = sizes_set(&s, rank, (long long[]){nx, ny, nz}, batch);
    return s;
}

// Either both sides have an advanced layout or none has one.
static void many_set(struct spec *s, int rank, const long long *n, const long long *inembed, long long istride,
                     long long idist, const long long *onembed, long long ostride, long long odist, long long batch)
{
    if (rank < 1 || rank > FFT_MAX_RANK || !n || !inembed != !onembed) {
        s->refused = CUFFT_INVALID_VALUE;
        return;
    }
    s->unfit = sizes_set(s, rank, n, batch);
    s->d.packed = !inembed;
    if (s->d.packed || s->unfit)
        return;
    s->unfit = layout_set(&s->d.in, rank, inembed, istride, idist, s->d.batch);
    if (!s->unfit)
        s->unfit = layout_set(&s->d.out, rank, onembed, ostride, odist, s->d.batch);
}

struct spec spec_many64(int rank, const long long *n, const long long *inembed, long long istride, long long idist,
                        const long long *onembed, long long ostride, long long odist, cufftType type, long long batch)
{
    struct spec s = {0};
    if (!type_known(type, &s.d.kind, &s.d.scalar))
        s.refused = CUFFT_INVALID_TYPE;
    else
        many_set(&s, rank, n, inembed, istride, idist, onembed, ostride, odist, batch);
    return s;
}

static const long long *widened(long long to[FFT_MAX_RANK], const int *from, int rank)
{
    for (int i = 0; from && i < rank && i < FFT_MAX_RANK; i++)
        to[i] = from[i];
    return from ? to : NULL;
}

struct spec spec_many(int rank, const int *n, const int *inembed, int istride, int idist, const int *onembed,
                      int ostride, int odist, cufftType type, int batch)
{
    long long sizes[FFT_MAX_RANK], in[FFT_MAX_RANK], out[FFT_MAX_RANK];
    return spec_many64(rank, widened(sizes, n, rank), widened(in, inembed, rank), istride, idist,
                       widened(out, onembed, rank), ostride, odist, type, batch);
}

// Types of input, output and execution that go together.
static const struct {
    cudaDataType real, complex;
    enum fft_scalar scalar;
} precisions[] = {
    {CUDA_R_32F, CUDA_C_32F, FFT_FLOAT},
    {CUDA_R_64F, CUDA_C_64F, FFT_DOUBLE},
    {CUDA_R_16F, CUDA_C_16F, FFT_HALF},
    {CUDA_R_16BF, CUDA_C_16BF, FFT_BFLOAT},
};

static bool types_match(struct spec *s, cudaDataType in, cudaDataType out, cudaDataType execution)
{
    for (size_t i = 0; i < sizeof precisions / sizeof *precisions; i++) {
        cudaDataType r = precisions[i].real, c = precisions[i].complex;
        if (execution != c && execution != r)
            continue;
        s->d.scalar = precisions[i].scalar;
        s->d.kind = in == r ? FFT_R2C : out == r ? FFT_C2R : FFT_C2C;
        return (in == c || in == r) && (out == c || out == r) && !(in == r && out == r) &&
               (execution == c || s->d.kind != FFT_C2C);
    }
    return false;
}

struct spec spec_xt(int rank, const long long *n, const long long *inembed, long long istride, long long idist,
                    cudaDataType in, const long long *onembed, long long ostride, long long odist, cudaDataType out,
                    long long batch, cudaDataType execution)
{
    struct spec s = {0};
    many_set(&s, rank, n, inembed, istride, idist, onembed, ostride, odist, batch);
    if (s.refused || s.unfit)
        return s;
    if (!types_match(&s, in, out, execution))
        s.unfit = CUFFT_NOT_SUPPORTED;
    // Numbers of 16 bits: powers of two, as documented.
    for (int i = 0; i < rank && (s.d.scalar == FFT_HALF || s.d.scalar == FFT_BFLOAT); i++)
        if (s.d.n[i] & (s.d.n[i] - 1))
            s.unfit = CUFFT_NOT_SUPPORTED;
    return s;
}
