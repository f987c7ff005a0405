// SPDX-License-Identifier: Apache-2.0
// The code over models, in place of what this processor has (cublas/compute/special.c).
#include "cublas/compute/product.h"

const struct product_special product_specials[] = {
#ifndef MODEL_WITHOUT_TILES
    {"amx", PRODUCT_B, 0, product_B_amx},
    {"amx", PRODUCT_I, 0, product_I_amx},
    {"amx", PRODUCT_IF, 0, product_IF_amx},
#endif
    {"avx512bf16", PRODUCT_B, 0, product_B_avx512_bf16},
    {"avx512vnni", PRODUCT_I, 0, product_I_avx512_vnni},
    {"avx512vnni", PRODUCT_IF, 0, product_IF_avx512_vnni},
    {"avxvnni", PRODUCT_I, 0, product_I_avx_vnni},
    {"avxvnni", PRODUCT_IF, 0, product_IF_avx_vnni},
    {0},
};

bool product_special_runs(const struct product_special *s)
{
    (void)s;
    return true;
}
