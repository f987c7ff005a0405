// SPDX-License-Identifier: Apache-2.0
#include "audit/wanted.h"
#include <stddef.h>
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

// Without ctype.h and strtoul: the loader gives this library a C library of its own, whose tables are not set in threads that
// the program's starts.
static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

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
        if (!is_digit(stem[i]) && !(stem[i] >= 'a' && stem[i] <= 'f'))
            return len;
    return len - HASH - 1;
}

// What stands behind ".so": nothing, or numbers with a dot before each.
static bool parse_version(const char *text, int *major)
{
    *major = ANY_MAJOR;
    while (*text == '.' && is_digit(text[1])) {
        int n = 0;
        for (text++; is_digit(*text); text++)
            n = n < 10000 ? n * 10 + (*text - '0') : 100000;
        if (*major == ANY_MAJOR)
            *major = n;
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
