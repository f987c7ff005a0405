// SPDX-License-Identifier: Apache-2.0
// Code for instructions that some processors of an architecture have and others lack, for single types.
#include "cublas/compute/product.h"
#if defined(__aarch64__)
#include <sys/auxv.h>
#endif

#if defined(__aarch64__)
// Of the kernel's headers, which may be older than the processor.
enum { DOTPROD = 1 << 20 };              // HWCAP_ASIMDDP
enum { I8MM = 1 << 13, BF16 = 1 << 14 }; // HWCAP2_I8MM, HWCAP2_BF16
const struct product_special product_specials[] = {
    {"i8mm", PRODUCT_I, 0, I8MM, product_I_i8mm},          {"i8mm", PRODUCT_IF, 0, I8MM, product_IF_i8mm},
    {"dotprod", PRODUCT_I, DOTPROD, 0, product_I_dotprod}, {"dotprod", PRODUCT_IF, DOTPROD, 0, product_IF_dotprod},
    {"bf16", PRODUCT_B, 0, BF16, product_B_bf16},          {0},
};

bool product_special_runs(const struct product_special *s)
{
    return (getauxval(AT_HWCAP) & s->needs) == s->needs && (getauxval(AT_HWCAP2) & s->needs_too) == s->needs_too;
}
#else
const struct product_special product_specials[] = {{0}};

bool product_special_runs(const struct product_special *s)
{
    (void)s;
    return false;
}
#endif
