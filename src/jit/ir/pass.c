// SPDX-License-Identifier: Apache-2.0
#include "jit/ir/pass.h"
#include "base/env.h"
#include "base/str.h"
#include <stdio.h>
#include <string.h>

bool pass_dump_asked(const char *name)
{
    const char *list = env_get("HEDDLE_DUMP");
    char group[64];
    snprintf(group, sizeof group, "%.*s", (int)strcspn(name, "."), name);
    return str_list_has(list, name) || str_list_has(list, group) || str_list_has(list, "all");
}
