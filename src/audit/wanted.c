// SPDX-License-Identifier: Apache-2.0
#include "audit/wanted.h"
#include <ctype.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct row {
    const char *stem;
    bool driver;
};
#define LIBRARY(stem) {#stem, false},
#define DRIVER(stem)  {#stem, true},
static const struct row rows[] = {
#include "audit/library.def"
};

static const struct row *row_find(const char *stem, size_t len)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strlen(rows[i].stem) == len && !memcmp(rows[i].stem, stem, len))
            return &rows[i];
    return NULL;
}

// The length without a hash at the end.
static size_t strip_hash(const char *stem, size_t len)
{
    enum { HASH = 8 };
    if (len <= HASH + 1 || stem[len - HASH - 1] != '-')
        return len;
    for (size_t i = len - HASH; i < len; i++)
        if (!isdigit((unsigned char)stem[i]) && !(stem[i] >= 'a' && stem[i] <= 'f'))
            return len;
    return len - HASH - 1;
}

// What stands behind ".so": nothing, or numbers with a dot before each.
static bool parse_version(const char *text, int *major)
{
    *major = ANY_MAJOR;
    while (*text == '.' && isdigit((unsigned char)text[1])) {
        char *end;
        unsigned long n = strtoul(text + 1, &end, 10);
        if (*major == ANY_MAJOR)
            *major = n < 100000 ? (int)n : 100000;
        text = end;
    }
    return !*text;
}

bool wanted_parse(const char *name, struct wanted *w)
{
    const char *slash = strrchr(name, '/'), *file = slash ? slash + 1 : name;
    const char *end = strstr(file, ".so");
    if (!end || strncmp(file, "lib", 3) || end - file < 3 || !parse_version(end + 3, &w->major))
        return false;
    const char *stem = file + 3;
    const struct row *r = row_find(stem, strip_hash(stem, (size_t)(end - stem)));
    if (!r)
        return false;
    w->stem = r->stem;
    w->driver = r->driver;
    if (r->driver && w->major != ANY_MAJOR)
        w->major = 1;
    return true;
}
