// SPDX-License-Identifier: Apache-2.0
// What HEDDLE_EXPLORE asks for.
#include "base/env.h"
#include "base/str.h"
#include "driver/explore/explore.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>

bool explore_wanted;
struct explore_asked explore_asked = {.schedules = 16, .launches = 4, .fd = -1};

static bool is_number(const char *text, unsigned long most, unsigned *out)
{
    char *end;
    errno = 0;
    unsigned long v = strtoul(text, &end, 10);
    *out = (unsigned)v;
    return *text >= '0' && *text <= '9' && !*end && !errno && v >= 1 && v <= most;
}

static bool parse_word(const char *word)
{
    unsigned fd;
    char *end;
    const char *value = strchr(word, '=');
    size_t n = value ? (size_t)(value++ - word) : 0;
    if (!n)
        return false;
    if (str_is(word, n, "schedules"))
        return is_number(value, 1000, &explore_asked.schedules);
    if (str_is(word, n, "launches"))
        return is_number(value, UINT32_MAX, &explore_asked.launches);
    if (str_is(word, n, "kernel"))
        return snprintf(explore_asked.kernel, sizeof explore_asked.kernel, "%s", value) <
               (int)sizeof explore_asked.kernel;
    if (str_is(word, n, "tolerance")) {
        explore_asked.tolerance = strtod(value, &end);
        return *value && !*end && explore_asked.tolerance >= 0 && explore_asked.tolerance < 1;
    }
    bool ok = str_is(word, n, "fd") && is_number(value, 1 << 20, &fd) && fcntl((int)fd, F_GETFD) >= 0;
    explore_asked.fd = ok ? (int)fd : -1;
    return ok;
}

void explore_begin(void)
{
    const char *text = env_get("HEDDLE_EXPLORE");
    if (!*text)
        return;
    char *copy = strdup(text), *rest = copy;
    for (char *word; rest && (word = strsep(&rest, ","));)
        if (*word && !parse_word(word))
            log_write(LOG_ERROR, "HEDDLE_EXPLORE: '%s' is not understood", word);
    free(copy);
    explore_wanted = true;
}
