// SPDX-License-Identifier: Apache-2.0
// Registration of the code and variables that a program carries. Before main only a record is made; a module is loaded
// into the driver when one of its kernels or variables is first used.
//
// A kernel's handle (CUkernel) belongs to no context, so it is found once and serves every device, also after a reset.
// The way from host function to handle takes no lock: see registry.h.
#include "runtime/module/registry.h"
#include "runtime/emulate/emulate.h"
#include "runtime/runtime.h"
#include "runtime/told_watch.h"
#include "base/log.h"
#include "base/os.h"
#include "base/reserve.h"
#include "base/vec.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef void managed_init(void);

struct module {
    struct module *next;
    const void *image; // the wrapper of the fat binary
    pthread_mutex_t lock;
    _Atomic(CUlibrary) library; // NULL: not loaded
    _Atomic int failure;        // cudaError_t of the attempt to load; it is not repeated, unless memory was short
    atomic_flag watched;        // the end of the process is told before it would be unloaded
    struct VEC(struct kernel *) kernels;
    struct VEC(struct variable *) variables;
    struct VEC(managed_init *) managed_inits; // see __cudaRegisterManagedInit; called once
};

struct kernel {
    struct module *module; // NULL: adopted, the handle is all there is
    const void *host;
    const char *name;
    _Atomic(CUkernel) handle;
    struct kernel *next; // of the adopted ones
    CUlibrary library;   // that an adopted one goes with
};

struct variable {
    struct module *module;
    const void *host;
    const char *name;
    size_t size;
    void **managed;                // where the program keeps its pointer to a managed variable
    void *storage;                 // the host's own memory for it, with our compiler
    bool resolved;                 // the pointer is right
    struct rt_reference reference; // of a texture or surface reference
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // of the list and of writes to the registries
static struct module *modules;
static struct registry kernels, variables;
static struct kernel *adopted;
static atomic_bool incomplete; // there was no memory for something that was registered
static bool lost;              // a child: another thread of its parent was changing the list

// Memory for a record. The program registers before main and cannot be told: there the reserve stands in, and what has no record is
// an error of the call that asks for it.
static void *record_new(size_t size)
{
    void *p;
    reserve_ready();
    while (!(p = calloc(1, size)) && reserve_release())
        ;
    if (!p)
        atomic_store(&incomplete, true);
    return p;
}

static cudaError_t unknown(cudaError_t e)
{
    return rt_fail(atomic_load(&incomplete) ? cudaErrorMemoryAllocation : e);
}

// With our driver the host's variable is the memory of a managed one; others have memory of their own.
static CUresult variable_resolve(struct variable *v, CUlibrary library)
{
    CUdeviceptr address;
    size_t size;
    if (v->storage && drv.library_bind)
        return drv.library_bind(library, v->name, v->storage, v->size);
    CUresult r = drv.cuLibraryGetManaged(&address, &size, library, v->name);
    if (!r)
        *v->managed = (void *)(uintptr_t)address;
    return r;
}

static CUresult managed_resolve(struct module *m, CUlibrary library)
{
    for (size_t i = 0; i < m->variables.len; i++) {
        struct variable *v = m->variables.data[i];
        if (!v->managed || v->resolved)
            continue;
        v->resolved = true;
        CUresult r = variable_resolve(v, library);
        if (r && !(v->storage && r == CUDA_ERROR_NOT_FOUND)) { // no kernel names it
            log_write(LOG_ERROR, "managed variable %s cannot be used (error %d)", v->name, (int)r);
            return r;
        }
    }
    for (size_t i = 0; i < m->managed_inits.len; i++)
        if (!drv.library_bind)
            m->managed_inits.data[i]();
    m->managed_inits.len = 0;
    return CUDA_SUCCESS;
}

// Loads a module; what the driver's compiler has to say about a failure goes to the log.
static CUresult module_load(const struct module *m, CUlibrary *library)
{
    char text[4096] = "";
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void *values[] = {text, (void *)sizeof text};
    *library = NULL;
    CUresult r = drv.cuLibraryLoadData(library, m->image, options, values, 2, NULL, NULL, 0);
    if (r)
        log_write(LOG_ERROR, "a module of the program could not be loaded: error %d (%s)%s%.*s", (int)r,
                  cudaGetErrorName((cudaError_t)r), *text ? ": " : "", (int)strcspn(text, "\n"), text);
    return r;
}

// For another try.
static void module_undo(struct module *m, CUlibrary library)
{
    for (size_t i = 0; i < m->variables.len; i++)
        m->variables.data[i]->resolved = false;
    if (library)
        drv.cuLibraryUnload(library);
}

// The library of a module, loaded if need be.
static cudaError_t module_library(struct module *m, CUlibrary *out)
{
    *out = atomic_load_explicit(&m->library, memory_order_acquire);
    if (*out)
        return cudaSuccess;
    pthread_mutex_lock(&m->lock);
    CUlibrary library = atomic_load_explicit(&m->library, memory_order_relaxed);
    int failure = atomic_load_explicit(&m->failure, memory_order_relaxed);
    if (!library && !failure) {
        CUresult r = module_load(m, &library);
        if (!r)
            r = managed_resolve(m, library);
        failure = (int)r;
        if (r == CUDA_ERROR_OUT_OF_MEMORY)
            module_undo(m, library);
        atomic_store_explicit(&m->failure, r == CUDA_ERROR_OUT_OF_MEMORY ? 0 : failure, memory_order_relaxed);
        atomic_store_explicit(&m->library, r ? NULL : library, memory_order_release);
    }
    pthread_mutex_unlock(&m->lock);
    *out = library;
    return failure ? rt_fail_driver((CUresult)failure) : cudaSuccess;
}

// The same, when the program uses what is in it. It has asked for the exit handler that ends the module by now: only a watch
// that begins here comes before that.
static cudaError_t module_use(struct module *m, CUlibrary *out)
{
    if (!atomic_flag_test_and_set(&m->watched) && !rt_exit_watch()) {
        atomic_flag_clear(&m->watched);
        return rt_fail(cudaErrorMemoryAllocation);
    }
    return module_library(m, out);
}

static cudaError_t kernel_load(struct kernel *k, CUkernel *out)
{
    CUlibrary library;
    cudaError_t e = module_use(k->module, &library);
    if (e)
        return e;
    CUresult r = drv.cuLibraryGetKernel(out, library, k->name);
    if (r) {
        log_write(LOG_ERROR, "kernel %s %s (error %d)", k->name,
                  r == CUDA_ERROR_NOT_FOUND ? "is not in its module" : "cannot be used", (int)r);
        return r == CUDA_ERROR_NOT_FOUND ? rt_fail(cudaErrorInvalidDeviceFunction) : rt_fail_driver(r);
    }
    atomic_store_explicit(&k->handle, *out, memory_order_release);
    return cudaSuccess;
}

// --- by name: programs for CUDA before 5 give a text where others give an address ---

// Whether a name, perhaps as C++ mangles it, is that of a function or variable at file scope called text.
static bool name_is(const char *name, const char *text)
{
    if (!strcmp(name, text))
        return true;
    if (strncmp(name, "_Z", 2))
        return false;
    name += name[2] == 'L' ? 3 : 2; // L: static
    char *rest;
    size_t n = strtoul(name, &rest, 10);
    return rest != name && n == strlen(text) && !strncmp(rest, text, n);
}

enum { LONGEST_NAME = 1024 };

static struct kernel *kernel_by_name(const void *text)
{
    char name[LONGEST_NAME];
    struct kernel *found = NULL;
    if (!os_text_at(text, name, sizeof name) || !*name)
        return NULL;
    pthread_mutex_lock(&lock);
    for (struct module *m = modules; m && !found; m = m->next)
        for (size_t i = 0; i < m->kernels.len && !found; i++)
            if (name_is(m->kernels.data[i]->name, name))
                found = m->kernels.data[i];
    pthread_mutex_unlock(&lock);
    return found;
}

static struct variable *variable_by_name(const void *text)
{
    char name[LONGEST_NAME];
    struct variable *found = NULL;
    if (!os_text_at(text, name, sizeof name) || !*name)
        return NULL;
    pthread_mutex_lock(&lock);
    for (struct module *m = modules; m && !found; m = m->next)
        for (size_t i = 0; i < m->variables.len && !found; i++)
            if (name_is(m->variables.data[i]->name, name))
                found = m->variables.data[i];
    pthread_mutex_unlock(&lock);
    return found;
}

static struct variable *variable_find(const void *symbol)
{
    struct variable *v = registry_get(&variables, symbol);
    return v ? v : variable_by_name(symbol);
}

cudaError_t rt_kernel(const void *func, CUkernel *out)
{
    struct kernel *k = registry_get(&kernels, func);
    if (__builtin_expect(!k, 0) && !(k = kernel_by_name(func)))
        return unknown(cudaErrorInvalidDeviceFunction);
    *out = atomic_load_explicit(&k->handle, memory_order_acquire);
    return __builtin_expect(*out != NULL, 1) ? cudaSuccess : kernel_load(k, out);
}

const char *rt_kernel_name(const void *func)
{
    struct kernel *k = registry_get(&kernels, func);
    return k ? k->name : NULL;
}

const void *rt_kernel_host(CUkernel handle)
{
    const void *found = NULL;
    pthread_mutex_lock(&lock);
    for (struct module *m = modules; m && !found; m = m->next)
        for (size_t i = 0; i < m->kernels.len && !found; i++)
            if (atomic_load(&m->kernels.data[i]->handle) == handle)
                found = m->kernels.data[i]->host;
    pthread_mutex_unlock(&lock);
    return found;
}

cudaError_t rt_kernel_adopt(CUkernel handle)
{
    if (registry_get(&kernels, handle))
        return cudaSuccess;
    bool ok = true;
    pthread_mutex_lock(&lock);
    if (!registry_get(&kernels, handle)) {
        struct kernel *k = calloc(1, sizeof *k);
        ok = k && registry_put(&kernels, handle, k);
        if (ok) {
            atomic_init(&k->handle, handle);
            if (drv.cuKernelGetLibrary(&k->library, handle))
                k->library = NULL;
            k->next = adopted;
            adopted = k;
        } else {
            free(k);
        }
    }
    pthread_mutex_unlock(&lock);
    return ok ? cudaSuccess : rt_fail(cudaErrorMemoryAllocation);
}

CUresult rt_library_unload(CUlibrary library)
{
    pthread_mutex_lock(&lock);
    for (struct kernel **p = &adopted, *k; (k = *p);) {
        if (k->library != library) {
            p = &k->next;
            continue;
        }
        *p = k->next;
        registry_remove(&kernels, atomic_load(&k->handle));
        free(k);
    }
    pthread_mutex_unlock(&lock);
    return drv.cuLibraryUnload(library);
}

// NVIDIA's compiler names a managed variable by its memory.
static struct variable *managed_find(const void *symbol)
{
    struct variable *found = NULL;
    pthread_mutex_lock(&lock);
    for (struct module *m = modules; m && !found; m = m->next)
        for (size_t i = 0; i < m->variables.len && !found; i++) {
            struct variable *v = m->variables.data[i];
            if (v->managed && symbol && *v->managed == symbol)
                found = v;
        }
    pthread_mutex_unlock(&lock);
    return found;
}

cudaError_t rt_symbol(const void *symbol, CUdeviceptr *address, size_t *size)
{
    struct variable *v = registry_get(&variables, symbol);
    if (!v && !(v = managed_find(symbol)) && !emulate_is_on()) // where a pointer is no name
        v = variable_find(symbol);
    if (!v && symbol && emulate_is_on()) { // a variable of the program, with all its memory at hand
        *address = (CUdeviceptr)(uintptr_t)symbol;
        *size = SIZE_MAX / 2;
        return rt_enter();
    }
    if (!v)
        return unknown(cudaErrorInvalidSymbol);
    if (v->reference.kind)
        return rt_fail(cudaErrorInvalidSymbol);
    cudaError_t e = rt_enter();
    if (e)
        return e;
    CUlibrary library;
    e = module_use(v->module, &library);
    if (e)
        return e;
    CUresult r = v->managed ? drv.cuLibraryGetManaged(address, size, library, v->name)
                            : drv.cuLibraryGetGlobal(address, size, library, v->name);
    return r == CUDA_ERROR_NOT_FOUND ? rt_fail(cudaErrorInvalidSymbol) : rt_result(r);
}

struct rt_reference *rt_reference(const void *symbol, enum rt_reference_kind kind)
{
    struct variable *v = variable_find(symbol);
    return v && v->reference.kind == kind ? &v->reference : NULL;
}

cudaError_t rt_reference_module(const struct rt_reference *r, CUmodule *out)
{
    CUlibrary library;
    cudaError_t e = module_use(r->variable->module, &library);
    return e ? e : rt_result(drv.cuLibraryGetModule(out, library));
}

const char *rt_reference_name(const struct rt_reference *r)
{
    return r->variable->name;
}

const void *rt_reference_host(const struct rt_reference *r)
{
    return r->variable->host;
}

static void modules_load(void)
{
    pthread_mutex_lock(&lock);
    for (struct module *m = modules; m; m = m->next) {
        CUlibrary library;
        module_library(m, &library);
    }
    pthread_mutex_unlock(&lock);
}

bool rt_modules_lock(unsigned ms)
{
    return os_lock_within(&lock, ms);
}

void rt_modules_unlock(void)
{
    pthread_mutex_unlock(&lock);
}

void rt_modules_renew(bool held)
{
    lost = !held;
    lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    for (struct module *m = modules; m && held; m = m->next)
        m->lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
}

void **__cudaRegisterFatBinary(void *fatCubin)
{
    struct module *m = record_new(sizeof *m);
    emulate_note_device_code();
    if (!m)
        return NULL;
    m->image = fatCubin;
    pthread_mutex_init(&m->lock, NULL);
    pthread_mutex_lock(&lock);
    m->next = modules;
    modules = m;
    pthread_mutex_unlock(&lock);
    atomic_store(&rt_process.modules_load, modules_load);
    return (void **)m;
}

// Managed variables of our own compiler have their first value before main: the host may read them at once. Errors are
// left for the first use.
void __cudaRegisterFatBinaryEnd(void **handle)
{
    struct module *m = (struct module *)handle;
    bool wanted = false;
    if (!m)
        return;
    for (size_t i = 0; i < m->variables.len; i++)
        wanted |= m->variables.data[i]->storage && !m->variables.data[i]->resolved;
    CUlibrary library;
    if (!wanted)
        return;
    // Our driver needs no context for it.
    if (!rt_init() && (drv.library_bind || !rt_enter()) && !module_library(m, &library)) {
        pthread_mutex_lock(&m->lock);
        managed_resolve(m, library); // what was registered since it was loaded
        pthread_mutex_unlock(&m->lock);
    }
    cudaGetLastError();
}

void __cudaUnregisterFatBinary(void **handle)
{
    struct module *m = (struct module *)handle;
    if (!m || lost || rt_exiting()) // the process takes all with it
        return;
    pthread_mutex_lock(&lock);
    for (struct module **p = &modules; *p; p = &(*p)->next)
        if (*p == m) {
            *p = m->next;
            break;
        }
    for (size_t i = 0; i < m->kernels.len; i++) {
        registry_remove(&kernels, m->kernels.data[i]->host);
        free(m->kernels.data[i]);
    }
    for (size_t i = 0; i < m->variables.len; i++) {
        registry_remove(&variables, m->variables.data[i]->host);
        free(m->variables.data[i]);
    }
    pthread_mutex_unlock(&lock);
    CUlibrary library = atomic_load(&m->library);
    if (library)
        rt_library_unload(library);
    vec_free(&m->kernels);
    vec_free(&m->variables);
    vec_free(&m->managed_inits);
    pthread_mutex_destroy(&m->lock);
    free(m);
}

// A record that found no place in the lists goes.
static void *record_keep(bool ok, void *record)
{
    if (ok)
        return record;
    free(record);
    atomic_store(&incomplete, true);
    return NULL;
}

void __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name, int threadLimit,
                            uint3 *tid, uint3 *bid, dim3 *block, dim3 *grid, int *warpSize)
{
    (void)device, (void)threadLimit, (void)tid, (void)bid, (void)block, (void)grid, (void)warpSize;
    struct module *m = (struct module *)handle;
    struct kernel *k = m ? record_new(sizeof *k) : NULL;
    if (!k)
        return;
    k->module = m;
    k->host = host;
    k->name = name;
    bool ok;
    pthread_mutex_lock(&lock);
    while (!(ok = vec_try_reserve(&m->kernels, m->kernels.len + 1) && registry_put(&kernels, host, k)) &&
           reserve_release())
        ;
    if (ok)
        vec_push(&m->kernels, k);
    pthread_mutex_unlock(&lock);
    record_keep(ok, k);
}

// NULL: there is no memory for it.
static struct variable *variable_add(void **handle, const struct variable *like)
{
    struct module *m = (struct module *)handle;
    struct variable *v = m ? record_new(sizeof *v) : NULL;
    if (!v)
        return NULL;
    *v = *like;
    v->module = m;
    bool ok;
    pthread_mutex_lock(&lock);
    while (!(ok = vec_try_reserve(&m->variables, m->variables.len + 1) && registry_put(&variables, v->host, v)) &&
           reserve_release())
        ;
    if (ok)
        vec_push(&m->variables, v);
    pthread_mutex_unlock(&lock);
    return record_keep(ok, v);
}

void __cudaRegisterVar(void **handle, char *host, char *device, const char *name, int external, size_t size,
                       int constant, int global)
{
    (void)device, (void)external, (void)constant, (void)global;
    variable_add(handle, &(struct variable){.host = host, .name = name, .size = size});
}

// The program names a managed variable by the address of its pointer to it, which begins as NULL with NVIDIA's
// compiler, with ours as the address of memory in the program.
void __cudaRegisterManagedVar(void **handle, void **host, char *device, const char *name, int external, size_t size,
                              int constant, int global)
{
    (void)device, (void)external, (void)constant, (void)global;
    variable_add(handle,
                 &(struct variable){.host = host, .name = name, .size = size, .managed = host, .storage = *host});
}

// Of our own compiler: writes variables whose first values are addresses of managed ones.
void __cudaRegisterManagedInit(void **handle, void (*init)(void))
{
    struct module *m = (struct module *)handle;
    pthread_mutex_lock(&lock);
    if (m && vec_try_reserve(&m->managed_inits, m->managed_inits.len + 1))
        vec_push(&m->managed_inits, init);
    else
        atomic_store(&incomplete, true);
    pthread_mutex_unlock(&lock);
}

void __cudaRegisterHostVar(void **handle, const char *name, char *host, size_t size)
{
    variable_add(handle, &(struct variable){.host = host, .name = name, .size = size});
}

// Called before host code touches a managed variable: afterwards its pointer is set. Answers whether that worked.
char __cudaInitModule(void **handle)
{
    CUlibrary library;
    return handle && !rt_enter() && !module_library((struct module *)handle, &library);
}

static void reference_add(void **handle, const void *host, const char *name, struct rt_reference reference)
{
    struct variable *v = variable_add(handle, &(struct variable){.host = host, .name = name, .reference = reference});
    if (v)
        v->reference.variable = v;
}

void __cudaRegisterTexture(void **handle, const void *host, const void **device, const char *name, int dim,
                           int normalized, int external)
{
    (void)device, (void)dim, (void)external;
    reference_add(handle, host, name, (struct rt_reference){.kind = RT_TEXTURE, .normalized = normalized});
}

void __cudaRegisterSurface(void **handle, const void *host, const void **device, const char *name, int dim,
                           int external)
{
    (void)device, (void)dim, (void)external;
    reference_add(handle, host, name, (struct rt_reference){.kind = RT_SURFACE});
}

void __cudaRegisterShared(void **handle, void **device)
{
    (void)handle, (void)device;
}

void __cudaRegisterSharedVar(void **handle, void **device, size_t size, size_t alignment, int storage)
{
    (void)handle, (void)device, (void)size, (void)alignment, (void)storage;
}

cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *host)
{
    return cudaGetKernel(kernel, host);
}

cudaError_t cudaGetKernel(cudaKernel_t *kernelPtr, const void *entryFuncAddr)
{
    if (!kernelPtr)
        return rt_fail(cudaErrorInvalidValue);
    CUkernel k;
    cudaError_t e = rt_enter();
    if (!e)
        e = rt_kernel(entryFuncAddr, &k);
    e = e ? e : rt_kernel_adopt(k);
    if (!e)
        *kernelPtr = (cudaKernel_t)k;
    return e;
}

cudaError_t cudaGetFuncBySymbol(cudaFunction_t *functionPtr, const void *symbolPtr)
{
    CUkernel k;
    cudaError_t e = rt_enter();
    if (!e)
        e = rt_kernel(symbolPtr, &k);
    return e ? e : rt_result(drv.cuKernelGetFunction((CUfunction *)functionPtr, k));
}

cudaError_t cudaGetSymbolAddress(void **devPtr, const void *symbol)
{
    CUdeviceptr address;
    size_t size;
    if (!devPtr)
        return rt_fail(cudaErrorInvalidValue);
    cudaError_t e = rt_symbol(symbol, &address, &size);
    if (!e)
        *devPtr = (void *)(uintptr_t)address;
    return e;
}

cudaError_t cudaGetSymbolSize(size_t *size, const void *symbol)
{
    CUdeviceptr address;
    return size ? rt_symbol(symbol, &address, size) : rt_fail(cudaErrorInvalidValue);
}

const char *rt_watch_kernel(const void *function)
{
    return rt_kernel_name(function);
}
