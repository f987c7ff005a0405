// SPDX-License-Identifier: Apache-2.0
// Images: from what a program hands in (PTX text, fat binary, wrapper) to one parsed and checked PTX module.
#include "driver/driver.h"
#include "jit/translate/reach/count.h"
#include "base/env.h"
#include "base/os.h"
#include "base/reserve.h"
#include "fatbin/fatbin_read.h"
#include "jit/cache/cache.h"
#include <ctype.h>
#include <stdlib.h>

struct image *image_retain(struct image *i)
{
    atomic_fetch_add(&i->refs, 1);
    return i;
}

void image_release(struct image *i)
{
    if (!i || atomic_fetch_sub(&i->refs, 1) != 1)
        return;
    jit_module_destroy(i->jit);
    ptx_module_destroy(i->ptx);
    for (uint32_t k = 0; k < i->nkernels; k++) {
        free(i->kernels[k].params), free(i->kernels[k].native);
        if (i->kernels[k].counts)
            count_plan_free(i->kernels[k].counts);
        free(i->kernels[k].counts);
    }
    free(i->kernels);
    free(i->text);
    pthread_mutex_destroy(&i->lock);
    free(i);
}

static void kernel_read(struct kernel_info *k, const struct ptx_func *f)
{
    k->ptx = f;
    k->nparams = f->proto.nparams;
    k->param_bytes = f->param_bytes;
    k->param_align = f->param_align;
    k->params = xcalloc(k->nparams + 1, sizeof *k->params);
    for (uint32_t i = 0; i < k->nparams; i++)
        k->params[i] = (struct param){f->proto.params[i]->offset, (uint32_t)f->proto.params[i]->size};
    k->max_threads = MAX_BLOCK_THREADS;
    const uint32_t *bound = f->reqntid[0] ? f->reqntid : f->maxntid[0] ? f->maxntid : NULL;
    if (bound) {
        uint64_t n = (uint64_t)bound[0] * (bound[1] ? bound[1] : 1) * (bound[2] ? bound[2] : 1);
        k->max_threads = n < MAX_BLOCK_THREADS ? (uint32_t)n : MAX_BLOCK_THREADS;
    }
    if (f->reqntid[0])
        for (int i = 0; i < 3; i++)
            k->required[i] = f->reqntid[i] ? f->reqntid[i] : 1;
}

// Takes over ptx and text.
static struct image *image_new(struct ptx_module *ptx, char *text, size_t size, const struct hash128 *hash, bool linked)
{
    struct image *i = xcalloc(1, sizeof *i);
    atomic_init(&i->refs, 1);
    pthread_mutex_init(&i->lock, NULL);
    i->ptx = ptx;
    i->text = text;
    i->debug = ptx->debug;
    i->jit = jit_module_create(ptx, text, size, hash, linked);
    i->kernels = xcalloc(ptx->nfuncs + 1, sizeof *i->kernels);
    for (uint32_t k = 0; k < ptx->nfuncs; k++)
        if (ptx->funcs[k]->is_entry && ptx->funcs[k]->has_body)
            kernel_read(&i->kernels[i->nkernels++], ptx->funcs[k]);
    for (uint32_t k = 0; k < ptx->nvars; k++)
        if (ptx->vars[k]->space == PTX_SPACE_CONST)
            i->const_bytes += (uint32_t)ptx->vars[k]->size;
    return i;
}

struct kernel_info *image_kernel(const struct image *i, const char *name)
{
    for (uint32_t k = 0; k < i->nkernels; k++)
        if (!strcmp(i->kernels[k].ptx->name, name))
            return &i->kernels[k];
    return NULL;
}

static void facts_find(struct image *i, struct kernel_info *k)
{
    struct diag quiet;
    diag_init(&quiet, NULL);
    const struct ptx_module *m = jit_module_whole(i->jit, &quiet);
    if (m)
        jit_kernel_facts(m, m->funcs[k->ptx->index], &k->facts);
    // Where there was no memory to read it, neither is there for a launch; later both may be.
    atomic_store_explicit(&k->known, m || quiet.cause != DIAG_MEMORY, memory_order_release);
    diag_fini(&quiet);
}

const struct jit_kernel_facts *image_facts(struct image *i, struct kernel_info *k)
{
    if (!atomic_load_explicit(&k->known, memory_order_acquire)) {
        pthread_mutex_lock(&i->lock);
        if (!atomic_load(&k->known))
            facts_find(i, k);
        pthread_mutex_unlock(&i->lock);
    }
    return &k->facts;
}

const struct count_plan *image_counts(struct image *i, struct kernel_info *k, const struct ptx_module **whole)
{
    struct diag quiet;
    diag_init(&quiet, NULL);
    *whole = jit_module_whole(i->jit, &quiet);
    diag_fini(&quiet);
    pthread_mutex_lock(&i->lock);
    if (*whole && !k->counts) {
        struct reach r;
        k->counts = xcalloc(1, sizeof *k->counts);
        reach_init(&r, *whole, (*whole)->funcs[k->ptx->index]);
        count_plan_make(k->counts, &r);
        reach_fini(&r);
    }
    pthread_mutex_unlock(&i->lock);
    return *whole ? k->counts : NULL;
}

// ---- what Heddle lacks is refused here, before anything runs. A PTX text is refused whole, as ptxas would. A fat binary is
// what a compiler made of a source file, and one kernel of it for a newer GPU must not keep the others from running: it is
// refused when none of its kernels can run, or when CUDA_MODULE_LOADING=EAGER asks; else the kernel is refused when it is
// asked for, and a warning goes to the info log.
static CUresult check_text(const struct image *i, struct diag *d)
{
    for (uint32_t k = 0; k < i->ptx->nfuncs; k++)
        jit_function_check(i->ptx->funcs[k], true, d);
    return diag_result(d);
}

static CUresult check_fatbin(struct image *i, struct diag *d)
{
    struct diag quiet;
    uint32_t lacking = 0;
    bool ok = true;
    diag_init(&quiet, NULL);
    for (uint32_t k = 0; k < i->ptx->nfuncs; k++)
        ok &= jit_function_check(i->ptx->funcs[k], true, &quiet);
    for (uint32_t k = 0; !ok && k < i->nkernels; k++) {
        i->kernels[k].lacking = !jit_kernel_check(i->ptx, i->kernels[k].ptx, &quiet);
        lacking += i->kernels[k].lacking;
    }
    diag_fini(&quiet);
    const char *mode = secure_getenv("CUDA_MODULE_LOADING");
    bool refused = lacking && (lacking == i->nkernels || (mode && !strcmp(mode, "EAGER")));
    for (uint32_t k = 0; k < i->nkernels && lacking; k++) {
        if (!i->kernels[k].lacking)
            continue;
        if (refused)
            jit_kernel_check(i->ptx, i->kernels[k].ptx, d);
        else
            diag_warning(d, i->kernels[k].ptx->loc.line, i->kernels[k].ptx->loc.column,
                         "kernel '%s' uses what is not supported and will not run", i->kernels[k].ptx->name);
    }
    return refused ? diag_result(d) : CUDA_SUCCESS;
}

CUresult image_kernel_check(const struct image *i, const struct kernel_info *k)
{
    if (__builtin_expect(!k->lacking, 1))
        return CUDA_SUCCESS;
    struct diag d;
    diag_init(&d, k->ptx->name);
    jit_kernel_check(i->ptx, k->ptx, &d);
    jit_log_write(&(struct jit_log){0}, &d);
    CUresult r = diag_result(&d);
    diag_fini(&d);
    return r;
}

// All texts in a row, for the cache key.
static char *texts_join(const struct text *texts, size_t n, size_t *size)
{
    *size = 0;
    for (size_t i = 0; i < n; i++)
        *size += texts[i].size + 1;
    char *all = malloc(*size + 1), *p = all;
    for (size_t i = 0; all && i < n; i++) {
        memcpy(p, texts[i].data, texts[i].size);
        p += texts[i].size;
        *p++ = '\n';
    }
    return all;
}

// ---- a large text that was found right once is not looked at again: a note in the disk cache says so, and its outline
// serves until a kernel must be compiled.
enum { OUTLINE_BYTES = 16 << 10 };

static bool note_key(const struct hash128 *text, size_t size, bool is_text, struct hash128 *key)
{
    *key = *text;
    hash128_add_text(key, is_text ? "bodies of a text" : "bodies of a fat binary's text");
    hash128_add_text(key, cache_machine());
    return size >= OUTLINE_BYTES && cache_dir();
}

static struct image *image_outline(struct text *t, bool is_text)
{
    struct hash128 key;
    void *note;
    size_t size;
    if (!note_key(&t->hash, t->size, is_text, &key) || !cache_get(&key, &note, &size))
        return NULL;
    struct ptx_bodies bodies = {.data = note, .len = size / sizeof *bodies.data};
    struct diag quiet;
    diag_init(&quiet, NULL);
    struct ptx_module *m = ptx_module_outline(t->data, t->size, &bodies, &quiet);
    struct image *i = m ? image_new(m, t->data, t->size, &t->hash, false) : NULL;
    diag_fini(&quiet);
    vec_free(&bodies);
    if (i)
        t->data = NULL;
    return i;
}

// Not for texts with debug information, nor with messages, which the next load must give again.
static void image_note(const struct image *i, const struct hash128 *text, size_t size, bool is_text,
                       const struct diag *d)
{
    struct hash128 key;
    struct ptx_bodies bodies = {0};
    if (d->text.len || i->debug || !note_key(text, size, is_text, &key))
        return;
    struct diag quiet;
    diag_init(&quiet, NULL);
    struct ptx_module *outline = ptx_module_outline(i->text, size, &bodies, &quiet);
    if (outline && bodies.len && ptx_module_matches(outline, i->ptx))
        cache_put(&key, bodies.data, bodies.len * sizeof *bodies.data);
    ptx_module_destroy(outline);
    diag_fini(&quiet);
    vec_free(&bodies);
}

// What becomes one module by way of its text, and what is made of modules besides: tables of their kernels and variables.
static size_t link_bytes(const struct text *texts, size_t n)
{
    enum { TIMES = 20 };
    size_t size = 0;
    for (size_t i = 0; i < n; i++)
        size += texts[i].size;
    return size * TIMES;
}

static CUresult image_make(struct text *texts, size_t n, bool is_text, uint32_t shared_limit, struct image **out,
                           struct diag *d)
{
    CUresult r = CUDA_ERROR_INVALID_PTX;
    struct ptx_module **parts = xcalloc(n + 1, sizeof *parts), *whole = NULL;
    size_t size = 0;
    char *all = NULL;
    const char *file = d->file;
    struct reserve reserve;
    bool begun = reserve_begin(&reserve, link_bytes(texts, n));
    if (!begun) {
        diag_lacks_memory(d);
        goto end;
    }
    for (size_t i = 0; i < n; i++) {
        d->file = texts[i].name ? texts[i].name : file;
        parts[i] = ptx_module_parse(texts[i].data, texts[i].size, d);
        if (!parts[i])
            goto end;
    }
    if (n == 1) {
        whole = parts[0];
        parts[0] = NULL;
        all = texts[0].data;
        size = texts[0].size;
        texts[0].data = NULL;
    } else {
        whole = ptx_module_link(parts, n, d);
        all = texts_join(texts, n, &size);
        if (whole && !all)
            r = CUDA_ERROR_OUT_OF_MEMORY;
    }
    const struct hash128 *hash = n == 1 && (texts[0].hash.lo | texts[0].hash.hi) ? &texts[0].hash : NULL;
    if (whole && all && ptx_module_verify(whole, d) && jit_shared_check(whole, shared_limit, d)) {
        *out = image_new(whole, all, size, hash, n > 1);
        whole = NULL;
        all = NULL;
        r = is_text ? check_text(*out, d) : check_fatbin(*out, d);
        if (r)
            image_release(*out);
    }
end:
    if (begun)
        reserve_end(&reserve);
    d->file = file;
    if (whole)
        ptx_module_destroy(whole);
    free(all);
    for (size_t i = 0; i < n; i++) {
        if (parts[i])
            ptx_module_destroy(parts[i]);
        free(texts[i].data);
    }
    free(parts);
    return r == CUDA_ERROR_INVALID_PTX && d->errors ? diag_result(d) : r;
}

// One text, as a program loads it.
static CUresult image_of(struct text *t, bool is_text, struct image **out, struct diag *d)
{
    size_t size = t->size;
    hash128_init(&t->hash);
    hash128_add(&t->hash, t->data, size);
    struct hash128 hash = t->hash;
    *out = image_outline(t, is_text);
    if (*out)
        return CUDA_SUCCESS;
    CUresult r = image_make(t, 1, is_text, SHARED_OPTIN, out, d);
    if (!r)
        image_note(*out, &hash, size, is_text, d);
    return r;
}

CUresult image_link(struct text *texts, size_t n, struct image **out, struct diag *d)
{
    return image_make(texts, n, true, SHARED_DEFAULT, out, d);
}

static CUresult load_fatbin(const void *data, size_t size, struct image **out, struct diag *d)
{
    struct fatbin f;
    if (!fatbin_read(data, size, &f, d))
        return CUDA_ERROR_INVALID_IMAGE;
    struct VEC(struct text) texts = {0};
    CUresult r = CUDA_SUCCESS;
    for (unsigned object = f.objects ? 1 : 0; object <= f.objects && !r; object++) {
        const struct fatbin_entry *e = fatbin_ptx_choose(&f, object, device_capability(), d);
        struct text t = {0};
        if (e && e->sm > device_capability() && !strcmp(env_get("HEDDLE_STRICT_CC"), "1")) {
            diag_error(d, 0, 0, "the program has code for compute capability %u.%u and higher only", e->sm / 10,
                       e->sm % 10);
            e = NULL;
        }
        if (!e)
            r = CUDA_ERROR_NO_BINARY_FOR_GPU;
        else if (!(t.data = fatbin_entry_read(e, &t.size, d)))
            r = d->cause == DIAG_MEMORY ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_ERROR_INVALID_IMAGE;
        else
            vec_push(&texts, t);
    }
    fatbin_fini(&f);
    if (!r)
        r = texts.len == 1 ? image_of(texts.data, false, out, d)
                           : image_make(texts.data, texts.len, false, SHARED_OPTIN, out, d);
    else
        for (size_t i = 0; i < texts.len; i++)
            free(texts.data[i].data);
    vec_free(&texts);
    return r;
}

// Byte by byte: the text of a program that is no image at all may be shorter than a magic number.
static bool begins(const char *p, size_t size, const char *magic)
{
    for (size_t i = 0; i < 4; i++)
        if ((size && i >= size) || p[i] != magic[i])
            return false;
    return true;
}

CUresult image_load(const void *data, size_t size, struct image **out, struct diag *d)
{
    const char *p = data;
    if (begins(p, size, "\x50\xed\x55\xba") || begins(p, size, "\xb1\x43\x62\x46"))
        return load_fatbin(data, size, out, d);
    if (begins(p, size, "\177ELF")) {
        diag_error(
            d, 0, 0,
            "the image is machine code of a GPU, without PTX: build it with PTX (-arch=compute_XX or the default)");
        return CUDA_ERROR_NO_BINARY_FOR_GPU;
    }
    size_t n = size ? strnlen(p, size) : strlen(p), i = 0;
    while (i < n && isspace((unsigned char)p[i]))
        i++;
    if (i == n || (p[i] != '.' && p[i] != '/')) {
        diag_error(d, 0, 0, "the image is neither PTX nor a fat binary");
        return CUDA_ERROR_INVALID_IMAGE;
    }
    const char *disabled = secure_getenv("CUDA_DISABLE_PTX_JIT");
    if (disabled && !strcmp(disabled, "1")) { // a text alone; a fat binary stands for machine code
        diag_error(d, 0, 0, "the image is PTX, and CUDA_DISABLE_PTX_JIT forbids to compile it");
        return CUDA_ERROR_JIT_COMPILATION_DISABLED;
    }
    struct text t = {.data = malloc(n + 1), .size = n};
    if (!t.data)
        return CUDA_ERROR_OUT_OF_MEMORY;
    memcpy(t.data, p, n);
    t.data[n] = 0;
    return image_of(&t, true, out, d);
}

CUresult image_load_options(const void *data, size_t size, unsigned count, CUjit_option *options, void **values,
                            struct image **out)
{
    struct jit_log log;
    struct diag d;
    CUresult r = jit_log_parse(&log, count, options, values);
    if (r)
        return r;
    if (!data)
        return CUDA_ERROR_INVALID_VALUE;
    diag_init(&d, NULL);
    r = image_load(data, size, out, &d);
    if (!r)
        (*out)->debug |= log.debug;
    jit_log_write(&log, &d);
    diag_fini(&d);
    return r;
}
