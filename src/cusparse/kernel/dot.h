// SPDX-License-Identifier: Apache-2.0
// A template of kind.h: the product of a sparse and a dense vector. Parts leave sums that the second grid adds in their order.
static void FN(dot)(const void *block, uint64_t part)
{
    const struct vector *x = block;
    const EA *v = x->values;
    const EX *y = x->y;
    T sum = 0;
    for (int64_t k = (int64_t)part * EACH, end = sparse_min(k + EACH, x->nnz); k < end; k++) {
        T e = LA(v[k]);
        sum += (x->conjugate ? CONJ(e) : e) * LX(y[index_at(x->indices, k) - x->base]);
    }
    ((T *)x->sums)[part] = sum;
}

static void FN(sum)(const void *block, uint64_t part)
{
    const struct vector *x = block;
    T sum = 0;
    (void)part;
    for (int64_t i = 0; i < sparse_parts(x->nnz, EACH); i++)
        sum += ((T *)x->sums)[i];
    *(T *)x->result = sum;
}
