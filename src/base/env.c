// SPDX-License-Identifier: Apache-2.0
// See env.h.
#include "base/env.h"
#include "base/log.h"
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct env_row env_table[] = {
#define ENV(name, value, domain, about) {#name, value, domain, about},
#include "base/env.def"
#undef ENV
    {0},
};

// Digits alone; *end: behind them.
static bool read_number(const char *text, uint64_t *out, const char **end)
{
    char *e;
    if (!isdigit((unsigned char)*text))
        return false;
    errno = 0;
    *out = strtoull(text, &e, 10);
    *end = e;
    return !errno;
}

static bool read_bytes(const char *text, uint64_t *out)
{
    const char *end, *const units = "KMG";
    if (!read_number(text, out, &end))
        return false;
    const char *unit = *end ? strchr(units, *end) : NULL;
    unsigned shift = unit ? 10 * (unsigned)(unit - units + 1) : 0;
    if (*out > UINT64_MAX >> shift)
        return false;
    *out <<= shift;
    return !end[unit != NULL];
}

static bool is_version(const char *text)
{
    unsigned major, minor;
    int n = 0;
    return sscanf(text, "%2u.%1u%n", &major, &minor, &n) == 2 && !text[n] && major >= 2;
}

static bool in_range(const char *domain, const char *text)
{
    uint64_t least = strtoull(domain, NULL, 10), most = strtoull(strstr(domain, "..") + 2, NULL, 10), n;
    const char *end;
    return read_number(text, &n, &end) && !*end && n >= least && n <= most;
}

static bool is_word(const char *domain, const char *text)
{
    size_t n = strlen(text);
    for (const char *p = domain; *p; p += strcspn(p, "|"), p += *p == '|')
        if (!strncmp(p, text, n) && (p[n] == '|' || !p[n]))
            return true;
    return false;
}

bool env_valid(const struct env_row *row, const char *text)
{
    uint64_t n;
    if (!*text || !*row->domain)
        return true;
    if (!strcmp(row->domain, "bytes"))
        return read_bytes(text, &n);
    if (!strcmp(row->domain, "x.y"))
        return is_version(text);
    return strstr(row->domain, "..") ? in_range(row->domain, text) : is_word(row->domain, text);
}

const char *env_get(const char *name)
{
    for (const struct env_row *r = env_table; r->name; r++) {
        if (strcmp(r->name, name))
            continue;
        const char *v = secure_getenv(name);
        return v && *v && env_valid(r, v) ? v : r->value;
    }
    assert(!"not in env.def");
    return "";
}

uint64_t env_number(const char *name)
{
    uint64_t n = 0;
    return read_bytes(env_get(name), &n) ? n : 0;
}

void env_report(void)
{
    for (const struct env_row *r = env_table; r->name; r++) {
        const char *v = secure_getenv(r->name);
        if (v && !env_valid(r, v))
            log_write(LOG_ERROR, "%s=%.100s is ignored: the value must be %s%s", r->name, v,
                      strchr(r->domain, '|')        ? "one of "
                      : strstr(r->domain, "..")     ? "a number in "
                      : !strcmp(r->domain, "bytes") ? "a number of "
                                                    : "a version of the form ",
                      r->domain);
    }
}
