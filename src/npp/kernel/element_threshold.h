// SPDX-License-Identifier: Apache-2.0
// Thresholds of one type, numbers of which compare as they lie in memory or by GET. What passes the threshold p[0] becomes p[1]; of both kinds at once, below
// p[0] p[1] and above p[2] p[3].
#ifndef GET
#define GET(a) (a)
#endif
static void FN(threshold_lt)(ARGS)
{
    OPERANDS;
    const T *restrict v = p_[1];
    for (size_t i = 0; i < n; i++)
        d[i] = GET(x[i]) < GET(y[i]) ? v[i] : x[i];
}
static void FN(threshold_gt)(ARGS)
{
    OPERANDS;
    const T *restrict v = p_[1];
    for (size_t i = 0; i < n; i++)
        d[i] = GET(x[i]) > GET(y[i]) ? v[i] : x[i];
}
static void FN(threshold_eq)(ARGS)
{
    OPERANDS;
    const T *restrict v = p_[1];
    for (size_t i = 0; i < n; i++)
        d[i] = GET(x[i]) == GET(y[i]) ? v[i] : x[i];
}
static void FN(threshold_lt_gt)(ARGS)
{
    OPERANDS;
    const T *restrict v = p_[1], *restrict z = p_[2], *restrict w = p_[3];
    for (size_t i = 0; i < n; i++)
        d[i] = GET(x[i]) < GET(y[i]) ? v[i] : GET(x[i]) > GET(z[i]) ? w[i] : x[i];
}
