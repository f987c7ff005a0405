// SPDX-License-Identifier: Apache-2.0
// house includes SOURCE ROOMS
// house calls SOURCE ROOMS BUILD
// Measures who includes and who calls whom among the files below SOURCE/src, prints the picture and checks it. rooms.def has the
// order of the rooms; a folder has up to 25 files; includes have no circle; a circle of calls stays in one folder and has up to 4
// files, or as many as the room's row says, which is what it had when the row was written.
#include "read.h"
#include "rooms.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static int failures;
static void __attribute__((format(printf, 1, 2))) fail(const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    printf("WRONG: ");
    vprintf(format, ap);
    printf("\n");
    va_end(ap);
    failures++;
}

static void print_edge(const struct graph *g, size_t from, const struct edge *e)
{
    printf("  %s -> %s", g->nodes.data[from].name, g->nodes.data[e->to].name);
    for (size_t i = 0; i < e->labels.len; i++)
        printf("%s %s", i ? "" : ":", e->labels.data[i]);
    printf("\n");
}

// Every edge between rooms goes where the table lets it.
static void check_order(const struct graph *g, const struct rooms *rooms)
{
    for (size_t i = 0; i < g->nodes.len; i++) {
        const struct node *n = &g->nodes.data[i];
        const struct room *from = room_of(rooms, n->name);
        if (!from)
            fail("%s is in no room", n->name);
        for (size_t e = 0; from && e < n->edges.len; e++) {
            const struct room *to = room_of(rooms, g->nodes.data[n->edges.data[e].to].name);
            if (!to || room_may_use(rooms, from, to))
                continue;
            fail("%s may not use %s", from->path, to->path);
            print_edge(g, i, &n->edges.data[e]);
        }
    }
}

static size_t folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) : 0;
}

static bool same_folder(const char *a, const char *b)
{
    return folder_length(a) == folder_length(b) && !strncmp(a, b, folder_length(a));
}

struct extent {
    const struct room *room; // of all members; NULL: of several
    bool across;             // several folders
};

static struct extent extent_of(const struct graph *g, const struct rooms *rooms, const struct members *c)
{
    const char *first = g->nodes.data[c->data[0]].name;
    struct extent x = {room_of(rooms, first), false};
    for (size_t i = 1; i < c->len; i++) {
        const char *name = g->nodes.data[c->data[i]].name;
        x.across |= !same_folder(first, name);
        if (room_of(rooms, name) != x.room)
            x.room = NULL;
    }
    return x;
}

static void print_circle(const struct graph *g, struct members *c, const struct extent *x)
{
    struct back_edges back = {0};
    printf("\ncircle of %zu files in %s%s, in the order in which the fewest names point back:\n", c->len,
           x->room ? x->room->path : "several rooms", x->across ? ", across folders" : "");
    graph_order(g, c, &back);
    for (size_t i = 0; i < c->len; i++)
        printf("  %s\n", g->nodes.data[c->data[i]].name);
    printf("without these there would be none:\n");
    for (size_t i = 0; i < back.len; i++)
        print_edge(g, back.data[i].from, back.data[i].edge);
    vec_free(&back);
}

static void check_call_circles(struct graph *g, const struct rooms *rooms)
{
    struct circles circles = {0};
    graph_circles(g, &circles);
    size_t *across = xcalloc(rooms->len + 1, sizeof *across), *largest = xcalloc(rooms->len + 1, sizeof *largest);
    for (size_t i = 0; i < circles.len; i++) {
        struct members *c = &circles.data[i];
        struct extent x = extent_of(g, rooms, c);
        print_circle(g, c, &x);
        if (!x.room) {
            fail("a circle of calls across rooms");
            continue;
        }
        size_t r = (size_t)(x.room - rooms->data);
        across[r] += x.across;
        largest[r] = c->len > largest[r] ? c->len : largest[r];
        if (c->len > x.room->circle)
            fail("a circle of calls has more than %zu files", x.room->circle);
    }
    printf("\n%zu circles of calls\n", circles.len);
    for (size_t r = 0; r < rooms->len; r++) {
        const struct room *room = &rooms->data[r];
        if (across[r] > room->across)
            fail("%s: %zu circles of calls across folders, of which there may be %zu", room->path, across[r],
                 room->across);
        if (across[r] < room->across || (room->circle > most_in_circle && largest[r] < room->circle))
            printf("%s: its row can be lowered to circle %zu across %zu\n", room->path, largest[r], across[r]);
    }
    free(across);
    free(largest);
}

static void check_include_circles(struct graph *g, const struct rooms *rooms)
{
    struct circles circles = {0};
    graph_circles(g, &circles);
    for (size_t i = 0; i < circles.len; i++) {
        struct extent x = extent_of(g, rooms, &circles.data[i]);
        print_circle(g, &circles.data[i], &x);
        fail("a circle of includes");
    }
    printf("%zu circles of includes\n", circles.len);
}

static void check_folders(const char *source)
{
    struct folders folders = {0};
    if (!read_folders(source, &folders))
        fail("the folders cannot be read");
    for (size_t i = 0; i < folders.len; i++)
        if (folders.data[i].files > most_files)
            fail("src/%s has %zu files, more than %d", folders.data[i].path, folders.data[i].files, most_files);
    vec_free(&folders);
}

int main(int argc, char **argv)
{
    bool includes = argc == 4 && !strcmp(argv[1], "includes"), calls = argc == 5 && !strcmp(argv[1], "calls");
    if (!includes && !calls)
        return printf("house includes SOURCE ROOMS, house calls SOURCE ROOMS BUILD\n"), 2;
    struct graph g = {0};
    struct rooms rooms = {0};
    if (!rooms_read(argv[3], &rooms) || !(includes ? read_includes(argv[2], &g) : read_calls(argv[2], argv[4], &g)))
        return 2;
    printf("%zu files, %zu edges\n", g.nodes.len, graph_edge_count(&g));
    if (!g.nodes.len)
        fail("there are no files");
    check_order(&g, &rooms);
    if (includes) {
        check_include_circles(&g, &rooms);
        check_folders(argv[2]);
    } else {
        check_call_circles(&g, &rooms);
    }
    printf("%d failures\n", failures);
    return failures != 0;
}
