// SPDX-License-Identifier: Apache-2.0
// Functions: the kernels of a module, their attributes, and the compiled code for each block shape.
#include "base/env.h"
#include "base/process/account.h"
#include "driver/driver.h"

CUresult function_get(CUfunction handle, struct function **out)
{
    struct function *f = handle_get(handle, HANDLE_FUNCTION);
    if (f) {
        *out = f;
        return CUDA_SUCCESS;
    }
    struct kernel *k = handle_get(handle, HANDLE_KERNEL);
    if (k)
        return kernel_function(k, out);
    return driver_ready() ? CUDA_ERROR_INVALID_HANDLE : CUDA_ERROR_NOT_INITIALIZED;
}

// ---- code. Shapes are compared without a lock: a variant is complete before the count that admits it.
static uint32_t shape_key(const uint32_t block[3], bool checked)
{
    return block[0] | block[1] << 11 | block[2] << 22 | (uint32_t)checked << 31; // at most 1024, 1024, 64
}

// Do grid and arguments hold what the code counts on?
static bool launch_fits(const struct jit_variant *v, const uint32_t grid[3], const char *args, uint32_t size)
{
    uint32_t wrong = 0;
    for (int k = 0; k < 3; k++)
        wrong |= v->grid_max[k] && grid[k] > v->grid_max[k];
    for (uint32_t i = 0; i < v->nassumed; i++)
        if (v->assumed[i].offset < size)
            wrong |= (uint8_t)args[v->assumed[i].offset] & v->assumed[i].bits; // the low byte comes first
    return !wrong;
}

static struct jit_code *variant_find(struct function *f, uint32_t shape, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        if (f->variants[i].shape == shape)
            return f->variants[i].code;
    return NULL;
}

static CUresult compile_with(struct function *f, const struct jit_options *options, struct jit_code **out)
{
    struct image *i = f->module->image;
    struct diag d;
    CUresult r = image_kernel_check(i, f->info);
    if (r)
        return r;
    diag_init(&d, f->info->ptx->name);
    *out = jit_module_code(i->jit, f->info->ptx, options, &d);
    if (!*out) {
        jit_log_write(&(struct jit_log){0}, &d);
        r = d.errors ? diag_result(&d) : CUDA_ERROR_UNKNOWN;
    }
    diag_fini(&d);
    return r;
}

static CUresult compile(struct function *f, const uint32_t block[3], bool checked, struct jit_code **out)
{
    struct jit_options options;
    memset(&options, 0, sizeof options); // compared and hashed as bytes
    options.width = driver_width();
    jit_options_asked(&options, f->module->image->debug);
    options.checked = checked;
    options.check = check_tools_for(f->info->ptx->name);
    if (options.check)
        options.quick = JIT_QUICK_NEVER;
    for (int k = 0; k < 3; k++)
        options.block[k] = options.stacks ? 0 : block[k]; // for a debugger: one code, so that a line has one address
    return compile_with(f, &options, out);
}

CUresult function_code_with(struct function *f, const uint32_t block[3], const struct jit_options *special,
                            struct jit_code **out)
{
    struct jit_options options;
    memset(&options, 0, sizeof options);
    jit_options_asked(&options, f->module->image->debug);
    options.quick = JIT_QUICK_NEVER;
    options.checked = true;
    options.width = special->width ? special->width : driver_width();
    options.compat = special->compat;
    options.descending = special->descending;
    for (int k = 0; k < 3; k++)
        options.block[k] = block[k];
    pthread_mutex_lock(&f->lock);
    CUresult r = compile_with(f, &options, out);
    pthread_mutex_unlock(&f->lock);
    return r;
}

static CUresult compile_locked(struct function *f, const uint32_t block[3], bool checked, struct jit_code **out)
{
    static const uint32_t any[3] = {0, 0, 0};
    unsigned n = atomic_load(&f->nvariants);
    uint32_t shape = shape_key(block, checked);
    *out = variant_find(f, shape, n);
    if (*out)
        return CUDA_SUCCESS;
    if (n < VARIANT_LIMIT) {
        CUresult r = compile(f, block, checked, out);
        if (r)
            return r;
        f->variants[n] = (struct variant){shape, *out};
        atomic_store_explicit(&f->nvariants, n + 1, memory_order_release);
        return CUDA_SUCCESS;
    }
    *out = atomic_load(&f->generic[checked]);
    if (*out)
        return CUDA_SUCCESS;
    CUresult r = compile(f, any, checked, out);
    if (!r)
        atomic_store_explicit(&f->generic[checked], *out, memory_order_release);
    return r;
}

static CUresult variant_get(struct function *f, const uint32_t block[3], bool checked, struct jit_code **out)
{
    unsigned n = atomic_load_explicit(&f->nvariants, memory_order_acquire);
    *out = variant_find(f, shape_key(block, checked), n);
    if (!*out && n == VARIANT_LIMIT)
        *out = atomic_load_explicit(&f->generic[checked], memory_order_acquire);
    if (*out)
        return CUDA_SUCCESS;
    uint64_t since = account_since();
    pthread_mutex_lock(&f->lock);
    CUresult r = compile_locked(f, block, checked, out);
    pthread_mutex_unlock(&f->lock);
    account_done(ACCOUNT_WAIT, f->info->ptx->name, since, 0);
    return r;
}

CUresult function_code(struct function *f, const uint32_t grid[3], const uint32_t block[3], const void *args,
                       struct jit_code **out)
{
    if (__builtin_expect(f->info->native != NULL, 0)) {
        *out = native_code(f->info->native, block);
        return CUDA_SUCCESS;
    }
    CUresult r = variant_get(f, block, false, out);
    return r || launch_fits(&(*out)->variant, grid, args, f->info->param_bytes) ? r : variant_get(f, block, true, out);
}

// Not CUDA's: the code for blocks of this shape is made, or found in the disk cache, before anybody launches the kernel.
// NULL: the shape that the kernel requires, else as many threads in a row as most kernels are launched with.
__attribute__((visibility("default"))) CUresult heddleFunctionBuild(CUfunction function, const uint32_t block[3]);
CUresult heddleFunctionBuild(CUfunction function, const uint32_t block[3])
{
    struct function *f;
    struct jit_code *code;
    CUresult r = function_get(function, &f);
    if (r)
        return r;
    const struct kernel_info *k = f->info;
    uint32_t own[3] = {k->max_threads < 256 ? k->max_threads : 256, 1, 1};
    if (k->required[0])
        memcpy(own, k->required, sizeof own);
    return variant_get(f, block ? block : own, false, &code);
}

static CUresult function_enter(CUfunction handle, struct function **out)
{
    CUresult r = function_get(handle, out);
    return r ? r : context_fault((*out)->module->context);
}

CUresult func_get_attribute(int *value, CUfunction_attribute attribute, CUfunction function)
{
    struct function *f;
    CUresult r = function_enter(function, &f);
    if (r)
        return r;
    return value ? attributes_get(&f->attributes, f->module->image, f->info, attribute, value)
                 : CUDA_ERROR_INVALID_VALUE;
}

CUresult func_set_attribute(CUfunction function, CUfunction_attribute attribute, int value)
{
    struct function *f;
    CUresult r = function_enter(function, &f);
    return r ? r : attributes_set(&f->attributes, f->module->image, f->info, attribute, value);
}

CUresult func_set_cache(CUfunction function, CUfunc_cache config)
{
    struct function *f;
    CUresult r = function_enter(function, &f);
    if (r)
        return r;
    return (unsigned)config > CU_FUNC_CACHE_PREFER_EQUAL ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

CUresult func_set_banks(CUfunction function, CUsharedconfig config)
{
    struct function *f;
    CUresult r = function_enter(function, &f);
    if (r)
        return r;
    return (unsigned)config > CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

CUresult func_get_module(CUmodule *module, CUfunction function)
{
    struct function *f;
    CUresult r = function_enter(function, &f);
    if (r)
        return r;
    if (!module)
        return CUDA_ERROR_INVALID_VALUE;
    *module = f->module->handle;
    return CUDA_SUCCESS;
}

CUresult func_get_name(const char **name, CUfunction function)
{
    struct function *f;
    CUresult r = function_enter(function, &f);
    if (r)
        return r;
    if (!name)
        return CUDA_ERROR_INVALID_VALUE;
    *name = f->info->ptx->name;
    return CUDA_SUCCESS;
}

CUresult func_param_info(CUfunction function, size_t index, size_t *offset, size_t *size)
{
    struct function *f;
    CUresult r = function_enter(function, &f);
    if (r)
        return r;
    if (!offset || index >= f->info->nparams)
        return CUDA_ERROR_INVALID_VALUE;
    *offset = f->info->params[index].offset;
    if (size)
        *size = f->info->params[index].size;
    return CUDA_SUCCESS;
}

CUresult func_is_loaded(CUfunctionLoadingState *state, CUfunction function)
{
    struct function *f;
    CUresult r = function_enter(function, &f);
    if (r)
        return r;
    if (!state)
        return CUDA_ERROR_INVALID_VALUE;
    *state = CU_FUNCTION_LOADING_STATE_LOADED;
    return CUDA_SUCCESS;
}

CUresult func_load(CUfunction function)
{
    struct function *f;
    return function_enter(function, &f);
}
