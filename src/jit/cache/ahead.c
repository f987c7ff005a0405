// SPDX-License-Identifier: Apache-2.0
// See ahead.h.
#include "jit/cache/ahead.h"
#include "base/env.h"
#include "base/os.h"
#include "base/xmalloc.h"
#include "jit/cache/background.h"
#include "jit/cache/code.h"
#include "jit/cache/upgrade.h"
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ended = PTHREAD_COND_INITIALIZER;
static struct making *all;
static atomic_uint waiting; // launches that wait for the compiler

// ---- what is being made
static bool is_made(const struct making *m)
{
    for (const struct making *x = all; x; x = x->next)
        if (x->module == m->module && x->kernel == m->kernel && code_same_options(&x->options, &m->options))
            return true;
    return false;
}

bool making_begin(struct making *m)
{
    pthread_mutex_lock(&lock);
    bool mine = !is_made(m);
    if (mine) {
        m->next = all;
        all = m;
    }
    pthread_mutex_unlock(&lock);
    return mine;
}

void making_wait(const struct making *m)
{
    pthread_mutex_lock(&lock);
    while (is_made(m))
        pthread_cond_wait(&ended, &lock);
    pthread_mutex_unlock(&lock);
}

void making_end(struct making *m)
{
    pthread_mutex_lock(&lock);
    struct making **at = &all;
    while (*at != m)
        at = &(*at)->next;
    *at = m->next;
    pthread_cond_broadcast(&ended);
    pthread_mutex_unlock(&lock);
}

// ---- pieces
struct guess {
    struct jit_module *module; // while it is wanted
    struct whole *whole;
    struct hash128 text;
    struct making making;
    bool begun; // and in the list
    struct loaded *made;
};

static void guess_work(void *data)
{
    struct guess *g = data;
    const struct ptx_func *kernel = g->whole->ptx->funcs[g->making.kernel];
    struct diag quiet;
    bool idle = os_cpu_idle() || !strcmp(env_get("HEDDLE_AHEAD"), "always");
    g->begun = idle && atomic_load(&waiting) && making_begin(&g->making);
    if (!g->begun)
        return;
    diag_init(&quiet, NULL);
    g->made = code_cached(&g->text, kernel, &g->making.options);
    if (!g->made)
        g->made = code_compiled(&g->text, g->whole->ptx, kernel, &g->making.options, &quiet);
    diag_fini(&quiet);
}

static void guess_over(void *data, bool wanted)
{
    struct guess *g = data;
    if (wanted) {
        struct jit_module *jm = g->module;
        const struct ptx_func *kernel = jm->ptx->funcs[g->making.kernel];
        pthread_mutex_lock(&jm->lock);
        jm->ahead += !g->begun;
        if (g->made && !module_find(jm, kernel, &g->making.options)) {
            g->made->ahead = true;
            module_insert(jm, kernel, g->made);
            g->made = NULL;
        }
        pthread_mutex_unlock(&jm->lock);
    }
    if (g->begun)
        making_end(&g->making);
    if (g->made)
        code_free(g->made);
    whole_release(g->whole);
    free(g);
}

static bool guess_add(struct jit_module *jm, struct whole *w, uint32_t kernel, const struct jit_options *o)
{
    struct guess *g = xcalloc(1, sizeof *g);
    *g = (struct guess){.module = jm, .whole = w, .text = jm->text, .making = {jm, kernel, *o, NULL}};
    atomic_fetch_add(&w->refs, 1);
    if (background_add(LANE_AHEAD, jm, guess_work, guess_over, g, 0))
        return true;
    whole_release(w);
    free(g);
    return false;
}

// Whether the kernel can be launched with these blocks.
static bool may_be(const struct ptx_func *f, const unsigned block[3])
{
    uint64_t threads = (uint64_t)block[0] * block[1] * block[2], most = 1;
    for (int i = 0; i < 3; i++) {
        most *= f->maxntid[i] ? f->maxntid[i] : 1;
        if (f->reqntid[0] && (f->reqntid[i] ? f->reqntid[i] : 1) != block[i])
            return false;
    }
    return f->is_entry && f->has_body && threads && (!f->maxntid[0] || threads <= most);
}

static void guess_all(struct jit_module *jm, const struct ptx_func *kernel, const struct jit_options *o)
{
    struct diag quiet;
    diag_init(&quiet, NULL);
    struct whole *w = module_whole(jm, &quiet);
    diag_fini(&quiet);
    uint32_t n = w ? jm->ptx->nfuncs : 0;
    for (uint32_t k = 1; k < n; k++) { // those behind it first: sources have kernels in the order of their launches
        uint32_t i = (kernel->index + k) % n;
        pthread_mutex_lock(&jm->lock);
        bool wanted = jm->ahead > 0 && may_be(jm->ptx->funcs[i], o->block) && !module_find(jm, jm->ptx->funcs[i], o);
        jm->ahead -= wanted;
        bool more = jm->ahead > 0;
        pthread_mutex_unlock(&jm->lock);
        if ((wanted && !guess_add(jm, w, i, o)) || !more)
            break;
    }
    whole_release(w);
}

void ahead_begin(struct jit_module *jm, const struct ptx_func *kernel, const struct jit_options *o)
{
    atomic_fetch_add(&waiting, 1);
    bool may = strcmp(env_get("HEDDLE_AHEAD"), "0") && jm->ptx->nfuncs > 1;
    if (may && !o->debug && !o->checked && !o->watch) {
        upgrade_watch(); // before the thread may be at work when the process ends
        guess_all(jm, kernel, o);
    }
}

void ahead_end(void)
{
    atomic_fetch_sub(&waiting, 1);
}
