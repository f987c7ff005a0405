// SPDX-License-Identifier: Apache-2.0
// The linker: collects PTX inputs, those in fat binaries, objects and archives too; the image that it completes is the PTX text of the linked module.
#include "driver/driver.h"
#include "base/os.h"
#include "fatbin/device_link.h"
#include "fatbin/fatbin_read.h"
#include "fatbin/object.h"
#include <stdlib.h>
#include <string.h>

struct link {
    CUlinkState handle;
    pthread_mutex_t lock;
    struct jit_log log;
    struct diag diag;
    struct VEC(struct text) texts;
    struct str image;
    bool complete;
};

static void link_free(struct link *l)
{
    for (size_t i = 0; i < l->texts.len; i++) {
        free(l->texts.data[i].data);
        free((void *)l->texts.data[i].name);
    }
    vec_free(&l->texts);
    str_free(&l->image);
    diag_fini(&l->diag);
    pthread_mutex_destroy(&l->lock);
    free(l);
}

CUresult link_create(unsigned count, CUjit_option *options, void **values, CUlinkState *state)
{
    struct context *c;
    struct jit_log log;
    CUresult r = context_enter(&c);
    r = r ? r : jit_log_parse(&log, count, options, values);
    if (r)
        return r;
    if (!state)
        return CUDA_ERROR_INVALID_VALUE;
    struct link *l = xcalloc(1, sizeof *l);
    l->log = log;
    diag_init(&l->diag, NULL);
    pthread_mutex_init(&l->lock, NULL);
    l->handle = handle_create(HANDLE_LINK, l);
    if (!l->handle) {
        link_free(l);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    *state = l->handle;
    return CUDA_SUCCESS;
}

// Adds a PTX text, copied; it is parsed at once, so that the error belongs to this call.
static CUresult add_ptx(struct link *l, const char *data, size_t size, const char *name)
{
    size = strnlen(data, size);
    const char *file = l->diag.file;
    bool ok = true;
    l->diag.file = name;
    struct ptx_module *m = ptx_module_parse(data, size, &l->diag);
    for (uint32_t k = 0; m && k < m->nfuncs; k++)
        ok &= jit_function_check(m->funcs[k], false, &l->diag);
    l->diag.file = file;
    if (!m || !ok) {
        if (m)
            ptx_module_destroy(m);
        jit_log_write(&l->log, &l->diag);
        return diag_result(&l->diag);
    }
    ptx_module_destroy(m);
    struct text t = {.data = malloc(size + 1), .size = size, .name = name ? xstrdup(name) : NULL};
    if (!t.data) {
        free((void *)t.name);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    memcpy(t.data, data, size);
    t.data[size] = 0;
    vec_push(&l->texts, t);
    return CUDA_SUCCESS;
}

static CUresult add_entries(struct link *l, const struct fatbin *f, const char *name)
{
    CUresult r = CUDA_SUCCESS;
    for (unsigned object = f->objects ? 1 : 0; object <= f->objects && !r; object++) {
        size_t n;
        const struct fatbin_entry *e = fatbin_ptx_choose(f, object, device_capability(), &l->diag);
        char *text = e ? fatbin_entry_read(e, &n, &l->diag) : NULL;
        r = !e                             ? CUDA_ERROR_NO_BINARY_FOR_GPU
            : text                         ? add_ptx(l, text, n, name)
            : l->diag.cause == DIAG_MEMORY ? CUDA_ERROR_OUT_OF_MEMORY
                                           : CUDA_ERROR_INVALID_IMAGE;
        free(text);
    }
    if (r)
        jit_log_write(&l->log, &l->diag);
    return r;
}

static CUresult add_fatbin(struct link *l, const void *data, size_t size, const char *name)
{
    struct fatbin f;
    if (!fatbin_read(data, size, &f, &l->diag)) {
        jit_log_write(&l->log, &l->diag);
        return CUDA_ERROR_INVALID_IMAGE;
    }
    CUresult r = add_entries(l, &f, name);
    fatbin_fini(&f);
    return r;
}

// An object of the host, an archive of such or a program, with relocatable device code.
static CUresult add_objects(struct link *l, const void *data, size_t size, const char *name)
{
    struct arena arena;
    arena_init(&arena);
    struct objects o = {.arena = &arena, .programs = true};
    struct device_units units = {0};
    bool ok = objects_read_data(&o, name ? name : "input", data, size, &l->diag);
    for (size_t i = 0; ok && i < o.fatbins.len; i++)
        ok = device_units_split(&units, &o.fatbins.data[i], &l->diag);
    CUresult r = ok ? CUDA_SUCCESS : CUDA_ERROR_INVALID_IMAGE;
    if (!ok)
        jit_log_write(&l->log, &l->diag);
    for (size_t i = 0; i < units.len; i++) {
        r = r ? r : add_entries(l, &units.data[i].fatbin, units.data[i].name);
        fatbin_fini(&units.data[i].fatbin);
    }
    vec_free(&units);
    objects_fini(&o);
    arena_fini(&arena);
    return r;
}

static bool is_object(const char *data, size_t size)
{
    return (size >= 8 && !memcmp(data, "!<arch>\n", 8)) || (size >= 64 && !memcmp(data, "\177ELF", 4));
}

CUresult link_add_data(CUlinkState state, CUjitInputType type, void *data, size_t size, const char *name,
                       unsigned count, CUjit_option *options, void **values)
{
    struct link *l = handle_get(state, HANDLE_LINK);
    struct jit_log ignored;
    if (!l)
        return driver_ready() ? CUDA_ERROR_INVALID_HANDLE : CUDA_ERROR_NOT_INITIALIZED;
    CUresult r = jit_log_parse(&ignored, count, options, values);
    if (r)
        return r;
    if (!data || !size || (unsigned)type >= CU_JIT_NUM_INPUT_TYPES)
        return CUDA_ERROR_INVALID_VALUE;
    pthread_mutex_lock(&l->lock);
    if (l->complete) {
        r = CUDA_ERROR_INVALID_HANDLE;
    } else if (type == CU_JIT_INPUT_PTX) {
        r = add_ptx(l, data, size, name);
    } else if (fatbin_is(data, size)) {
        r = add_fatbin(l, data, size, name);
    } else if ((type == CU_JIT_INPUT_OBJECT || type == CU_JIT_INPUT_LIBRARY) && is_object(data, size)) {
        r = add_objects(l, data, size, name);
    } else {
        diag_error(&l->diag, 0, 0, "%s: only PTX and fat binaries with PTX can be linked", name ? name : "input");
        jit_log_write(&l->log, &l->diag);
        r = CUDA_ERROR_NO_BINARY_FOR_GPU;
    }
    pthread_mutex_unlock(&l->lock);
    return r;
}

CUresult link_add_file(CUlinkState state, CUjitInputType type, const char *path, unsigned count, CUjit_option *options,
                       void **values)
{
    size_t size;
    if (!path)
        return CUDA_ERROR_INVALID_VALUE;
    char *data = os_file_read(path, &size);
    if (!data)
        return file_error();
    struct link *l = handle_get(state, HANDLE_LINK);
    if (l && (type == CU_JIT_INPUT_OBJECT || type == CU_JIT_INPUT_LIBRARY) && !fatbin_is(data, size)) {
        pthread_mutex_lock(&l->lock);
        CUresult r = l->complete ? CUDA_ERROR_INVALID_HANDLE : add_objects(l, data, size, path);
        pthread_mutex_unlock(&l->lock);
        free(data);
        return r;
    }
    CUresult r = link_add_data(state, type, data, size, path, count, options, values);
    free(data);
    return r;
}

static CUresult complete(struct link *l)
{
    struct image *i;
    size_t n = l->texts.len;
    struct text *texts = xcalloc(n + 1, sizeof *texts);
    if (n) // image_link frees the texts, the names stay ours
        memcpy(texts, l->texts.data, n * sizeof *texts);
    for (size_t k = 0; k < n; k++)
        l->texts.data[k].data = NULL;
    CUresult r = n ? image_link(texts, n, &i, &l->diag) : CUDA_ERROR_INVALID_IMAGE;
    if (r == CUDA_ERROR_INVALID_PTX && strstr(str_text(&l->diag.text), "uses too much shared data"))
        r = CUDA_ERROR_INVALID_SOURCE; // as CUDA's linker
    free(texts);
    if (r) { // the texts are gone: another try finds none
        for (size_t k = 0; k < n; k++)
            free((void *)l->texts.data[k].name);
        l->texts.len = 0;
    }
    if (!r) {
        ptx_module_print(i->ptx, &l->image);
        image_release(i);
        l->complete = true;
    }
    jit_log_write(&l->log, &l->diag);
    return r;
}

CUresult link_complete(CUlinkState state, void **image, size_t *size)
{
    struct link *l = handle_get(state, HANDLE_LINK);
    if (!l)
        return driver_ready() ? CUDA_ERROR_INVALID_HANDLE : CUDA_ERROR_NOT_INITIALIZED;
    if (!image)
        return CUDA_ERROR_INVALID_VALUE;
    pthread_mutex_lock(&l->lock);
    CUresult r = l->complete ? CUDA_SUCCESS : complete(l);
    if (!r) {
        *image = l->image.data;
        if (size)
            *size = l->image.len + 1;
    }
    pthread_mutex_unlock(&l->lock);
    return r;
}

CUresult link_destroy(CUlinkState state)
{
    struct link *l = handle_take(state, HANDLE_LINK);
    if (!l)
        return driver_ready() ? CUDA_ERROR_INVALID_HANDLE : CUDA_ERROR_NOT_INITIALIZED;
    link_free(l);
    return CUDA_SUCCESS;
}
