// SPDX-License-Identifier: Apache-2.0
// See store.h. Results use the same disk cache as compiled kernels; a record is texts, each with its length before it.
#include "nvrtc/store.h"
#include "base/os.h"
#include "front/pch.h"
#include "jit/cache/cache.h"
#include <dirent.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct {
    struct arena arena;
    struct toolkit toolkit;
    struct str message;
    bool found;
    char id[33];
} home;

static void add_file(struct hash128 *h, const char *path)
{
    struct stat st;
    hash128_add_text(h, path);
    if (stat(path, &st))
        return;
    int64_t facts[] = {st.st_size, st.st_mtim.tv_sec, st.st_mtim.tv_nsec, (int64_t)st.st_ino};
    hash128_add(h, facts, sizeof facts);
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static void add_tree(struct hash128 *h, const char *dir)
{
    struct dirent **list;
    int n = scandir(dir, &list, NULL, by_name);
    for (int i = 0; i < n; i++) {
        char path[PATH_MAX];
        if (list[i]->d_name[0] != '.' &&
            snprintf(path, sizeof path, "%s/%s", dir, list[i]->d_name) < (int)sizeof path) {
            if (list[i]->d_type == DT_DIR)
                add_tree(h, path);
            else
                add_file(h, path);
        }
        free(list[i]);
    }
    if (n >= 0)
        free(list);
}

static void home_find(void)
{
    char dir[PATH_MAX];
    arena_init(&home.arena);
    if (!os_self_dir((const void *)(uintptr_t)home_find, dir, sizeof dir)) {
        str_append(&home.message, "the folder of libnvrtc is not known");
        return;
    }
    char *slash = strrchr(dir, '/'); // lib64
    if (slash)
        *slash = 0;
    home.found = toolkit_init(&home.toolkit, &home.arena, dir, NULL, &home.message);
    struct hash128 h;
    hash128_init(&h);
    add_tree(&h, home.toolkit.include);
    add_file(&h, home.toolkit.devmath ? home.toolkit.devmath : "");
    add_file(&h, home.toolkit.clangxx);
    add_file(&h, arena_printf(&home.arena, "%s/libnvrtc.so.13", home.toolkit.lib));
    hash128_hex(&h, home.id);
}

bool store_toolkit(struct toolkit *out, struct arena *a, struct str *message)
{
    pthread_once(&once, home_find);
    *out = home.toolkit;
    out->arena = a; // an arena serves one thread
    if (!home.found)
        str_printf(message, "nvrtc: error: %s\n", str_text(&home.message));
    return home.found;
}

const char *store_toolkit_id(void)
{
    pthread_once(&once, home_find);
    return home.id;
}

static void record_add(struct str *s, const char *text, size_t size)
{
    uint64_t n = size;
    str_append_n(s, (const char *)&n, sizeof n);
    str_append_n(s, text, size);
}

// The next text of a record, not zero-terminated; false at the end of what is there.
static bool record_next(const char **p, const char *end, const char **text, size_t *size)
{
    uint64_t n;
    if ((size_t)(end - *p) < sizeof n)
        return false;
    memcpy(&n, *p, sizeof n);
    if (n > (size_t)(end - *p) - sizeof n)
        return false;
    *text = *p + sizeof n;
    *size = n;
    *p = *text + n;
    return true;
}

// The file is as the record says: "size time path".
static bool file_same(const char *text, size_t size)
{
    char line[PATH_MAX + 64], state[64];
    if (size >= sizeof line)
        return false;
    memcpy(line, text, size);
    line[size] = 0;
    char *path = strchr(line, '\t');
    if (!path)
        return false;
    *path++ = 0;
    return os_file_state(path, state, sizeof state) && !strcmp(state, line);
}

bool store_get(const struct hash128 *key, struct program *p)
{
    void *data;
    size_t size, n;
    if (!cache_get(key, &data, &size))
        return false;
    const char *at = data, *end = at + size, *text;
    bool ok = record_next(&at, end, &text, &n);
    if (ok)
        str_append_n(&p->log, text, n);
    ok = ok && record_next(&at, end, &text, &n);
    if (ok)
        str_append_n(&p->ptx, text, n);
    for (size_t i = 0; ok && i < p->expressions.len; i++) {
        ok = record_next(&at, end, &text, &n);
        if (ok)
            vec_push(&p->lowered, text_copy(text, n));
    }
    while (ok && at < end)
        ok = record_next(&at, end, &text, &n) && file_same(text, n);
    free(data);
    if (!ok)
        program_clear(p);
    return ok;
}

// The files of a makefile rule, as "size time path" each.
static bool depends_add(struct str *s, const char *rule, const char *const *skip)
{
    const char *p = strstr(rule, ": ");
    bool ok = p;
    p = p ? p + 1 : rule;
    for (char *path; ok && (path = front_rule_next(&p)); free(path)) {
        char line[PATH_MAX + 80], state[64];
        bool listed = true;
        for (const char *const *k = skip; *k; k++)
            listed = listed && strncmp(path, *k, strlen(*k));
        if (!listed)
            continue;
        ok = strlen(path) < PATH_MAX && os_file_state(path, state, sizeof state);
        if (ok)
            record_add(s, line, (size_t)snprintf(line, sizeof line, "%s\t%s", state, path));
    }
    return ok;
}

void store_put(const struct hash128 *key, const struct program *p, const char *depends, const char *const *skip)
{
    struct str s = {0};
    record_add(&s, str_text(&p->log), p->log.len);
    record_add(&s, str_text(&p->ptx), p->ptx.len);
    for (size_t i = 0; i < p->lowered.len; i++)
        record_add(&s, p->lowered.data[i], strlen(p->lowered.data[i]));
    if (depends_add(&s, depends, skip))
        cache_put(key, s.data, s.len);
    str_free(&s);
}
