// SPDX-License-Identifier: Apache-2.0
// Libraries: images that no context owns. In each context a library becomes a module when first used there.
#include "driver/driver.h"
#include "base/os.h"
#include "base/reserve.h"
#include <stdlib.h>

struct library {
    CUlibrary handle;
    atomic_uint refs; // the handle, and each module
    struct image *image;
    struct kernel **kernels; // as image->kernels
    pthread_mutex_t lock;
    struct VEC(struct module *) modules;
    void **bound; // by number of a variable: the host's memory for it; NULL: none has any
};

void *library_bound(const struct library *l, uint32_t variable)
{
    return l->bound ? l->bound[variable] : NULL;
}

void library_retain(struct library *l)
{
    atomic_fetch_add(&l->refs, 1);
}

void library_release(struct library *l)
{
    if (atomic_fetch_sub(&l->refs, 1) != 1)
        return;
    for (uint32_t k = 0; l->kernels && k < l->image->nkernels; k++)
        free(l->kernels[k]);
    free(l->kernels);
    vec_free(&l->modules);
    free(l->bound);
    image_release(l->image);
    pthread_mutex_destroy(&l->lock);
    free(l);
}

void library_forget(struct library *l, struct module *m)
{
    pthread_mutex_lock(&l->lock);
    for (size_t i = 0; i < l->modules.len; i++)
        if (l->modules.data[i] == m)
            l->modules.data[i--] = l->modules.data[--l->modules.len];
    for (uint32_t k = 0; m->context->primary && k < l->image->nkernels; k++)
        atomic_store(&l->kernels[k]->primary[m->context->device], NULL);
    pthread_mutex_unlock(&l->lock);
}

static void attributes_copy(struct attributes *to, const struct attributes *from)
{
    atomic_store(&to->shared_limit, atomic_load(&from->shared_limit));
    atomic_store(&to->carveout, atomic_load(&from->carveout));
    atomic_store(&to->any_cluster, atomic_load(&from->any_cluster));
    atomic_store(&to->cluster_policy, atomic_load(&from->cluster_policy));
    for (int i = 0; i < 3; i++)
        atomic_store(&to->cluster[i], atomic_load(&from->cluster[i]));
}

// The library's module in the current context.
static CUresult library_module(struct library *l, struct module **out)
{
    struct context *c;
    CUresult r = context_enter(&c);
    if (r)
        return r;
    *out = NULL;
    pthread_mutex_lock(&l->lock);
    for (size_t i = 0; i < l->modules.len; i++)
        if (l->modules.data[i]->context == c)
            *out = l->modules.data[i];
    if (!*out) {
        r = module_make(c, l->image, l, out);
        if (!r) {
            for (uint32_t k = 0; k < l->image->nkernels; k++)
                attributes_copy(&(*out)->functions[k].attributes, &l->kernels[k]->attributes);
            vec_push(&l->modules, *out);
        }
    }
    for (uint32_t k = 0; !r && c->primary && k < l->image->nkernels; k++)
        atomic_store(&l->kernels[k]->primary[c->device], &(*out)->functions[k]);
    pthread_mutex_unlock(&l->lock);
    return r;
}

CUresult kernel_function(struct kernel *k, struct function **out)
{
    struct context *c;
    struct module *m;
    CUresult r = context_enter(&c);
    if (r)
        return r;
    if (c->primary && (*out = atomic_load_explicit(&k->primary[c->device], memory_order_acquire)))
        return CUDA_SUCCESS;
    r = library_module(k->library, &m);
    if (!r)
        *out = &m->functions[k->info - m->image->kernels];
    return r;
}

// Takes over the image.
static CUresult library_make(struct image *i, CUlibrary *out)
{
    enum { EACH = 64 };
    size_t kernel_bytes = sizeof(struct kernel) + (size_t)device_count() * sizeof *((struct kernel *)NULL)->primary;
    struct reserve reserve;
    if (!reserve_begin(&reserve, i->nkernels * (kernel_bytes + EACH))) {
        image_release(i);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    struct library *l = xcalloc(1, sizeof *l);
    atomic_init(&l->refs, 1);
    pthread_mutex_init(&l->lock, NULL);
    l->image = i;
    l->kernels = xcalloc(i->nkernels + 1, sizeof *l->kernels);
    bool ok = true;
    for (uint32_t n = 0; n < i->nkernels; n++) {
        struct kernel *k = xcalloc(1, kernel_bytes);
        l->kernels[n] = k;
        k->library = l;
        k->info = &i->kernels[n];
        attributes_init(&k->attributes, k->info->ptx);
        k->handle = handle_create(HANDLE_KERNEL, k);
        ok = ok && k->handle;
    }
    reserve_end(&reserve);
    l->handle = ok ? handle_create(HANDLE_LIBRARY, l) : NULL;
    if (!l->handle) {
        for (uint32_t n = 0; n < i->nkernels; n++)
            handle_take(l->kernels[n]->handle, HANDLE_KERNEL);
        library_release(l);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    *out = l->handle;
    return CUDA_SUCCESS;
}

static CUresult options_check(CUlibraryOption *options, void **values, unsigned count)
{
    if (count && !options)
        return CUDA_ERROR_INVALID_VALUE;
    for (unsigned i = 0; i < count; i++) {
        if (options[i] == CU_LIBRARY_HOST_UNIVERSAL_FUNCTION_AND_DATA_TABLE)
            return values && values[i] ? CUDA_ERROR_NOT_SUPPORTED : CUDA_ERROR_INVALID_VALUE;
        if ((unsigned)options[i] >= CU_LIBRARY_NUM_OPTIONS)
            return CUDA_ERROR_INVALID_VALUE;
    }
    return CUDA_SUCCESS;
}

static CUresult library_load(CUlibrary *library, const void *data, size_t size, CUjit_option *jit_options,
                             void **jit_values, unsigned jit_count, CUlibraryOption *options, void **values,
                             unsigned count)
{
    struct image *i;
    if (!driver_ready())
        return CUDA_ERROR_NOT_INITIALIZED;
    if (!library)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult r = options_check(options, values, count);
    r = r ? r : image_load_options(data, size, jit_count, jit_options, jit_values, &i);
    return r ? r : library_make(i, library);
}

CUresult library_load_data(CUlibrary *library, const void *code, CUjit_option *jit_options, void **jit_values,
                           unsigned jit_count, CUlibraryOption *options, void **values, unsigned count)
{
    return library_load(library, code, 0, jit_options, jit_values, jit_count, options, values, count);
}

CUresult library_load_file(CUlibrary *library, const char *file, CUjit_option *jit_options, void **jit_values,
                           unsigned jit_count, CUlibraryOption *options, void **values, unsigned count)
{
    size_t size;
    if (!file)
        return CUDA_ERROR_INVALID_VALUE;
    char *data = os_file_read(file, &size);
    if (!data)
        return file_error();
    CUresult r = size ? library_load(library, data, size, jit_options, jit_values, jit_count, options, values, count)
                      : CUDA_ERROR_INVALID_IMAGE;
    free(data);
    return r;
}

CUresult library_unload(CUlibrary library)
{
    struct library *l = handle_take(library, HANDLE_LIBRARY);
    if (!l)
        return driver_ready() ? CUDA_ERROR_INVALID_HANDLE : CUDA_ERROR_NOT_INITIALIZED;
    for (uint32_t k = 0; k < l->image->nkernels; k++)
        handle_take(l->kernels[k]->handle, HANDLE_KERNEL);
    for (;;) {
        pthread_mutex_lock(&l->lock);
        struct module *m = l->modules.len ? l->modules.data[l->modules.len - 1] : NULL;
        pthread_mutex_unlock(&l->lock);
        if (!m)
            break;
        module_drop(m);
    }
    memory_free_owner(
        l); // the host's variables are not known as managed any more: a plugin that is closed takes their memory
    library_release(l);
    return CUDA_SUCCESS;
}

static CUresult library_enter(CUlibrary handle, struct library **out)
{
    *out = handle_get(handle, HANDLE_LIBRARY);
    if (*out)
        return CUDA_SUCCESS;
    return driver_ready() ? CUDA_ERROR_INVALID_HANDLE : CUDA_ERROR_NOT_INITIALIZED;
}

CUresult library_get_kernel(CUkernel *kernel, CUlibrary library, const char *name)
{
    struct library *l;
    CUresult r = library_enter(library, &l);
    if (r)
        return r;
    if (!kernel || !name)
        return CUDA_ERROR_INVALID_VALUE;
    struct kernel_info *k = image_kernel(l->image, name);
    if (!k)
        return CUDA_ERROR_NOT_FOUND;
    r = image_kernel_check(l->image, k);
    if (!r)
        *kernel = l->kernels[k - l->image->kernels]->handle;
    return r;
}

CUresult library_kernel_count(unsigned *count, CUlibrary library)
{
    struct library *l;
    CUresult r = library_enter(library, &l);
    if (r)
        return r;
    if (!count)
        return CUDA_ERROR_INVALID_VALUE;
    *count = l->image->nkernels;
    return CUDA_SUCCESS;
}

CUresult library_kernels(CUkernel *kernels, unsigned count, CUlibrary library)
{
    struct library *l;
    CUresult r = library_enter(library, &l);
    if (r)
        return r;
    if (!kernels && count)
        return CUDA_ERROR_INVALID_VALUE;
    for (unsigned k = 0; k < count && k < l->image->nkernels; k++)
        kernels[k] = l->kernels[k]->handle;
    return CUDA_SUCCESS;
}

CUresult library_get_module(CUmodule *module, CUlibrary library)
{
    struct library *l;
    struct module *m;
    CUresult r = library_enter(library, &l);
    r = r ? r : library_module(l, &m);
    if (r)
        return r;
    if (!module)
        return CUDA_ERROR_INVALID_VALUE;
    *module = m->handle;
    return CUDA_SUCCESS;
}

CUresult library_get_global(CUdeviceptr *address, size_t *bytes, CUlibrary library, const char *name)
{
    struct library *l;
    struct module *m;
    CUresult r = library_enter(library, &l);
    r = r ? r : library_module(l, &m);
    return r ? r : module_variable(m, name, false, address, bytes);
}

CUresult library_get_managed(CUdeviceptr *address, size_t *bytes, CUlibrary library, const char *name)
{
    struct library *l;
    struct module *m;
    CUresult r = library_enter(library, &l);
    r = r ? r : library_module(l, &m);
    return r ? r : module_variable(m, name, true, address, bytes);
}

// Not CUDA's: libcudart tells where the host keeps a managed variable, before the library is used. Its first value is
// written there.
__attribute__((visibility("default"))) CUresult heddleLibraryBind(CUlibrary library, const char *name, void *address,
                                                                  size_t bytes);
CUresult heddleLibraryBind(CUlibrary library, const char *name, void *address, size_t bytes)
{
    struct library *l;
    CUresult r = library_enter(library, &l);
    if (r)
        return r;
    const struct ptx_module *ptx = l->image->ptx;
    const struct ptx_var *v = ptx_module_var(ptx, name);
    if (!v || v->func || !v->is_managed)
        return CUDA_ERROR_NOT_FOUND;
    if (v->size != bytes)
        return CUDA_ERROR_INVALID_VALUE;
    pthread_mutex_lock(&l->lock);
    if (l->bound && l->bound[v->index]) {
        r = l->bound[v->index] == address ? CUDA_SUCCESS : CUDA_ERROR_ILLEGAL_STATE;
    } else if (l->modules.len ||
               !memory_adopt(MEMORY_MANAGED, address, bytes, 0, l, CU_MEM_ATTACH_GLOBAL | RANGE_OF_MODULE)) {
        r = CUDA_ERROR_ILLEGAL_STATE;
    } else {
        if (!l->bound)
            l->bound = xcalloc((size_t)ptx->nvars + 1, sizeof *l->bound);
        l->bound[v->index] = address;
        if (v->init)
            memcpy(address, v->init, bytes);
    }
    pthread_mutex_unlock(&l->lock);
    return r;
}

static CUresult kernel_enter(CUkernel handle, struct kernel **out)
{
    *out = handle_get(handle, HANDLE_KERNEL);
    if (*out)
        return CUDA_SUCCESS;
    return driver_ready() ? CUDA_ERROR_INVALID_HANDLE : CUDA_ERROR_NOT_INITIALIZED;
}

CUresult kernel_get_function(CUfunction *function, CUkernel kernel)
{
    struct kernel *k;
    struct function *f;
    CUresult r = kernel_enter(kernel, &k);
    if (r)
        return r;
    if (!function)
        return CUDA_ERROR_INVALID_VALUE;
    r = kernel_function(k, &f);
    if (!r)
        *function = f->handle;
    return r;
}

CUresult kernel_get_library(CUlibrary *library, CUkernel kernel)
{
    struct kernel *k;
    CUresult r = kernel_enter(kernel, &k);
    if (r)
        return r;
    if (!library)
        return CUDA_ERROR_INVALID_VALUE;
    *library = k->library->handle;
    return CUDA_SUCCESS;
}

// Attributes are one set for all devices, which are alike. Functions that exist already get them too.
CUresult kernel_get_attribute(int *value, CUfunction_attribute attribute, CUkernel kernel, CUdevice device)
{
    struct kernel *k;
    CUresult r = kernel_enter(kernel, &k);
    if (r)
        return r;
    if (!device_valid(device))
        return CUDA_ERROR_INVALID_DEVICE;
    return value ? attributes_get(&k->attributes, k->library->image, k->info, attribute, value)
                 : CUDA_ERROR_INVALID_VALUE;
}

CUresult kernel_set_attribute(CUfunction_attribute attribute, int value, CUkernel kernel, CUdevice device)
{
    struct kernel *k;
    CUresult r = kernel_enter(kernel, &k);
    if (r)
        return r;
    if (!device_valid(device))
        return CUDA_ERROR_INVALID_DEVICE;
    struct library *l = k->library;
    r = attributes_set(&k->attributes, l->image, k->info, attribute, value);
    pthread_mutex_lock(&l->lock);
    for (size_t i = 0; !r && i < l->modules.len; i++)
        attributes_copy(&l->modules.data[i]->functions[k->info - l->image->kernels].attributes, &k->attributes);
    pthread_mutex_unlock(&l->lock);
    return r;
}

CUresult kernel_set_cache(CUkernel kernel, CUfunc_cache config, CUdevice device)
{
    struct kernel *k;
    CUresult r = kernel_enter(kernel, &k);
    if (r)
        return r;
    if (!device_valid(device))
        return CUDA_ERROR_INVALID_DEVICE;
    return (unsigned)config > CU_FUNC_CACHE_PREFER_EQUAL ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

CUresult kernel_get_name(const char **name, CUkernel kernel)
{
    struct kernel *k;
    CUresult r = kernel_enter(kernel, &k);
    if (r)
        return r;
    if (!name)
        return CUDA_ERROR_INVALID_VALUE;
    *name = k->info->ptx->name;
    return CUDA_SUCCESS;
}

CUresult kernel_param_info(CUkernel kernel, size_t index, size_t *offset, size_t *size)
{
    struct kernel *k;
    CUresult r = kernel_enter(kernel, &k);
    if (r)
        return r;
    if (!offset || index >= k->info->nparams)
        return CUDA_ERROR_INVALID_VALUE;
    *offset = k->info->params[index].offset;
    if (size)
        *size = k->info->params[index].size;
    return CUDA_SUCCESS;
}
