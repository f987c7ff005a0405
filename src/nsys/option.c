// SPDX-License-Identifier: Apache-2.0
// Options of the commands.
#include "nsys/nsys.h"
#include <string.h>
#include <strings.h>

static int find(const struct option_name *list, int n, const char *word, size_t len)
{
    for (int i = 0; i < n; i++)
        if (word[1] == '-' ? strlen(list[i].name) == len - 2 && !strncmp(list[i].name, word + 2, len - 2)
                           : list[i].letter && list[i].letter == word[1])
            return i;
    return -2;
}

int option_next(struct option_scan *s, const struct option_name *list, int n, const char *command, const char **value)
{
    *value = NULL;
    if (s->at >= s->argc || s->argv[s->at][0] != '-' || !s->argv[s->at][1])
        return -1;
    const char *word = s->argv[s->at++];
    if (!strcmp(word, "--"))
        return -1;
    bool is_long = word[1] == '-';
    size_t len = is_long ? strcspn(word, "=") : 2;
    int i = find(list, n, word, len);
    if (i < 0) {
        fprintf(stderr, "nsys %s: unknown option %s\n", command, word);
        return -2;
    }
    if (word[len])
        *value = word + len + is_long;
    else if (list[i].value && s->at < s->argc)
        *value = s->argv[s->at++];
    if (list[i].value && !*value) {
        fprintf(stderr, "nsys %s: %s needs a value\n", command, word);
        return -2;
    }
    return i;
}

bool option_bool(const char *value, bool *out)
{
    static const char *const yes[] = {"true", "yes", "on", "1"}, *const no[] = {"false", "no", "off", "0"};
    for (int i = 0; i < 4; i++) {
        if (!strcasecmp(value, yes[i]))
            *out = true;
        else if (!strcasecmp(value, no[i]))
            *out = false;
        else
            continue;
        return true;
    }
    return false;
}
