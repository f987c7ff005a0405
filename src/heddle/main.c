// SPDX-License-Identifier: Apache-2.0
// heddle: what a user asks of Heddle itself: its environment variables, its disk cache.
#include "base/env.h"
#include "heddle/prebuild.h"
#include "jit/cache.h"
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int show_env(void)
{
    for (const struct env_row *r = env_table; r->name; r++) {
        const char *set = secure_getenv(r->name);
        printf("%s%s%s%s\n    %s%s%s%s\n", r->name, set ? "=" : "", set ? set : "",
               set && !env_valid(r, set) ? " (not a valid value: ignored)" : "", r->about,
               *r->value ? " (default " : "", r->value, *r->value ? ")" : "");
    }
    return 0;
}

// Counts the cache's files, and removes them when asked.
static int walk_cache(int clear)
{
    const char *dir = cache_dir();
    unsigned long files = 0;
    unsigned long long bytes = 0;
    if (!dir) {
        puts("the disk cache is off");
        return 0;
    }
    for (unsigned i = 0; i < 256; i++) {
        char sub[PATH_MAX + 8];
        struct stat st;
        snprintf(sub, sizeof sub, "%s/%02x", dir, i);
        DIR *d = opendir(sub);
        for (struct dirent *e; d && (e = readdir(d));) {
            if (e->d_name[0] == '.' || fstatat(dirfd(d), e->d_name, &st, 0))
                continue;
            files++;
            bytes += (unsigned long long)st.st_size;
            if (clear)
                unlinkat(dirfd(d), e->d_name, 0);
        }
        if (d)
            closedir(d);
    }
    printf("%s: %lu kernels, %.1f MiB%s\n", dir, files, (double)bytes / 1048576.0, clear ? ", removed" : "");
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 2 && !strcmp(argv[1], "env"))
        return show_env();
    if (argc >= 2 && !strcmp(argv[1], "cache") && (argc == 2 || !strcmp(argv[2], "show")))
        return walk_cache(0);
    if (argc == 3 && !strcmp(argv[1], "cache") && !strcmp(argv[2], "clear"))
        return walk_cache(1);
    if (argc >= 3 && !strcmp(argv[1], "cache") && !strcmp(argv[2], "prebuild"))
        return prebuild(argc - 3, argv + 3);
    fputs("usage: heddle env | cache [show] | cache clear | cache prebuild [--block X[,Y[,Z]]]... FILE...\n", stderr);
    return 2;
}
