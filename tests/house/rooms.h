// SPDX-License-Identifier: Apache-2.0
// The rooms of the house, from rooms.def: which may use which, and how large their circles of calls are yet.
#ifndef HEDDLE_HOUSE_ROOMS_H
#define HEDDLE_HOUSE_ROOMS_H
#include "base/vec.h"

enum { most_files = 25, most_in_circle = 4 };

struct over VEC(size_t);
struct room {
    const char *path; // below src: a folder, or a file
    struct over over; // the rooms named in its row
    size_t circle;    // the most files of one circle
    size_t across;    // the most circles of several folders
};
struct rooms VEC(struct room);

// False: the table is wrong, which has been said.
bool rooms_read(const char *path, struct rooms *out);
// The room that a file, by its path below src, is in: the row with the longest part of it. NULL: none.
const struct room *room_of(const struct rooms *rooms, const char *file);
bool room_may_use(const struct rooms *rooms, const struct room *from, const struct room *to);
#endif
