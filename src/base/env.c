// See env.h.
#include "base/env.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

const struct env_row env_table[] = {
#define ENV(name, value, about) {#name, value, about},
#include "base/env.def"
#undef ENV
    {0},
};

const char *env_get(const char *name)
{
    const char *v = secure_getenv(name);
    if (v && *v)
        return v;
    for (const struct env_row *r = env_table; r->name; r++)
        if (!strcmp(r->name, name))
            return r->value;
    assert(!"not in env.def");
    return "";
}
