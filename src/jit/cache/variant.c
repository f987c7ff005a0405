// SPDX-License-Identifier: Apache-2.0
// The code of a module: what it has in memory, else what the disk cache has, else what is compiled now.
#include "jit/cache/code.h"
#include "base/xmalloc.h"
#include "jit/cache/upgrade.h"
#include <string.h>

struct jit_module *jit_module_create(const struct ptx_module *m, const char *text, size_t size, bool linked)
{
    struct jit_module *jm = xcalloc(1, sizeof *jm);
    jm->ptx = m;
    jm->source = text;
    jm->source_size = size;
    jm->linked = linked;
    hash128_init(&jm->text);
    hash128_add(&jm->text, text, size);
    pthread_mutex_init(&jm->lock, NULL);
    return jm;
}

const struct ptx_module *jit_module_whole(struct jit_module *jm, struct diag *d)
{
    if (!jm->ptx->outline)
        return jm->ptx;
    struct whole *w = module_whole(jm, d);
    const struct ptx_module *m = w ? w->ptx : NULL;
    whole_release(w); // the module keeps it
    return m;
}

void jit_module_destroy(struct jit_module *jm)
{
    if (!jm)
        return;
    upgrade_forget(jm);
    for (struct jit_code *c = jm->codes, *next; c; c = next) {
        next = c->next;
        code_free((struct loaded *)c);
    }
    whole_release(jm->whole);
    pthread_mutex_destroy(&jm->lock);
    free(jm);
}

static bool same_options(const struct jit_options *a, const struct jit_options *b)
{
    return a->width == b->width && a->debug == b->debug && a->checked == b->checked &&
           !memcmp(a->block, b->block, sizeof a->block);
}

static struct loaded *code_find(const struct jit_module *jm, const struct ptx_func *kernel,
                                const struct jit_options *options)
{
    for (struct jit_code *c = jm->codes; c; c = c->next) {
        struct loaded *l = (struct loaded *)c;
        if (l->kernel == kernel && same_options(&l->options, options))
            return l;
    }
    return NULL;
}

static struct loaded *code_make(struct jit_module *jm, const struct ptx_func *kernel, const struct jit_options *o,
                                struct diag *d)
{
    struct loaded *l = code_cached(&jm->text, kernel, o);
    const struct ptx_module *m = l ? NULL : jit_module_whole(jm, d);
    return l || !m ? l : code_compiled(&jm->text, m, kernel, o, d);
}

// Code is made outside the lock, so that threads compile different kernels at the same time. Of two that made the same,
// which callers seldom ask for, the second gives its own up.
struct jit_code *jit_module_code(struct jit_module *jm, const struct ptx_func *kernel,
                                 const struct jit_options *options, struct diag *d)
{
    pthread_mutex_lock(&jm->lock);
    struct loaded *found = code_find(jm, kernel, options);
    pthread_mutex_unlock(&jm->lock);
    if (found)
        return &found->code;
    struct loaded *made = code_make(jm, kernel, options, d);
    if (!made)
        return NULL;
    made->module = jm;
    if (made->code.variant.quick_us)
        upgrade_watch();
    pthread_mutex_lock(&jm->lock);
    found = code_find(jm, kernel, options);
    if (!found) {
        made->code.next = jm->codes;
        jm->codes = &made->code;
    }
    pthread_mutex_unlock(&jm->lock);
    if (found)
        code_free(made);
    return found ? &found->code : &made->code;
}
