// SPDX-License-Identifier: Apache-2.0
// Modules: an image in a context, with its variables in memory. Function addresses are descriptors: unique places that
// kernels compare, never read; a kernel's holds its struct function.
#include "driver/context/tell.h"
#include "driver/texture/texture.h"
#include "base/os.h"
#include "base/reserve.h"
#include <stdlib.h>

enum { DESCRIPTOR_BYTES = 16 };

static bool in_memory(const struct ptx_var *v)
{
    return v->space == PTX_SPACE_GLOBAL || v->space == PTX_SPACE_CONST;
}

// The name of a texture or surface, not of memory: see texture_ref.c.
static bool is_reference(const struct ptx_var *v)
{
    return v->type == PTX_TYPE_TEXREF || v->type == PTX_TYPE_SAMPLERREF || v->type == PTX_TYPE_SURFREF;
}

static CUresult variables_alloc(struct module *m, struct diag *d)
{
    const struct ptx_module *ptx = m->image->ptx;
    for (uint32_t i = 0; i < ptx->nvars; i++) {
        const struct ptx_var *v = ptx->vars[i];
        if (!in_memory(v))
            continue;
        if (v->is_extern) {
            diag_error(d, v->loc.line, v->loc.column, "variable '%s' is declared, but nowhere defined", v->name);
            return CUDA_ERROR_INVALID_PTX;
        }
        m->globals[i] = m->library ? library_bound(m->library, i) : NULL;
        if (m->globals[i])
            continue;
        uint64_t size = v->size ? v->size : sizeof(uint64_t); // references to textures have no size of their own
        char *p = context_alloc(m->context, v->is_managed ? MEMORY_MANAGED : MEMORY_MODULE, size, m,
                                v->is_managed ? CU_MEM_ATTACH_GLOBAL | RANGE_OF_MODULE : 0, false);
        if (!p)
            return CUDA_ERROR_OUT_OF_MEMORY;
        if (v->init)
            memcpy(p, v->init, v->size);
        else if (size < 4096)
            memset(p, 0, size); // larger ranges are mapped afresh and zero
        m->globals[i] = p;
    }
    for (uint32_t i = 0; i < ptx->nfuncs; i++)
        m->globals[ptx->nvars + i] = m->descriptors + (size_t)i * DESCRIPTOR_BYTES;
    return CUDA_SUCCESS;
}

// Addresses in initialisers.
static CUresult variables_relocate(struct module *m, struct diag *d)
{
    const struct ptx_module *ptx = m->image->ptx;
    for (uint32_t i = 0; i < ptx->nvars; i++) {
        const struct ptx_var *v = ptx->vars[i];
        for (uint32_t k = 0; in_memory(v) && k < v->nrelocs; k++) {
            const struct ptx_reloc *r = &v->relocs[k];
            const struct ptx_func *f = r->func;
            while (f && f->alias) // which has the address of its function
                f = f->alias;
            uint32_t index = r->var ? r->var->index : ptx->nvars + f->index;
            if (r->var && !in_memory(r->var)) {
                diag_unsupported(d, v->loc.line, v->loc.column, "the address of '%s' in an initialiser", r->var->name);
                return CUDA_ERROR_NOT_SUPPORTED;
            }
            if (r->size > 8 || r->offset > v->size || r->size > v->size - r->offset)
                return CUDA_ERROR_INVALID_PTX;
            uint64_t value = ((uint64_t)(uintptr_t)m->globals[index] + (uint64_t)r->addend) >> r->shift;
            memcpy((char *)m->globals[i] + r->offset, &value, r->size); // little-endian
        }
    }
    return CUDA_SUCCESS;
}

static bool functions_make(struct module *m)
{
    struct image *i = m->image;
    m->functions = xcalloc(i->nkernels + 1, sizeof *m->functions);
    for (uint32_t k = 0; k < i->nkernels; k++) {
        struct function *f = &m->functions[k];
        f->module = m;
        f->info = &i->kernels[k];
        attributes_init(&f->attributes, f->info->ptx);
        pthread_mutex_init(&f->lock, NULL);
        f->handle = handle_create(HANDLE_FUNCTION, f);
        if (!f->handle)
            return false;
        f->old.block[0] = f->old.block[1] = f->old.block[2] = 1;
        memcpy(m->globals[i->ptx->nvars + f->info->ptx->index], &f,
               sizeof(struct function *)); // for launches from kernels
    }
    return true;
}

struct function *module_descriptor(struct module *m, uint64_t address)
{
    struct function *f;
    uint64_t at = address - (uint64_t)(uintptr_t)m->descriptors;
    if (at % DESCRIPTOR_BYTES || at / DESCRIPTOR_BYTES >= m->image->ptx->nfuncs)
        return NULL;
    memcpy(&f, m->descriptors + at, sizeof(struct function *));
    return f;
}

void module_release(struct module *m, unsigned n)
{
    if (atomic_fetch_sub(&m->refs, n) != n)
        return;
    for (uint32_t k = 0; m->functions && k < m->image->nkernels; k++) {
        free(m->functions[k].old.args);
        pthread_mutex_destroy(&m->functions[k].lock);
    }
    free(m->functions);
    memory_free_owner(m);
    free(m->globals);
    free(m->descriptors);
    image_release(m->image);
    fault_box_release(m->faults);
    if (m->library)
        library_release(m->library);
    free(m);
}

static void handles_take(struct module *m)
{
    for (uint32_t k = 0; m->functions && k < m->image->nkernels; k++)
        handle_take(m->functions[k].handle, HANDLE_FUNCTION);
    module_refs_free(m);
}

// More than the tables of a module take.
static size_t module_bytes(const struct image *i)
{
    enum { EACH = 64 };
    return i->nkernels * (sizeof(struct function) + EACH) + ((size_t)i->ptx->nvars + i->ptx->nfuncs) * EACH;
}

CUresult module_make(struct context *c, struct image *i, struct library *library, struct module **out)
{
    struct reserve reserve;
    if (!reserve_begin(&reserve, module_bytes(i)))
        return CUDA_ERROR_OUT_OF_MEMORY;
    static atomic_uint ids;
    struct module *m = xcalloc(1, sizeof *m);
    m->id = atomic_fetch_add_explicit(&ids, 1, memory_order_relaxed) + 1;
    struct diag d;
    diag_init(&d, NULL);
    atomic_init(&m->refs, 1);
    list_init(&m->node);
    m->context = c;
    m->faults = atomic_load(&c->faults);
    atomic_fetch_add(&m->faults->refs, 1);
    m->image = image_retain(i);
    m->globals = xcalloc((size_t)i->ptx->nvars + i->ptx->nfuncs + 1, sizeof *m->globals);
    m->descriptors = xcalloc((size_t)i->ptx->nfuncs + 1, DESCRIPTOR_BYTES);
    if (library) {
        library_retain(library);
        m->library = library;
    }
    CUresult r = variables_alloc(m, &d);
    r = r ? r : variables_relocate(m, &d);
    r = r ? r : module_refs_make(m);
    if (!r && (!functions_make(m) || !(m->handle = handle_create(HANDLE_MODULE, m))))
        r = CUDA_ERROR_OUT_OF_MEMORY;
    if (d.errors)
        jit_log_write(&(struct jit_log){0}, &d);
    diag_fini(&d);
    reserve_end(&reserve);
    if (r) {
        handles_take(m);
        module_release(m, 1);
        return r;
    }
    pthread_mutex_lock(&c->lock);
    list_add(&c->modules, &m->node);
    pthread_mutex_unlock(&c->lock);
    tell_module(m, true);
    *out = m;
    return CUDA_SUCCESS;
}

void module_drop(struct module *m)
{
    if (!handle_take(m->handle, HANDLE_MODULE))
        return;
    tell_module(m, false);
    handles_take(m);
    pthread_mutex_lock(&m->context->lock);
    list_remove(&m->node);
    pthread_mutex_unlock(&m->context->lock);
    if (m->library)
        library_forget(m->library, m);
    context_wait(m->context);
    memory_free_owner(m); // the code stays until the engine lets go of the last launch
    module_release(m, 1);
}

// Gives the image back.
static CUresult module_give(CUmodule *module, struct context *c, struct image *i)
{
    struct module *m;
    CUresult r = module_make(c, i, NULL, &m);
    image_release(i);
    if (!r)
        *module = m->handle;
    return r;
}

CUresult module_load_options(CUmodule *module, const void *data, unsigned count, CUjit_option *options, void **values)
{
    struct context *c;
    struct image *i;
    CUresult r = context_enter(&c);
    if (r)
        return r;
    if (!module)
        return CUDA_ERROR_INVALID_VALUE;
    r = image_load_options(data, 0, count, options, values, &i);
    return r ? r : module_give(module, c, i);
}

CUresult module_load_data(CUmodule *module, const void *data)
{
    return module_load_options(module, data, 0, NULL, NULL);
}

CUresult module_load(CUmodule *module, const char *file)
{
    struct context *c;
    struct image *i;
    size_t size;
    CUresult r = context_enter(&c);
    if (r)
        return r;
    if (!module || !file)
        return CUDA_ERROR_INVALID_VALUE;
    char *data = os_file_read(file, &size);
    if (!data)
        return file_error();
    r = size ? image_load_options(data, size, 0, NULL, NULL, &i) : CUDA_ERROR_INVALID_IMAGE;
    free(data);
    return r ? r : module_give(module, c, i);
}

static CUresult module_enter(CUmodule handle, struct module **out)
{
    *out = handle_get(handle, HANDLE_MODULE);
    if (!*out)
        return driver_ready() ? CUDA_ERROR_INVALID_HANDLE : CUDA_ERROR_NOT_INITIALIZED;
    return context_fault((*out)->context);
}

CUresult module_unload(CUmodule module)
{
    struct module *m = handle_get(module, HANDLE_MODULE);
    if (!m || m->library) // a library's module goes with the library
        return driver_ready() ? CUDA_ERROR_INVALID_HANDLE : CUDA_ERROR_NOT_INITIALIZED;
    module_drop(m);
    return CUDA_SUCCESS;
}

CUresult module_loading_mode(CUmoduleLoadingMode *mode)
{
    if (!mode)
        return CUDA_ERROR_INVALID_VALUE;
    const char *v = secure_getenv("CUDA_MODULE_LOADING");
    *mode = v && !strcmp(v, "EAGER") ? CU_MODULE_EAGER_LOADING : CU_MODULE_LAZY_LOADING;
    return CUDA_SUCCESS;
}

CUresult module_get_function(CUfunction *function, CUmodule module, const char *name)
{
    struct module *m;
    CUresult r = module_enter(module, &m);
    if (r)
        return r;
    if (!function || !name || !*name)
        return CUDA_ERROR_INVALID_VALUE;
    struct kernel_info *k = image_kernel(m->image, name);
    if (!k)
        return CUDA_ERROR_NOT_FOUND;
    r = image_kernel_check(m->image, k);
    if (!r)
        *function = m->functions[k - m->image->kernels].handle;
    return r;
}

CUresult module_function_count(unsigned *count, CUmodule module)
{
    struct module *m;
    CUresult r = module_enter(module, &m);
    if (r)
        return r;
    if (!count)
        return CUDA_ERROR_INVALID_VALUE;
    *count = m->image->nkernels;
    return CUDA_SUCCESS;
}

CUresult module_functions(CUfunction *functions, unsigned count, CUmodule module)
{
    struct module *m;
    CUresult r = module_enter(module, &m);
    if (r)
        return r;
    if (!functions && count)
        return CUDA_ERROR_INVALID_VALUE;
    for (unsigned k = 0; k < count && k < m->image->nkernels; k++)
        functions[k] = m->functions[k].handle;
    return CUDA_SUCCESS;
}

CUresult module_variable(struct module *m, const char *name, bool managed, CUdeviceptr *address, size_t *bytes)
{
    if (!name || (!address && !bytes))
        return CUDA_ERROR_INVALID_VALUE;
    const struct ptx_var *v = ptx_module_var(m->image->ptx, name);
    if (image_kernel(m->image, name) || (v && !v->func && is_reference(v)))
        return CUDA_ERROR_INVALID_VALUE;
    if (!v || v->func || !in_memory(v) || (managed && !v->is_managed))
        return CUDA_ERROR_NOT_FOUND;
    if (address)
        *address = (CUdeviceptr)(uintptr_t)m->globals[v->index];
    if (bytes)
        *bytes = v->size;
    return CUDA_SUCCESS;
}

CUresult module_get_global(CUdeviceptr *address, size_t *bytes, CUmodule module, const char *name)
{
    struct module *m;
    CUresult r = module_enter(module, &m);
    return r ? r : module_variable(m, name, false, address, bytes);
}
