// SPDX-License-Identifier: Apache-2.0
// See compat.h: one yield, which the schedules are made of.
#include "jit/compat/compat.h"
#include "base/log.h"
#include "jit/ir/remark.h"
#include <stddef.h>

void compat_tell(const char *kernel, unsigned yields)
{
    if (!yields)
        remark(NULL, "nothing: no race that a GPU's order of warps hides");
    else
        remark(NULL, "yields at %u places, since it seems to count on the order of warps", yields);
    if (yields)
        log_write(LOG_DEBUG, "%s: gangs give way at %u places, since it seems to count on the order of warps", kernel,
                  yields);
}
