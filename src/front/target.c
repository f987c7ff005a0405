// SPDX-License-Identifier: Apache-2.0
// The targets that PTX can be made for.
#include "front/front.h"
#include <stdlib.h>
#include <string.h>

// Each target with the first PTX version that knows it. Versions before 8.5 are not worth a difference of ours.
static const unsigned numbers[] = {30, 32, 35, 37, 50, 52, 53, 60,  61,  62,  70,  72,
                                   75, 80, 86, 87, 88, 89, 90, 100, 103, 110, 120, 121};
#define TARGET_COUNT (sizeof numbers / sizeof numbers[0])
static const struct {
    unsigned sm;
    const char *feature;
} newer[] = {{88, "ptx90"}, {100, "ptx86"}, {103, "ptx88"}, {110, "ptx90"}, {120, "ptx87"}, {121, "ptx88"}};

const char *target_ptx_feature(const struct target *t)
{
    if (t->suffix[0] == 'f')
        return "ptx88";
    for (size_t i = 0; i < sizeof newer / sizeof newer[0]; i++)
        if (newer[i].sm == t->sm)
            return newer[i].feature;
    return "ptx85";
}

size_t target_list(const unsigned **list)
{
    *list = numbers;
    return TARGET_COUNT;
}

bool target_parse(struct target *out, const char *text)
{
    const char *p = strchr(text, '_');
    char *end;
    if (!p || (strncmp(text, "sm_", 3) && strncmp(text, "compute_", 8) && strncmp(text, "lto_", 4)))
        return false;
    out->sm = (unsigned)strtoul(p + 1, &end, 10);
    out->suffix[0] = *end == 'a' || *end == 'f' ? *end : 0;
    out->suffix[1] = 0;
    if (end == p + 1 || end[out->suffix[0] ? 1 : 0])
        return false;
    for (size_t i = 0; i < TARGET_COUNT; i++)
        if (numbers[i] == out->sm)
            return true;
    return false;
}
