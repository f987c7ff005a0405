// SPDX-License-Identifier: Apache-2.0
// The two pictures of the house as graphs. The nodes are files by their paths below src; generated ones are under src too.
#ifndef HEDDLE_HOUSE_READ_H
#define HEDDLE_HOUSE_READ_H
#include "graph.h"

// Every source below SOURCE/src and its #include "..." lines. False: something cannot be read, which has been said.
bool read_includes(const char *source, struct graph *g);
// Every object that BUILD/compile_commands.json makes of a source below SOURCE/src: an edge for each symbol that one uses and another
// one defines.
bool read_calls(const char *source, const char *build, struct graph *g);
// Every folder below SOURCE/src, and the number of files in it.
struct folder {
    const char *path;
    size_t files;
};
struct folders VEC(struct folder);
bool read_folders(const char *source, struct folders *out);
#endif
