// SPDX-License-Identifier: Apache-2.0
// The module of a device pass between front end and LLVM.
#include "front/front.h"
#include <stdlib.h>

char *front_ir_change(const char *ir, const struct texts *names, size_t *size)
{
    char *opened = front_ir_open_statics(ir, names, size);
    char *ordered = front_ir_order_carries(opened ? opened : ir, size);
    if (!ordered)
        return opened;
    free(opened);
    return ordered;
}
