// SPDX-License-Identifier: Apache-2.0
#include "heddle/shape.h"
#include <stdio.h>
#include <stdlib.h>

bool shape_read(const char *text, uint32_t block[3])
{
    static const unsigned limits[3] = {1024, 1024, 64};
    const char *p = text;
    unsigned threads = 1, i = 0;
    bool ok = true, more = true;
    for (; ok && i < 3; i++) {
        char *end = (char *)p;
        unsigned long n = more ? strtoul(p, &end, 10) : 1;
        ok = !more || (end != p && n >= 1 && n <= limits[i] && (!*end || (*end == ',' && i < 2)));
        ok = ok && (threads *= (unsigned)n) <= 1024;
        block[i] = (uint32_t)n;
        more = more && *end == ',';
        p = end + more;
    }
    if (!ok)
        fprintf(stderr, "heddle: '%s' is no shape of blocks (X,Y,Z, at most 1024 threads)\n", text);
    return ok;
}
