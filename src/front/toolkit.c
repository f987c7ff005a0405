// SPDX-License-Identifier: Apache-2.0
// Where the compiler is: the one this toolkit was built with, else a newer or older one that is installed. An older one
// must be able to read the bitcode of the device math library.
#include "front/front.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef HEDDLE_CLANGXX
#error "the build gives the path of clang++ as HEDDLE_CLANGXX"
#endif
#define CLANG_NEWEST 22

const char *toolkit_program(struct arena *a, const char *name)
{
    if (strchr(name, '/'))
        return access(name, X_OK) ? NULL : name;
    const char *path = secure_getenv("PATH");
    for (const char *p = path ? path : "/usr/local/bin:/usr/bin:/bin"; *p;) {
        size_t n = strcspn(p, ":");
        char full[PATH_MAX];
        if (snprintf(full, sizeof full, "%.*s/%s", (int)n, p, name) < (int)sizeof full && !access(full, X_OK))
            return arena_strdup(a, full);
        p += n + (p[n] == ':');
    }
    return NULL;
}

static bool clang_find(struct toolkit *t, struct str *message)
{
    t->clang_version = HEDDLE_CLANG_VERSION;
    t->clangxx = toolkit_program(t->arena, HEDDLE_CLANGXX);
    for (unsigned v = CLANG_NEWEST; !t->clangxx && v >= HEDDLE_CLANG_OLDEST; v--) {
        t->clang_version = v;
        t->clangxx = toolkit_program(t->arena, arena_printf(t->arena, "clang++-%u", v));
    }
    if (t->clangxx)
        return true;
    str_append(message, "clang++ ");
    if (HEDDLE_CLANG_OLDEST < CLANG_NEWEST)
        str_printf(message, "%u to ", HEDDLE_CLANG_OLDEST);
    str_printf(message, "%u is needed and was not found", CLANG_NEWEST);
    return false;
}

bool toolkit_init(struct toolkit *t, struct arena *a, const char *root, const char *devmath_dir, struct str *message)
{
    t->arena = a;
    t->root = arena_strdup(a, root);
    t->include = arena_printf(a, "%s/include", root);
    t->lib = arena_printf(a, "%s/lib64", root);
    t->link = arena_printf(a, "%s/lib64/link", root);
    t->devrt = arena_printf(a, "%s/nvvm/cudadevrt", root);
    t->devmath = devmath_dir ? arena_printf(a, "%s/devmath.bc", devmath_dir)
                             : arena_printf(a, "%s/nvvm/libdevice/devmath.bc", root);
    if (access(t->devmath, R_OK))
        t->devmath = NULL;
    return clang_find(t, message);
}
