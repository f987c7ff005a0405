// SPDX-License-Identifier: Apache-2.0
// A template of kind.h: rows of alpha A + beta B, merged by columns. Where C's rows begin is known.
static void FN(geam_run)(const void *block, uint64_t part)
{
    const struct geam *x = block;
    const T alpha = *(const T *)scalar_value(&x->alpha), beta = *(const T *)scalar_value(&x->beta);
    const EA *a = x->a.values, *b = x->b.values;
    EA *c = x->c.values;
    for (int i = (int)part * LINES, last = (int)sparse_min(i + LINES, x->a.rows); i < last; i++) {
        int ka = blocks_begin(&x->a, i), a_end = blocks_begin(&x->a, i + 1), kb = blocks_begin(&x->b, i),
            b_end = blocks_begin(&x->b, i + 1);
        for (int k = blocks_begin(&x->c, i); ka < a_end || kb < b_end; k++) {
            int ja = ka < a_end ? blocks_column(&x->a, ka) : INT32_MAX,
                jb = kb < b_end ? blocks_column(&x->b, kb) : INT32_MAX;
            T sum = ja <= jb ? alpha * a[ka] : (T)0;
            if (jb <= ja)
                sum += beta * b[kb];
            c[k] = sum;
            x->columns[k] = (ja < jb ? ja : jb) + x->c.base;
            ka += ja <= jb;
            kb += jb <= ja;
        }
    }
}
