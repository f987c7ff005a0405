// SPDX-License-Identifier: Apache-2.0
// See upgrade.h. Quick code that has run for as long as it took to make is worth optimising: a thread does that, and then the
// entry changes. Quick and optimised code of a variant have the same frame and give the same bits, so that a block may run in either.
//
// Programs are shorter than that, for the most part, and run again. What decides for these is the time over all their runs, which the
// cache keeps beside the code (cache_ran). Measured on programs of the Rodinia suite that run for 10 to 100 ms: optimising takes two to four times as long
// as making quick code, 100 ms to 2 s, so that no wait at the end of one run pays. What should be optimised then, or is
// being optimised, is left to a process of low priority that outlives the program; the next run finds the result, and runs as fast as
// the kernels allow. Where there is no such process the program waits, if by the time that quick code took the optimisation will
// be over soon; there is no wait in vain.
#include "jit/cache/upgrade.h"
#include "base/log.h"
#include "base/os.h"
#include "base/xmalloc.h"
#include "base/str.h"
#include "jit/cache/background.h"
#include "jit/cache/cache.h"
#include "jit/cache/code.h"
#include "jit/cache/todo.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Optimising takes so many times as long as quick code; a process that may leave nothing waits so long at its end; a part of the time that
// quick code took to make after which it is left to be optimised, and is when it comes from the cache.
enum { TIMES = 4, END_MS = 500, WORTH = 8 };

struct upgrade {
    struct loaded *of;
    struct whole *whole;
    struct hash128 text;
    uint32_t kernel; // index
    struct jit_options options;
    struct loaded *better;
};

static void upgrade_work(void *data)
{
    struct upgrade *u = data;
    const struct ptx_func *kernel = u->whole->ptx->funcs[u->kernel];
    struct diag d;
    diag_init(&d, NULL);
    u->better = code_cached(&u->text, kernel, &u->options);
    if (!u->better)
        u->better = code_compiled(&u->text, u->whole->ptx, kernel, &u->options, &d);
    if (!u->better)
        log_write(LOG_WARN, "%s cannot be optimised: its quick code stays", kernel->name);
    diag_fini(&d);
}

static bool same_variant(struct jit_variant a, struct jit_variant b)
{
    a.quick_us = b.quick_us = 0;
    return !memcmp(&a, &b, sizeof a);
}

static void upgrade_over(void *data, bool wanted)
{
    struct upgrade *u = data;
    struct loaded *l = u->of, *better = u->better;
    if (wanted && better && !same_variant(l->code.variant, better->code.variant)) {
        log_write(LOG_WARN, "internal error: %s, optimised, is another variant: its quick code stays", l->code.name);
    } else if (wanted && better) {
        better->kernel = l->kernel;
        atomic_store(&l->better, better);
        atomic_store_explicit(&l->code.entry, atomic_load(&better->code.entry), memory_order_release);
        better = NULL;
    }
    if (wanted)
        atomic_store(&l->code.quick, WAIT_OVER);
    if (better)
        code_free(better);
    whole_release(u->whole);
    free(u);
}

static bool upgrade_begin(struct loaded *l)
{
    struct jit_module *jm = atomic_load(&l->module);
    struct diag d;
    diag_init(&d, NULL);
    struct whole *w = module_whole(jm, &d);
    diag_fini(&d);
    if (!w)
        return false;
    struct upgrade *u = xcalloc(1, sizeof *u);
    *u = (struct upgrade){.of = l, .whole = w, .text = jm->text, .kernel = l->kernel->index, .options = l->options};
    u->options.quick = JIT_QUICK_NEVER;
    if (background_add(LANE_UPGRADE, jm, upgrade_work, upgrade_over, u, l->code.variant.quick_us * 1000ull * TIMES))
        return true;
    whole_release(w);
    free(u);
    return false;
}

// Until it has run for as long as quick code took to make, the process that works off what was left may do it.
static bool leave_to_other(const struct loaded *l, uint64_t spent_ns)
{
    struct hash128 key;
    if (spent_ns >= l->code.variant.quick_us * 1000ull)
        return false;
    code_key(&atomic_load(&l->module)->text, l->kernel->name, &l->options, false, &key);
    return todo_expected(&key);
}

void jit_code_spent(struct jit_code *code, uint64_t ns)
{
    struct loaded *l = (struct loaded *)code;
    uint32_t counts = WAIT_COUNTS;
    uint64_t spent = atomic_fetch_add(&code->spent_ns, ns) + ns;
    if (spent < atomic_load(&code->wait_ns) || !atomic_load(&l->module) ||
        !atomic_compare_exchange_strong(&code->quick, &counts, WAIT_MADE))
        return;
    if (leave_to_other(l, spent)) {
        atomic_store(&code->wait_ns, spent * 2);
        atomic_store(&code->quick, WAIT_COUNTS);
    } else if (!upgrade_begin(l)) {
        atomic_store(&code->quick, WAIT_OVER);
    }
}

// ---- what is left
static bool is_worth(struct loaded *l, const struct jit_module *jm)
{
    struct hash128 key;
    uint32_t state = atomic_load(&l->code.quick);
    uint64_t us = atomic_load(&l->code.spent_ns) / 1000;
    if (state != WAIT_COUNTS || !us)
        return state == WAIT_MADE;
    code_key(&jm->text, l->kernel->name, &l->options, true, &key);
    return cache_ran(&key, us) >= l->code.variant.quick_us / WORTH;
}

struct left {
    struct jit_module *only; // NULL: of all
    bool any;
};

static void leave(struct loaded *l, void *data)
{
    struct left *left = data;
    struct jit_module *jm = atomic_load(&l->module);
    if (!jm || (left->only && left->only != jm) || atomic_load(&l->better) || !is_worth(l, jm))
        return;
    struct todo t = {.text_key = jm->text, .kernel = l->kernel->name, .options = l->options};
    struct str text = {0};
    if (jm->linked)
        ptx_module_print(jm->ptx, &text);
    t.text = jm->linked ? str_text(&text) : jm->source;
    t.text_size = jm->linked ? text.len : jm->source_size;
    code_key(&jm->text, t.kernel, &t.options, false, &t.key);
    left->any |= todo_add(&t);
    str_free(&text);
}

static atomic_bool started_any; // work is left that nobody has been started for

void upgrade_forget(struct jit_module *jm)
{
    struct left left = {.only = jm};
    if (jm->codes && todo_allowed() && code_each(leave, &left, END_MS) && left.any)
        atomic_store(&started_any, true);
    background_forget(jm);
}

static pid_t process; // a child of it that ends has nothing to leave

static void at_exit(void)
{
    struct left left = {0};
    if (getpid() != process)
        return;
    bool allowed = todo_allowed();
    background_end(allowed || !cache_dir() ? 0 : END_MS);
    bool ok = allowed && code_each(leave, &left, END_MS);
    if (ok && (left.any || atomic_load(&started_any)) && !todo_start())
        background_end(END_MS);
}

static void watch(void)
{
    process = getpid();
    if (atexit(at_exit))
        log_write(LOG_WARN, "nothing can be left to be optimised");
}

void upgrade_watch(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, watch);
}

// ---- in the process that does it
static void make(const struct todo *t)
{
    struct hash128 key;
    struct diag d;
    code_key(&t->text_key, t->kernel, &t->options, false, &key);
    if (memcmp(&key, &t->key, sizeof key)) { // of another compiler, or for another processor
        log_write(LOG_INFO, "%s is left for another build", t->kernel);
        return;
    }
    diag_init(&d, NULL);
    struct whole *w = whole_create(t->text, t->text_size, &d);
    const struct ptx_func *kernel = w ? ptx_module_func(w->ptx, t->kernel) : NULL;
    struct loaded *l = kernel ? code_cached(&t->text_key, kernel, &t->options) : NULL;
    if (kernel && !l)
        l = code_compiled(&t->text_key, w->ptx, kernel, &t->options, &d);
    if (!l)
        log_write(LOG_WARN, "%s cannot be optimised", t->kernel);
    else
        code_free(l);
    whole_release(w);
    diag_fini(&d);
}

int upgrade_finish(void)
{
    return todo_run(make);
}
