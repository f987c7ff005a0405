// SPDX-License-Identifier: Apache-2.0
// heddle cache prebuild: compiles the kernels of programs, libraries, objects, fat binaries, images and PTX files into
// the disk cache, so that the first run finds them there. The driver does it, as it would at a launch, so that the keys
// are the same; all cores take part. Which shapes of blocks a program launches only its author knows: those given by
// --block, else the one that the kernel requires, else 256 threads in a row.
#include "heddle/prebuild.h"
#include "heddle/shape.h"
#include "base/os.h"
#include "base/vec.h"
#include "base/xmalloc.h"
#include "fatbin/device_link.h"
#include <cuda.h>
#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SHAPES = 16, MAX_THREADS = 64 };

// The driver's functions that are called here: DRIVER(name, as it is exported, parameters).
#define DRIVER_FUNCTIONS(X)                                                                                            \
    X(cuInit, cuInit, (unsigned))                                                                                      \
    X(cuDevicePrimaryCtxRetain, cuDevicePrimaryCtxRetain, (CUcontext *, CUdevice))                                     \
    X(cuCtxSetCurrent, cuCtxSetCurrent, (CUcontext))                                                                   \
    X(cuModuleLoadData, cuModuleLoadData, (CUmodule *, const void *))                                                  \
    X(cuModuleGetFunctionCount, cuModuleGetFunctionCount, (unsigned *, CUmodule))                                      \
    X(cuModuleEnumerateFunctions, cuModuleEnumerateFunctions, (CUfunction *, unsigned, CUmodule))                      \
    X(cuFuncGetName, cuFuncGetName, (const char **, CUfunction))                                                       \
    X(cuGetErrorName, cuGetErrorName, (CUresult, const char **))                                                       \
    X(build, heddleFunctionBuild, (CUfunction, const uint32_t *))
static struct {
#define X(name, symbol, parameters) CUresult(*name) parameters;
    DRIVER_FUNCTIONS(X)
#undef X
} drv;

struct shape {
    uint32_t block[3];
};
struct task {
    CUfunction function;
    const char *name, *file;
    const struct shape *shape; // NULL: the kernel's own
};

static struct shape shapes[MAX_SHAPES];
static unsigned nshapes;
static struct VEC(struct task) tasks;
static CUcontext context;
static atomic_size_t next_task;
static atomic_uint made, failed;

static bool driver_open(void)
{
    char dir[PATH_MAX - 32], path[PATH_MAX];
    bool known = os_self_dir((const void *)driver_open, dir, sizeof dir);
    snprintf(path, sizeof path, "%s%slibcuda.so.1", known ? dir : "", known ? "/../lib64/" : "");
    void *h = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    bool ok = h != NULL;
#define X(name, symbol, parameters) ok = ok && (drv.name = (CUresult(*) parameters)dlsym(h, #symbol));
    DRIVER_FUNCTIONS(X)
#undef X
    if (!ok || drv.cuInit(0) || drv.cuDevicePrimaryCtxRetain(&context, 0) || drv.cuCtxSetCurrent(context)) {
        fprintf(stderr, "heddle: %s cannot be used: %s\n", path, ok ? "it reports no device" : dlerror());
        return false;
    }
    return true;
}

static bool shape_add(const char *text)
{
    if (nshapes == MAX_SHAPES) {
        fprintf(stderr, "heddle: more than %d shapes of blocks\n", MAX_SHAPES);
        return false;
    }
    return shape_read(text, shapes[nshapes++].block);
}

static bool failure(const char *file, const char *name, CUresult r)
{
    const char *text = "unknown error";
    drv.cuGetErrorName(r, &text);
    fprintf(stderr, "heddle: %s%s%s: %s\n", file, name ? ": " : "", name ? name : "", text);
    return false;
}

// Every kernel of a module, for each shape.
static bool module_add(const char *file, const void *data)
{
    CUmodule module;
    unsigned n = 0;
    CUresult r = drv.cuModuleLoadData(&module, data);
    if (!r)
        r = drv.cuModuleGetFunctionCount(&n, module);
    if (r)
        return failure(file, NULL, r);
    CUfunction *functions = xcalloc(n + 1, sizeof *functions);
    r = drv.cuModuleEnumerateFunctions(functions, n, module);
    for (unsigned i = 0; !r && i < n; i++) {
        struct task t = {.function = functions[i], .file = file};
        drv.cuFuncGetName(&t.name, functions[i]);
        if (!nshapes)
            vec_push(&tasks, t);
        for (unsigned k = 0; k < nshapes; k++) {
            t.shape = &shapes[k];
            vec_push(&tasks, t);
        }
    }
    free(functions);
    return !r || failure(file, NULL, r);
}

static bool has_ptx(const struct fatbin *f)
{
    bool found = false;
    for (size_t i = 0; i < f->entries.len; i++)
        found |= f->entries.data[i].kind == FATBIN_PTX;
    return found;
}

// Every fat binary of a section: there is one for each source. NVIDIA's device link adds one without PTX.
static bool section_add(const char *path, const struct object_fatbin *f, struct diag *d)
{
    struct device_units units = {0};
    bool ok = device_units_split(&units, f, d), any = false;
    for (size_t i = 0; ok && i < units.len; i++)
        if (has_ptx(&units.data[i].fatbin) || (!any && i + 1 == units.len)) {
            ok = module_add(path, units.data[i].data);
            any = true;
        }
    device_units_fini(&units);
    return ok;
}

// A program, library, object or archive; anything else the driver reads by itself.
static bool file_add(struct arena *arena, const char *path)
{
    struct objects o = {.arena = arena, .all = true};
    struct diag d;
    size_t size;
    diag_init(&d, path);
    bool ok = objects_read(&o, path, &d), any = o.fatbins.len > 0;
    for (size_t i = 0; ok && i < o.fatbins.len; i++)
        if (o.fatbins.data[i].relocatable)
            fprintf(stderr, "heddle: %s: code that is not linked yet is passed over\n", path);
        else
            ok = section_add(path, &o.fatbins.data[i], &d);
    objects_fini(&o);
    if (!ok && d.errors)
        fputs(d.text.data, stderr);
    diag_fini(&d);
    if (any || !ok)
        return ok;
    char *data = os_file_read(path, &size);
    if (!data) {
        fprintf(stderr, "heddle: %s cannot be read\n", path);
        return false;
    }
    ok = module_add(path, data);
    free(data);
    return ok;
}

static void *work(void *unused)
{
    (void)unused;
    drv.cuCtxSetCurrent(context);
    for (size_t i; (i = atomic_fetch_add(&next_task, 1)) < tasks.len;) {
        const struct task *t = &tasks.data[i];
        CUresult r = drv.build(t->function, t->shape ? t->shape->block : NULL);
        if (r)
            failure(t->file, t->name, r);
        atomic_fetch_add(r ? &failed : &made, 1);
    }
    return NULL;
}

int prebuild(int argc, char **argv)
{
    struct arena arena = {0};
    setenv("HEDDLE_QUICK", "never", 0);
    bool ok = driver_open();
    unsigned files = 0;
    for (int i = 0; ok && i < argc; i++)
        if (!strcmp(argv[i], "--block"))
            ok = i + 1 < argc && shape_add(argv[++i]);
    for (int i = 0; ok && i < argc; i++) {
        if (!strcmp(argv[i], "--block")) {
            i++;
            continue;
        }
        files++;
        ok = file_add(&arena, argv[i]);
    }
    arena_fini(&arena); // modules keep copies
    if (!ok || !files) {
        if (ok)
            fputs("heddle: cache prebuild: no file is given\n", stderr);
        return 2;
    }
    pthread_t threads[MAX_THREADS];
    unsigned n = os_cpu_count() - 1, started = 0;
    for (n = n < MAX_THREADS ? n : MAX_THREADS; started < n && started + 1 < tasks.len; started++)
        if (pthread_create(&threads[started], NULL, work, NULL))
            break;
    work(NULL);
    while (started)
        pthread_join(threads[--started], NULL);
    printf("%u kernels are in the cache, %u failed\n", atomic_load(&made), atomic_load(&failed));
    return atomic_load(&failed) != 0;
}
