// SPDX-License-Identifier: Apache-2.0
// See pch.h. The record is text: a line "size time path" for each file, an empty line, then a line for each name.
#include "front/pch.h"
#include "front/source.h"
#include "base/map.h"
#include "base/os.h"
#include "base/str.h"
#include "base/vec.h"
#include "jit/cache/cache.h"
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PCH_KEPT 64 // files, records among them

const char *front_pch_path(struct arena *a, const struct hash128 *key)
{
    char hex[33];
    if (!cache_dir())
        return NULL;
    const char *dir = arena_printf(a, "%s/pch", cache_dir());
    if ((mkdir(dir, 0700) && errno != EEXIST) || !os_folder_is_private(dir))
        return NULL;
    hash128_hex(key, hex);
    return arena_printf(a, "%s/%s.pch", dir, hex);
}

struct kept {
    char name[64];
    struct timespec used;
};

static int newest_first(const void *a, const void *b)
{
    const struct timespec *x = &((const struct kept *)a)->used, *y = &((const struct kept *)b)->used;
    if (x->tv_sec != y->tv_sec)
        return x->tv_sec > y->tv_sec ? -1 : 1;
    return (x->tv_nsec < y->tv_nsec) - (x->tv_nsec > y->tv_nsec);
}

void front_pch_trim(void)
{
    char path[PATH_MAX];
    if (!cache_dir() || snprintf(path, sizeof path, "%s/pch", cache_dir()) >= (int)sizeof path)
        return;
    DIR *dir = opendir(path);
    struct VEC(struct kept) all = {0};
    for (struct dirent *e; dir && (e = readdir(dir));) {
        struct stat st;
        struct kept k;
        if (e->d_name[0] == '.' || strlen(e->d_name) >= sizeof k.name || fstatat(dirfd(dir), e->d_name, &st, 0))
            continue;
        snprintf(k.name, sizeof k.name, "%.60s", e->d_name);
        k.used = st.st_atim.tv_sec > st.st_mtim.tv_sec ? st.st_atim : st.st_mtim;
        vec_push(&all, k);
    }
    if (all.len > PCH_KEPT) {
        qsort(all.data, all.len, sizeof *all.data, newest_first);
        for (size_t i = PCH_KEPT; i < all.len; i++)
            unlinkat(dirfd(dir), all.data[i].name, 0);
    }
    if (dir)
        closedir(dir);
    vec_free(&all);
}

bool front_pch_is_stale(const char *messages)
{
    return strstr(messages, "PCH file") || strstr(messages, "precompiled header") || strstr(messages, "AST file") ||
           strstr(messages, "in precompiled");
}

static void record_path(const char *path, char out[PATH_MAX])
{
    snprintf(out, PATH_MAX, "%s.list", path);
}

// ---- the names in a file, comments and constants apart
static void names_add(struct arena *a, struct map *seen, struct str *out, const char *p)
{
    while (*p) {
        if (p[0] == '/' && (p[1] == '/' || p[1] == '*')) {
            p = source_skip_comment(p);
        } else if (*p == '"') {
            p = source_skip_literal(p);
        } else if (isalpha((unsigned char)*p) || *p == '_') {
            size_t n = source_word_length(p);
            char *name = arena_strndup(a, p, n);
            if (!map_get_str(seen, name)) {
                map_put_str(seen, name, name);
                str_printf(out, "%s\n", name);
            }
            p += n;
        } else if (isdigit((unsigned char)*p)) {
            while (isalnum((unsigned char)*p) || *p == '_' || *p == '\'')
                p++;
        } else {
            p++;
        }
    }
}

char *front_rule_next(const char **p)
{
    do
        *p += strspn(*p, " \t\r\n");
    while (**p == '\\' && strchr("\r\n", (*p)[1]) && *++*p); // the rule goes on in the next line
    if (!**p)
        return NULL;
    char *name = xmalloc(strlen(*p) + 1);
    size_t n = 0;
    for (; **p && !strchr(" \t\r\n", **p); ++*p) {
        if ((**p == '\\' && ((*p)[1] == ' ' || (*p)[1] == '#')) || (**p == '$' && (*p)[1] == '$'))
            ++*p;
        name[n++] = **p;
    }
    name[n] = 0;
    return name;
}

bool front_pch_record(const char *path, const char *rule)
{
    struct str files = {0}, names = {0};
    struct arena arena;
    struct map seen = {0};
    char state[64], target[PATH_MAX];
    bool ok = true;
    arena_init(&arena);
    const char *p = strchr(rule, ':');
    p = p ? p + 1 : rule;
    for (char *file; ok && (file = front_rule_next(&p)); free(file)) {
        char *text = os_file_read(file, NULL);
        ok = text && os_file_state(file, state, sizeof state);
        if (ok) {
            str_printf(&files, "%s %s\n", state, file);
            names_add(&arena, &seen, &names, text);
        }
        free(text);
    }
    str_printf(&files, "\n%s", str_text(&names));
    record_path(path, target);
    ok = ok && os_file_write(target, str_text(&files), files.len);
    map_free(&seen);
    arena_fini(&arena);
    str_free(&files);
    str_free(&names);
    return ok;
}

char *front_pch_check(const char *path)
{
    char list[PATH_MAX], state[64], file[PATH_MAX];
    record_path(path, list);
    char *text = os_file_is_private(path) ? os_file_read_private(list, NULL) : NULL;
    for (const char *p = text; p && *p && *p != '\n';) {
        const char *end = p + strcspn(p, "\n"), *name = strchr(p, ' ');
        name = name && name < end ? strchr(name + 1, ' ') : NULL;
        bool same = name && name < end && end - name < PATH_MAX;
        if (same) {
            snprintf(file, sizeof file, "%.*s", (int)(end - name - 1), name + 1);
            same = os_file_state(file, state, sizeof state) && str_is(p, (size_t)(name - p), state);
        }
        if (!same) {
            free(text);
            return NULL;
        }
        p = end + (*end == '\n');
    }
    return text;
}

bool front_pch_has_name(const char *record, const char *name, size_t size)
{
    char line[256];
    const char *names = strstr(record, "\n\n");
    if (!names || size + 3 > sizeof line)
        return true;
    snprintf(line, sizeof line, "\n%.*s\n", (int)size, name);
    return strstr(names + 1, line) != NULL;
}

bool front_pch_is_shadowed(const char *record, const char *folder)
{
    char path[PATH_MAX];
    struct map folders = {0}; // names of folders below it, with whether they are there
    struct arena arena;
    bool shadowed = false;
    arena_init(&arena);
    for (const char *p = record; *p && *p != '\n' && !shadowed;) {
        const char *end = p + strcspn(p, "\n"), *file = end, *parent;
        while (file > p && file[-1] != '/')
            file--;
        for (parent = file > p ? file - 1 : file; parent > p && parent[-1] != '/';)
            parent--;
        // "DIR/NAME" and "DIR/PARENT/NAME"; the latter only where there is such a folder.
        snprintf(path, sizeof path, "%s/%.*s", folder, (int)(end - file), file);
        shadowed = !access(path, R_OK);
        char *name = arena_strndup(&arena, parent, file > parent ? (size_t)(file - parent - 1) : 0);
        if (!map_get_str(&folders, name)) {
            snprintf(path, sizeof path, "%s/%s", folder, name);
            map_put_str(&folders, name, access(path, R_OK) ? "no" : "yes");
        }
        if (!shadowed && *name && *(const char *)map_get_str(&folders, name) == 'y') {
            snprintf(path, sizeof path, "%s/%.*s", folder, (int)(end - parent), parent);
            shadowed = !access(path, R_OK);
        }
        p = end + (*end == '\n');
    }
    map_free(&folders);
    arena_fini(&arena);
    return shadowed;
}
