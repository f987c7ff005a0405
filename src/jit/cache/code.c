// SPDX-License-Identifier: Apache-2.0
// See code.h. Compiled kernels: found in the disk cache, or made now by libheddle-jit.so, which holds LLVM and is opened only then.
#include "jit/cache/code.h"
#include "base/env.h"
#include "base/log.h"
#include "base/os.h"
#include "base/process/account.h"
#include "base/reserve.h"
#include "base/str.h"
#include "base/timeline/timeline.h"
#include "base/xmalloc.h"
#include "jit/abi/interface.h"
#include "jit/cache/cache.h"
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

// Live code, for the signal handler: slots are written under the lock and read without.
enum { MAX_CODES = 8192 };
// The parts of the time that quick code took to make after which it is optimised: when it is new, and when it comes
// from the cache, since its program is run again and again then and no run was long enough.
enum { WAIT_NEW = 1, WAIT_CACHED = 8 };
static _Atomic(struct jit_code *) live[MAX_CODES];
static atomic_uint live_count;
static pthread_mutex_t live_lock = PTHREAD_MUTEX_INITIALIZER;

static void live_add(struct jit_code *c)
{
    pthread_mutex_lock(&live_lock);
    unsigned n = atomic_load(&live_count), i = 0;
    while (i < n && atomic_load(&live[i]))
        i++;
    if (i < MAX_CODES) {
        atomic_store(&live[i], c);
        if (i == n)
            atomic_store(&live_count, n + 1);
    }
    pthread_mutex_unlock(&live_lock);
}

static void live_remove(struct jit_code *c)
{
    pthread_mutex_lock(&live_lock);
    unsigned n = atomic_load(&live_count);
    for (unsigned i = 0; i < n; i++)
        if (atomic_load(&live[i]) == c)
            atomic_store(&live[i], NULL);
    pthread_mutex_unlock(&live_lock);
}

static bool lies_in(const struct jit_code *c, const void *address)
{
    return (const char *)address >= (const char *)c->start && (const char *)address < (const char *)c->start + c->size;
}

bool code_each(void (*f)(struct loaded *l, void *data), void *data, unsigned ms)
{
    if (!os_lock_within(&live_lock, ms))
        return false;
    unsigned n = atomic_load(&live_count);
    for (unsigned i = 0; i < n; i++) {
        struct jit_code *c = atomic_load(&live[i]);
        if (c)
            f((struct loaded *)c, data);
    }
    pthread_mutex_unlock(&live_lock);
    return true;
}

bool jit_code_holds(const struct jit_code *code, const void *address)
{
    if (!code->start) // functions of C
        return false;
    const struct loaded *better = atomic_load(&((const struct loaded *)code)->better);
    return lies_in(code, address) || (better && lies_in(&better->code, address));
}

static const struct jit_code *jit_code_at(const void *address)
{
    unsigned n = atomic_load(&live_count);
    for (unsigned i = 0; i < n; i++) {
        const struct jit_code *c = atomic_load(&live[i]);
        if (c && lies_in(c, address))
            return c;
    }
    return NULL;
}

bool jit_code_line(const void *pc, char *out, size_t size)
{
    const struct jit_code *c = jit_code_at(pc);
    return c && line_find(&((const struct loaded *)c)->image, pc, out, size);
}

void code_free(struct loaded *l)
{
    struct loaded *better = atomic_load(&l->better);
    if (better)
        code_free(better);
    live_remove(&l->code);
    register_remove(l->registered);
    load_release(&l->image);
    free(l);
}

struct whole *whole_create(const char *text, size_t size, struct diag *d)
{
    struct whole *w = xcalloc(1, sizeof *w);
    atomic_init(&w->refs, 1);
    w->text = xmalloc(size + 1);
    memcpy(w->text, text, size);
    w->text[size] = 0;
    w->size = size;
    w->ptx = ptx_module_parse(w->text, size, d);
    if (w->ptx)
        return w;
    whole_release(w);
    return NULL;
}

void whole_release(struct whole *w)
{
    if (!w || atomic_fetch_sub(&w->refs, 1) > 1)
        return;
    ptx_module_destroy(w->ptx);
    free(w->text);
    free(w);
}

struct whole *module_whole(struct jit_module *jm, struct diag *d)
{
    pthread_mutex_lock(&jm->lock);
    if (!jm->whole) {
        struct str text = {0};
        if (jm->linked)
            ptx_module_print(jm->ptx, &text);
        jm->whole =
            jm->linked ? whole_create(str_text(&text), text.len, d) : whole_create(jm->source, jm->source_size, d);
        str_free(&text);
        if (jm->whole && !ptx_module_matches(jm->ptx, jm->whole->ptx)) {
            diag_fail(d, DIAG_INTERNAL, "the outline of the module is not that of its text");
            whole_release(jm->whole);
            jm->whole = NULL;
        }
    }
    struct whole *w = jm->whole;
    if (w)
        atomic_fetch_add(&w->refs, 1);
    pthread_mutex_unlock(&jm->lock);
    return w;
}

// The child of a fork needs the dynamic linker's lock to end: a fork waits until the library is open.
static pthread_mutex_t opening = PTHREAD_MUTEX_INITIALIZER;
static jit_compile_fn *compiler; // under the lock, until it is known
static jit_disassemble_fn *disassembler;
static char compiler_error[512]; // why there is none
static pthread_once_t fork_once = PTHREAD_ONCE_INIT;
static _Thread_local bool waited;

static void before_fork(void)
{
    waited = os_lock_within(&opening, 5000);
}

static void after_fork(void)
{
    if (waited)
        pthread_mutex_unlock(&opening);
}

static void fork_watch(void)
{
    pthread_atfork(before_fork, after_fork, after_fork);
}

static void compiler_open(bool *lacks_memory)
{
    enum { SPACE = 128 << 20 }; // of addresses: for its code and for what C++ makes before anything can refuse
    char dir[PATH_MAX - 32], path[PATH_MAX];
    struct reserve reserve;
    bool known = os_self_dir((const void *)compiler_open, dir, sizeof dir);
    snprintf(path, sizeof path, "%s%slibheddle-jit.so", known ? dir : "", known ? "/" : "");
    *lacks_memory = !reserve_begin(&reserve, SPACE);
    if (*lacks_memory)
        return;
    reserve_end(&reserve);
    void *h = os_library_open(path, NULL, 0, lacks_memory);
    if (!h && !*lacks_memory && known) { // of a program beside the libraries
        snprintf(path, sizeof path, "%s/../lib64/libheddle-jit.so", dir);
        h = os_library_open(path, NULL, 0, lacks_memory);
    }
    if (!h && !*lacks_memory) {
        snprintf(path, sizeof path, "libheddle-jit.so");
        h = os_library_open(path, compiler_error, sizeof compiler_error, lacks_memory);
    }
    if (*lacks_memory)
        compiler_error[0] = 0;
    const char *theirs = h ? dlsym(h, "heddle_jit_interface") : NULL;
    jit_compile_fn *entry = h ? (jit_compile_fn *)dlsym(h, "heddle_jit_compile") : NULL;
    if (h && (!entry || !theirs || strcmp(theirs, JIT_INTERFACE)))
        snprintf(compiler_error, sizeof compiler_error, "%.400s is of another build than the driver", path);
    else
        compiler = entry;
    disassembler = compiler ? (jit_disassemble_fn *)dlsym(h, "heddle_jit_disassemble") : NULL;
}

static bool compiler_ready(struct diag *d)
{
    bool lacks_memory = false;
    pthread_once(&fork_once, fork_watch);
    pthread_mutex_lock(&opening);
    if (!compiler && !compiler_error[0])
        compiler_open(&lacks_memory);
    pthread_mutex_unlock(&opening);
    if (lacks_memory)
        return diag_lacks_memory(d);
    return compiler || diag_fail(d, DIAG_COMPILER, "the compiler cannot be loaded: %s", compiler_error);
}

bool jit_compile(const struct ptx_module *m, const struct ptx_func *kernel, const struct jit_options *options,
                 struct jit_object *out, struct diag *d)
{
    return compiler_ready(d) && compiler(m, kernel, options, out, d);
}

bool jit_disassemble(enum jit_machine machine, const void *code, size_t size, jit_listing_fn *take, void *data,
                     struct diag *d)
{
    if (!compiler_ready(d))
        return false;
    return (disassembler && disassembler(machine, code, size, take, data)) ||
           diag_fail(d, DIAG_COMPILER, "there is no disassembler for this processor's code here");
}

void jit_options_asked(struct jit_options *o, bool debug)
{
    const char *quick = env_get("HEDDLE_QUICK"), *compat = env_get("HEDDLE_COMPAT");
    o->debug = debug;
    o->stacks = debug && !strcmp(env_get("HEDDLE_DEBUGGER"), "1");
    o->quick = debug || !strcmp(quick, "never") ? JIT_QUICK_NEVER
               : !strcmp(quick, "always")       ? JIT_QUICK_ALWAYS
                                                : JIT_QUICK_LARGE;
    o->compat = !strcmp(compat, "0")            ? JIT_COMPAT_OFF
                : !strcmp(compat, "everywhere") ? JIT_COMPAT_EVERYWHERE
                                                : JIT_COMPAT_GUESSED;
}

void code_key(const struct hash128 *text, const char *kernel, const struct jit_options *o, bool quick,
              struct hash128 *key)
{
    *key = *text;
    uint32_t numbers[] = {JIT_ABI_VERSION, o->width,  o->block[0],   o->block[1], o->block[2], o->debug,
                          o->checked,      o->compat, o->descending, quick,       o->check,    o->stacks};
    hash128_add_text(key, JIT_INTERFACE);
    hash128_add_text(key, cache_machine());
    hash128_add_text(key, env_get("HEDDLE_CPU"));
    hash128_add_text(key, env_get("HEDDLE_STRUCTURE"));
    hash128_add_text(key, env_get("HEDDLE_PASSES"));
    hash128_add_text(key, kernel);
    hash128_add(key, numbers, sizeof numbers);
}

// The cache keeps struct jit_variant followed by the object.
static bool object_cached(const struct hash128 *text, const char *kernel, const struct jit_options *o, bool quick,
                          struct jit_object *out)
{
    struct hash128 key;
    void *data;
    size_t size;
    code_key(text, kernel, o, quick, &key);
    if (!cache_get(&key, &data, &size))
        return false;
    bool ok = size > sizeof out->variant;
    if (ok) {
        memcpy(&out->variant, data, sizeof out->variant);
        out->size = size - sizeof out->variant;
        memmove(data, (char *)data + sizeof out->variant, out->size);
        out->data = data;
    } else {
        free(data);
    }
    return ok;
}

// For tools: code of a kernel was made, or loaded.
static void tell_code(enum timeline_compile how, const char *kernel, uint64_t since, size_t bytes)
{
    struct timeline_event e = {.kind = TIMELINE_COMPILE, .start = since, .compile = {kernel, bytes, how}};
    if (!timeline_wants(TIMELINE_COMPILE))
        return;
    e.correlation = timeline_correlation();
    e.end = os_time_ns();
    timeline_tell(&e);
}

static bool object_compile(const struct hash128 *text, const struct ptx_module *m, const struct ptx_func *kernel,
                           const struct jit_options *o, struct jit_object *out, struct diag *d)
{
    struct hash128 key;
    if (!compiler_ready(d))
        return false;
    uint64_t t = os_time_ns(), since = t;
    if (!compiler(m, m->funcs[kernel->index], o, out, d))
        return false;
    t = os_time_ns() - t;
    bool quick = out->variant.quick_us;
    if (quick)
        out->variant.quick_us = t / 1000 < UINT32_MAX ? (uint32_t)(t / 1000) + 1 : UINT32_MAX;
    log_write(LOG_INFO, "compiled %s at width %u for blocks of %ux%ux%u in %.1f ms, %zu bytes%s", kernel->name,
              out->variant.width, o->block[0], o->block[1], o->block[2], (double)t * 1e-6, out->size,
              quick ? ", quickly" : "");
    account_done(quick ? ACCOUNT_QUICK : ACCOUNT_COMPILE, kernel->name, since, out->size);
    tell_code(quick ? COMPILE_QUICK : COMPILE_OPTIMISED, kernel->name, since, out->size);
    code_key(text, kernel->name, o, quick, &key);
    char *both = malloc(sizeof out->variant + out->size);
    if (both) {
        memcpy(both, &out->variant, sizeof out->variant);
        memcpy(both + sizeof out->variant, out->data, out->size);
        cache_put(&key, both, sizeof out->variant + out->size);
        free(both);
    }
    return true;
}

static bool image_cached(const struct hash128 *text, const struct ptx_func *kernel, const struct jit_options *o,
                         bool quick, struct jit_object *object, struct load_image *image)
{
    struct diag quiet;
    diag_init(&quiet, NULL);
    bool ok =
        object_cached(text, kernel->name, o, quick, object) && load_object(object->data, object->size, image, &quiet);
    diag_fini(&quiet);
    if (!ok) { // not there, or not usable
        free(object->data);
        object->data = NULL;
    }
    return ok;
}

// Takes over the object's memory, and that of l if it cannot be used.
static struct loaded *code_ready(struct loaded *l, const struct ptx_func *kernel, const struct jit_options *o,
                                 struct jit_object *object, bool cached, struct diag *d)
{
    struct str entry = {0};
    l->kernel = kernel;
    l->options = *o;
    l->code.variant = object->variant;
    if (o->debug)
        str_append(&entry, JIT_ENTRY_PLAIN);
    else
        str_printf(&entry, "%s" JIT_ENTRY_SUFFIX, kernel->name);
    atomic_init(&l->code.entry, (jit_entry_fn *)load_symbol(&l->image, str_text(&entry)));
    str_free(&entry);
    l->code.start = l->image.base;
    l->code.size = l->image.code_size;
    atomic_init(&l->code.wait_ns, object->variant.quick_us * 1000ull / (cached ? WAIT_CACHED : WAIT_NEW));
    atomic_init(&l->code.quick, object->variant.quick_us ? WAIT_COUNTS : WAIT_OVER);
    snprintf(l->code.name, sizeof l->code.name, "%s", kernel->name);
    free(object->data);
    if (!atomic_load(&l->code.entry)) {
        diag_fail(d, DIAG_INTERNAL, "compiled object: no entry");
        load_release(&l->image);
        free(l);
        return NULL;
    }
    l->registered = register_add(kernel->name, &l->image);
    live_add(&l->code);
    return l;
}

struct loaded *code_cached(const struct hash128 *text, const struct ptx_func *kernel, const struct jit_options *o)
{
    struct jit_object object = {0};
    struct diag quiet;
    struct loaded *l = xcalloc(1, sizeof *l);
    uint64_t since = account_since(), began = timeline_since(TIMELINE_COMPILE);
    bool found = image_cached(text, kernel, o, false, &object, &l->image) ||
                 (o->quick && image_cached(text, kernel, o, true, &object, &l->image));
    if (!found) {
        free(l);
        return NULL;
    }
    diag_init(&quiet, NULL);
    l = code_ready(l, kernel, o, &object, true, &quiet);
    account_done(ACCOUNT_LOAD, kernel->name, since, object.size);
    tell_code(COMPILE_LOADED, kernel->name, began, object.size);
    diag_fini(&quiet);
    return l;
}

struct loaded *code_compiled(const struct hash128 *text, const struct ptx_module *m, const struct ptx_func *kernel,
                             const struct jit_options *o, struct diag *d)
{
    struct jit_object object = {0};
    struct loaded *l = xcalloc(1, sizeof *l);
    if (object_compile(text, m, kernel, o, &object, d) && load_object(object.data, object.size, &l->image, d))
        return code_ready(l, kernel, o, &object, false, d);
    free(object.data);
    load_release(&l->image);
    free(l);
    return NULL;
}

bool code_same_options(const struct jit_options *a, const struct jit_options *b)
{
    return a->width == b->width && a->debug == b->debug && a->checked == b->checked && a->compat == b->compat &&
           a->descending == b->descending && a->check == b->check && a->stacks == b->stacks &&
           !memcmp(a->block, b->block, sizeof a->block);
}

struct loaded *module_find(const struct jit_module *jm, const struct ptx_func *kernel,
                           const struct jit_options *options)
{
    for (struct jit_code *c = jm->codes; c; c = c->next) {
        struct loaded *l = (struct loaded *)c;
        if (l->kernel == kernel && code_same_options(&l->options, options))
            return l;
    }
    return NULL;
}

void module_insert(struct jit_module *jm, const struct ptx_func *kernel, struct loaded *l)
{
    l->kernel = kernel;
    l->code.next = jm->codes;
    jm->codes = &l->code;
    atomic_store(&l->module, jm);
}
