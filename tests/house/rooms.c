// SPDX-License-Identifier: Apache-2.0
#include "rooms.h"
#include "base/os.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A row may name rooms of rows before it alone, so that there is no circle in the table.
static bool read_row(char *row, struct rooms *out)
{
    struct room room = {.circle = most_in_circle};
    char *rest, *word = strtok_r(row, " \t", &rest);
    if (!word)
        return true;
    room.path = xstrdup(word);
    while ((word = strtok_r(NULL, " \t", &rest))) {
        size_t *limit = !strcmp(word, "circle") ? &room.circle : !strcmp(word, "across") ? &room.across : NULL;
        if (limit) {
            char *number = strtok_r(NULL, " \t", &rest);
            *limit = number ? strtoul(number, NULL, 10) : 0;
            if (!*limit)
                return printf("%s: no number behind %s\n", room.path, word), false;
            continue;
        }
        size_t i = 0;
        while (i < out->len && strcmp(out->data[i].path, word))
            i++;
        if (i == out->len)
            return printf("%s: there is no room %s before it\n", room.path, word), false;
        vec_push(&room.over, i);
    }
    vec_push(out, room);
    return true;
}

bool rooms_read(const char *path, struct rooms *out)
{
    char *text = os_file_read(path, NULL);
    if (!text)
        return printf("%s: cannot be read\n", path), false;
    bool good = true;
    char *rest;
    for (char *row = strtok_r(text, "\n", &rest); row; row = strtok_r(NULL, "\n", &rest)) {
        char *comment = strstr(row, "//");
        if (comment)
            *comment = 0;
        good &= read_row(row, out);
    }
    free(text);
    return good;
}

const struct room *room_of(const struct rooms *rooms, const char *file)
{
    const struct room *found = NULL;
    size_t longest = 0;
    for (size_t i = 0; i < rooms->len; i++) {
        size_t n = strlen(rooms->data[i].path);
        bool in = !strncmp(file, rooms->data[i].path, n) && (file[n] == '/' || file[n] == '.' || !file[n]);
        if (in && n > longest)
            found = &rooms->data[i], longest = n;
    }
    return found;
}

bool room_may_use(const struct rooms *rooms, const struct room *from, const struct room *to)
{
    if (from == to)
        return true;
    for (size_t i = 0; i < from->over.len; i++)
        if (room_may_use(rooms, &rooms->data[from->over.data[i]], to))
            return true;
    return false;
}
