// SPDX-License-Identifier: Apache-2.0
// The code of a module: what it has in memory, else what the disk cache has, else what is compiled now.
#include "jit/cache/code.h"
#include "base/xmalloc.h"
#include "jit/cache/ahead.h"
#include "jit/cache/upgrade.h"
#include <string.h>

struct jit_module *jit_module_create(const struct ptx_module *m, const char *text, size_t size,
                                     const struct hash128 *hash, bool linked)
{
    struct jit_module *jm = xcalloc(1, sizeof *jm);
    jm->ptx = m;
    jm->source = text;
    jm->source_size = size;
    jm->linked = linked;
    jm->ahead = AHEAD_FIRST;
    hash128_init(&jm->text);
    if (hash)
        jm->text = *hash;
    else
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

static struct loaded *code_make(struct jit_module *jm, const struct ptx_func *kernel, const struct jit_options *o,
                                struct diag *d)
{
    struct loaded *l = code_cached(&jm->text, kernel, o);
    const struct ptx_module *m = l ? NULL : jit_module_whole(jm, d);
    if (l || !m)
        return l;
    ahead_begin(jm, kernel, o);
    l = code_compiled(&jm->text, m, kernel, o, d);
    ahead_end();
    return l;
}

// The code that the module has, or NULL. What was made ahead of the first that asks for it was a good guess.
static struct loaded *code_find(struct jit_module *jm, const struct ptx_func *kernel, const struct jit_options *options)
{
    pthread_mutex_lock(&jm->lock);
    struct loaded *l = module_find(jm, kernel, options);
    if (l && l->ahead)
        jm->ahead += AHEAD_MORE;
    if (l)
        l->ahead = false;
    pthread_mutex_unlock(&jm->lock);
    return l;
}

// Code is made outside the lock, so that threads compile different kernels at the same time. What another thread is making is waited for.
struct jit_code *jit_module_code(struct jit_module *jm, const struct ptx_func *kernel,
                                 const struct jit_options *options, struct diag *d)
{
    struct making making = {.module = jm, .kernel = kernel->index, .options = *options};
    struct loaded *found = code_find(jm, kernel, options);
    while (!found && !making_begin(&making)) {
        making_wait(&making);
        found = code_find(jm, kernel, options);
    }
    if (found)
        return &found->code;
    found = code_find(jm, kernel, options); // made between the two looks
    struct loaded *made = found ? NULL : code_make(jm, kernel, options, d);
    if (made) {
        if (made->code.variant.quick_us)
            upgrade_watch();
        pthread_mutex_lock(&jm->lock);
        module_insert(jm, kernel, made);
        pthread_mutex_unlock(&jm->lock);
        found = made;
    }
    making_end(&making);
    return found ? &found->code : NULL;
}
