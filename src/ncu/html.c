// SPDX-License-Identifier: Apache-2.0
#include "ncu/ncu.h"
bool html_write(const char *path, const struct launches *all, const struct rows *rows)
{
    (void)path, (void)all, (void)rows;
    return false;
}
