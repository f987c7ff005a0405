// SPDX-License-Identifier: Apache-2.0
#include "base/os.h"
#include "base/str.h"
#include "read.h"
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct tree {
    const char *root; // SOURCE/src
    struct graph *g;
    struct folders *folders;
};

// The path without "." and "..", in place; what climbs above the root keeps its "..".
static void normalise(char *path)
{
    char *out = path;
    for (char *p = path; *p;) {
        size_t n = strcspn(p, "/");
        bool up = n == 2 && p[0] == '.' && p[1] == '.';
        char *last = out;
        while (last > path && last[-1] != '/')
            last--;
        if (up && out > path && strncmp(last, "..", 2)) {
            out = last > path ? last - 1 : path;
        } else if (!(n == 1 && *p == '.') && n) {
            if (out > path)
                *out++ = '/';
            memmove(out, p, n);
            out += n;
        }
        p += n + (p[n] == '/');
    }
    *out = 0;
}

// A quoted name is looked for beside the file, then in src. What is in neither place is generated, where its first part is a
// folder of src, or else not of the house: a public header.
static void add_include(struct tree *t, const char *file, const char *name, size_t len)
{
    const char *slash = strrchr(file, '/');
    struct str beside = {0}, path = {0};
    str_printf(&beside, "%.*s%.*s", slash ? (int)(slash - file + 1) : 0, file, (int)len, name);
    normalise(beside.data);
    str_printf(&path, "%s/%s", t->root, beside.data);
    struct stat st;
    size_t from = graph_node(t->g, file);
    if (!stat(path.data, &st) && strncmp(beside.data, "..", 2)) {
        graph_edge(t->g, from, graph_node(t->g, beside.data), NULL);
    } else {
        path.len = beside.len = 0;
        str_printf(&beside, "%.*s", (int)len, name);
        normalise(beside.data);
        str_printf(&path, "%s/%.*s", t->root, (int)strcspn(beside.data, "/"), beside.data);
        if (strncmp(beside.data, "..", 2) && !stat(path.data, &st) && S_ISDIR(st.st_mode) &&
            strncmp(beside.data, "heddle/", 7))
            graph_edge(t->g, from, graph_node(t->g, beside.data), NULL);
    }
    str_free(&beside);
    str_free(&path);
}

static bool add_file(struct tree *t, const char *file)
{
    struct str path = {0};
    str_printf(&path, "%s/%s", t->root, file);
    char *text = os_file_read(path.data, NULL);
    str_free(&path);
    if (!text)
        return printf("%s: cannot be read\n", file), false;
    graph_node(t->g, file);
    for (char *p = text; p; p = strchr(p, '\n')) {
        p += strspn(p, " \t\n");
        if (*p != '#')
            continue;
        p += 1 + strspn(p + 1, " \t");
        if (strncmp(p, "include", 7))
            continue;
        p += 7 + strspn(p + 7, " \t");
        if (*p == '"')
            add_include(t, file, p + 1, strcspn(p + 1, "\"\n"));
    }
    free(text);
    return true;
}

static bool is_source(const char *name)
{
    static const char *const endings[] = {".c", ".h", ".def", ".inc", ".cu", ".cuh"};
    const char *dot = strrchr(name, '.');
    for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++)
        if (!strcmp(dot, endings[i]))
            return true;
    return false;
}

static bool walk(struct tree *t, const char *folder)
{
    struct str path = {0};
    str_printf(&path, "%s/%s", t->root, folder);
    DIR *dir = opendir(path.data);
    if (!dir) {
        printf("%s: cannot be read\n", path.data);
        str_free(&path);
        return false;
    }
    bool good = true;
    size_t files = 0;
    for (struct dirent *e; (e = readdir(dir));) {
        if (e->d_name[0] == '.')
            continue;
        struct str name = {0}, full = {0};
        str_printf(&name, "%s%s%s", folder, *folder ? "/" : "", e->d_name);
        str_printf(&full, "%s/%s", t->root, name.data);
        struct stat st;
        if (!stat(full.data, &st) && S_ISDIR(st.st_mode)) {
            good &= walk(t, name.data);
        } else {
            files++;
            if (t->g && is_source(name.data))
                good &= add_file(t, name.data);
        }
        str_free(&name);
        str_free(&full);
    }
    closedir(dir);
    str_free(&path);
    if (t->folders)
        vec_push(t->folders, ((struct folder){xstrdup(folder), files}));
    return good;
}

static bool walk_sources(const char *source, struct graph *g, struct folders *folders)
{
    struct str root = {0};
    str_printf(&root, "%s/src", source);
    struct tree t = {root.data, g, folders};
    bool good = walk(&t, "");
    str_free(&root);
    return good;
}

bool read_includes(const char *source, struct graph *g)
{
    return walk_sources(source, g, NULL);
}

bool read_folders(const char *source, struct folders *out)
{
    return walk_sources(source, NULL, out);
}
