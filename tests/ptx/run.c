// SPDX-License-Identifier: Apache-2.0
// Runs PTX tests through the driver API, on Heddle's libcuda.so.1 or on NVIDIA's: usage run FILE.ptx...
//
// A test is one PTX file that says in comments how its kernel is launched and what comes out:
//   // launch: grid X [Y [Z]] block X [Y [Z]] [shared BYTES] [kernel NAME]     kernel: default the first .entry
//   // in: TYPE values          a buffer with these contents
//   // inout: TYPE values       the same, compared afterwards
//   // out: TYPE COUNT          a buffer of zeros, compared afterwards
//   // scalar: TYPE value       an argument by value
//   // expect: TYPE values      contents of the next inout or out buffer; several lines in a row are one list
//   // tolerance: X             floats may differ by X relative to the expected value (absolute below 1)
//   // fails: NAME              no launch; the module must be refused with this error (INVALID_PTX, NOT_SUPPORTED ...)
//   // requires: MAJOR.MINOR    skipped on a real device with less
//   // lockstep: yes            relies on a warp running in step; skipped where HEDDLE_WIDTH asks for less than 32
// The lines in, inout, out and scalar stand in the order of the kernel's parameters. TYPE: u8 s8 u16 s16 u32 s32 u64
// s64 f32 f64. Values: numbers; A..B counts up; V*N repeats; a float may be given by its bits, as 0x3f800000.
#include <dlfcn.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef int CUresult;
typedef unsigned long long CUdeviceptr;
// The functions of the driver that are used, with the names under which the library exports them.
#define DRIVER(X)                                                                                                      \
    X(cuInit, cuInit, (unsigned))                                                                                      \
    X(cuDeviceGet, cuDeviceGet, (int *, int))                                                                          \
    X(cuDeviceGetName, cuDeviceGetName, (char *, int, int))                                                            \
    X(cuDeviceGetAttribute, cuDeviceGetAttribute, (int *, int, int))                                                   \
    X(cuDevicePrimaryCtxRetain, cuDevicePrimaryCtxRetain, (void **, int))                                              \
    X(cuCtxSetCurrent, cuCtxSetCurrent, (void *))                                                                      \
    X(cuCtxSynchronize, cuCtxSynchronize, (void))                                                                      \
    X(cuModuleLoadDataEx, cuModuleLoadDataEx, (void **, const void *, unsigned, int *, void **))                       \
    X(cuModuleUnload, cuModuleUnload, (void *))                                                                        \
    X(cuModuleGetFunction, cuModuleGetFunction, (void **, void *, const char *))                                       \
    X(cuFuncSetAttribute, cuFuncSetAttribute, (void *, int, int))                                                      \
    X(cuMemAlloc, cuMemAlloc_v2, (CUdeviceptr *, size_t))                                                              \
    X(cuMemFree, cuMemFree_v2, (CUdeviceptr))                                                                          \
    X(cuMemcpyHtoD, cuMemcpyHtoD_v2, (CUdeviceptr, const void *, size_t))                                              \
    X(cuMemcpyDtoH, cuMemcpyDtoH_v2, (void *, CUdeviceptr, size_t))                                                    \
    X(cuGetErrorName, cuGetErrorName, (CUresult, const char **))                                                       \
    X(cuLaunchKernel, cuLaunchKernel,                                                                                  \
      (void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **))
#define X(name, symbol, args) static CUresult(*name) args;
DRIVER(X)
#undef X

enum { MAX_ARGS = 16, JIT_ERROR_LOG = 5, JIT_ERROR_LOG_SIZE = 6, MAX_DYNAMIC_SHARED = 8 };

struct type {
    const char *name;
    unsigned size;
    char kind; // 'u', 's', 'f'
};
static const struct type types[] = {{"u8", 1, 'u'},  {"s8", 1, 's'},  {"u16", 2, 'u'}, {"s16", 2, 's'},
                                    {"u32", 4, 'u'}, {"s32", 4, 's'}, {"u64", 8, 'u'}, {"s64", 8, 's'},
                                    {"f32", 4, 'f'}, {"f64", 8, 'f'}};

struct values {
    const struct type *type;
    unsigned char *data;
    size_t count;
};
struct arg {
    struct values v;
    bool buffer, compared;
    CUdeviceptr device;
};
struct test {
    const char *path;
    char *text;
    unsigned grid[3], block[3], shared;
    char kernel[256], fails[64];
    struct arg args[MAX_ARGS];
    unsigned nargs, nexpect;
    struct values expect[MAX_ARGS];
    double tolerance;
    int requires;
    bool lockstep, launched;
};

static int passed, failed, skipped;

static bool complain(const struct test *t, const char *what)
{
    fprintf(stderr, "%s: %s\n", t->path, what);
    return false;
}

static void append(struct values *v, const char *text, char **end)
{
    unsigned char bytes[8] = {0};
    bool is_bits = text[0] == '0' && (text[1] == 'x' || text[1] == 'X') && !memchr(text, 'p', strcspn(text, " *\r\n"));
    if (v->type->kind == 'f' && !is_bits) {
        double d = strtod(text, end);
        float f = (float)d;
        memcpy(bytes, v->type->size == 4 ? (void *)&f : (void *)&d, v->type->size);
    } else {
        uint64_t u = *text == '-' ? (uint64_t)strtoll(text, end, 0) : strtoull(text, end, 0);
        memcpy(bytes, &u, v->type->size);
    }
    v->data = realloc(v->data, (v->count + 1) * v->type->size);
    memcpy(v->data + v->count++ * v->type->size, bytes, v->type->size);
}

static const struct type *parse_type(const char **p)
{
    *p += strspn(*p, " \t");
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        size_t n = strlen(types[i].name);
        if (!strncmp(*p, types[i].name, n) && strchr(" \t\r\n", (*p)[n])) {
            *p += n;
            return &types[i];
        }
    }
    return NULL;
}

static bool parse_values(struct values *v, const char *p)
{
    const struct type *type = parse_type(&p);
    if (!type || (v->type && v->type != type))
        return false;
    v->type = type;
    for (;;) {
        p += strspn(p, " \t");
        if (!*p || *p == '\n' || *p == '\r')
            return true;
        char *end;
        append(v, p, &end);
        if (end == p)
            return false;
        if (end[0] == '.' && end[1] == '.') {
            long long from = strtoll(p, NULL, 0), to = strtoll(end + 2, &end, 0);
            for (long long i = from + 1; i <= to; i++) {
                char number[32], *rest;
                snprintf(number, sizeof number, "%lld", i);
                append(v, number, &rest);
            }
        } else if (*end == '*') {
            char copy[64], *rest;
            snprintf(copy, sizeof copy, "%.*s", (int)(end - p), p);
            for (long n = strtol(end + 1, &end, 0); n > 1; n--)
                append(v, copy, &rest);
        }
        p = end;
    }
}

static bool parse_launch(struct test *t, const char *p)
{
    unsigned *to = NULL, n = 0;
    char word[256];
    int used;
    while (sscanf(p, " %255s%n", word, &used) == 1 && !memchr(p, '\n', (size_t)used - strlen(word))) {
        p += used;
        if (!strcmp(word, "grid")) {
            to = t->grid, n = 0;
        } else if (!strcmp(word, "block")) {
            to = t->block, n = 0;
        } else if (!strcmp(word, "shared")) {
            to = &t->shared, n = 2;
        } else if (!strcmp(word, "kernel")) {
            if (sscanf(p, " %255s%n", t->kernel, &used) != 1)
                return false;
            p += used;
        } else if (to && n < 3) {
            to[n == 2 && to == &t->shared ? 0 : n] = (unsigned)strtoul(word, NULL, 0);
            n++;
        } else {
            return false;
        }
    }
    return true;
}

static bool parse_arg(struct test *t, const char *p, bool buffer, bool compared)
{
    if (t->nargs == MAX_ARGS)
        return false;
    struct arg *a = &t->args[t->nargs++];
    a->buffer = buffer;
    a->compared = compared;
    return parse_values(&a->v, p);
}

static bool parse_out(struct test *t, const char *p)
{
    const struct type *type = parse_type(&p);
    if (!type || t->nargs == MAX_ARGS)
        return false;
    size_t n = strtoul(p, NULL, 0);
    t->args[t->nargs++] = (struct arg){.v = {type, calloc(n ? n : 1, type->size), n}, .buffer = true, .compared = true};
    return n > 0;
}

// One directive; `same` tells that the line before was an expect line too.
static bool parse_line(struct test *t, const char *p, bool *expecting)
{
    char word[32];
    int used = 0;
    if (sscanf(p, "// %31[a-z]:%n", word, &used) != 1 || !used)
        return true;
    p += used;
    bool was = *expecting;
    *expecting = !strcmp(word, "expect");
    if (!strcmp(word, "launch"))
        return t->launched = parse_launch(t, p);
    if (!strcmp(word, "in"))
        return parse_arg(t, p, true, false);
    if (!strcmp(word, "inout"))
        return parse_arg(t, p, true, true);
    if (!strcmp(word, "scalar"))
        return parse_arg(t, p, false, false);
    if (!strcmp(word, "out"))
        return parse_out(t, p);
    if (!strcmp(word, "tolerance"))
        return (t->tolerance = strtod(p, NULL)) > 0;
    if (!strcmp(word, "fails"))
        return sscanf(p, " %63s", t->fails) == 1;
    if (!strcmp(word, "lockstep"))
        return t->lockstep = true;
    if (!strcmp(word, "requires")) {
        int major, minor;
        return sscanf(p, " %d.%d", &major, &minor) == 2 && (t->requires = major * 10 + minor, true);
    }
    if (*expecting) {
        if (!was && ++t->nexpect > MAX_ARGS)
            return false;
        return parse_values(&t->expect[t->nexpect - 1], p);
    }
    return false; // no word of these, perhaps written wrong
}

static bool parse_test(struct test *t)
{
    bool expecting = false;
    for (const char *p = t->text; *p; p += strcspn(p, "\n"), p += *p == '\n') {
        if (strncmp(p, "// ", 3))
            expecting = false;
        else if (!parse_line(t, p, &expecting)) {
            fprintf(stderr, "%s: cannot read '%.*s'\n", t->path, (int)strcspn(p, "\n"), p);
            return false;
        }
    }
    const char *entry = strstr(t->text, ".entry");
    if (!*t->kernel && entry)
        sscanf(entry + 6, " %255[^( \t\r\n]", t->kernel);
    unsigned compared = 0;
    for (unsigned i = 0; i < t->nargs; i++)
        compared += t->args[i].compared;
    if (!*t->fails && !t->launched)
        return complain(t, "a line launch or fails is needed");
    if (!*t->fails && compared != t->nexpect)
        return complain(t, "as many expect lists as out and inout buffers are needed");
    if (!*t->fails && !compared)
        return complain(t, "nothing is compared: a test has an out or inout buffer, or a line fails");
    for (int i = 0; i < 3; i++) {
        t->grid[i] = t->grid[i] ? t->grid[i] : 1;
        t->block[i] = t->block[i] ? t->block[i] : 1;
    }
    return true;
}

static double as_double(const struct values *v, size_t i)
{
    if (v->type->size == 8) {
        double d;
        return memcpy(&d, v->data + i * 8, 8), d;
    }
    float f;
    return memcpy(&f, v->data + i * 4, 4), f;
}

static bool equal(const struct test *t, const struct values *want, const struct values *got, size_t i)
{
    unsigned size = want->type->size;
    if (!memcmp(want->data + i * size, got->data + i * size, size))
        return true;
    if (want->type->kind != 'f')
        return false;
    double w = as_double(want, i), g = as_double(got, i);
    if (isnan(w) || isnan(g))
        return isnan(w) && isnan(g);
    return t->tolerance > 0 && fabs(w - g) <= t->tolerance * fmax(fabs(w), 1);
}

static void show(const struct values *v, size_t i)
{
    uint64_t bits = 0;
    memcpy(&bits, v->data + i * v->type->size, v->type->size);
    if (v->type->kind == 'f')
        fprintf(stderr, "%.9g (0x%llx)", as_double(v, i), (unsigned long long)bits);
    else
        fprintf(stderr, "%llu (0x%llx)", (unsigned long long)bits, (unsigned long long)bits);
}

static bool compare(const struct test *t)
{
    unsigned next = 0, shown = 0;
    for (unsigned k = 0; k < t->nargs; k++) {
        const struct arg *a = &t->args[k];
        if (!a->compared)
            continue;
        const struct values *want = &t->expect[next++];
        if (want->type != a->v.type || want->count != a->v.count)
            return complain(t, "expect differs from its buffer in type or count");
        for (size_t i = 0; i < want->count; i++) {
            if (equal(t, want, &a->v, i) || shown++ >= 5)
                continue;
            fprintf(stderr, "%s: argument %u element %zu is ", t->path, k, i);
            show(&a->v, i);
            fprintf(stderr, ", expected ");
            show(want, i);
            fprintf(stderr, "\n");
        }
    }
    return shown == 0;
}

#define TRY(call)                                                                                                      \
    do {                                                                                                               \
        CUresult r_ = (call);                                                                                          \
        if (r_) {                                                                                                      \
            const char *name_ = "?";                                                                                   \
            cuGetErrorName(r_, &name_);                                                                                \
            fprintf(stderr, "%s: %s: %s\n", t->path, #call, name_);                                                    \
            return false;                                                                                              \
        }                                                                                                              \
    } while (0)

static bool launch(struct test *t, void *module)
{
    void *function, *params[MAX_ARGS];
    TRY(cuModuleGetFunction(&function, module, t->kernel));
    if (t->shared > 48 * 1024)
        TRY(cuFuncSetAttribute(function, MAX_DYNAMIC_SHARED, (int)t->shared));
    for (unsigned i = 0; i < t->nargs; i++) {
        struct arg *a = &t->args[i];
        size_t size = a->v.count * a->v.type->size;
        params[i] = a->v.data;
        if (!a->buffer)
            continue;
        TRY(cuMemAlloc(&a->device, size));
        TRY(cuMemcpyHtoD(a->device, a->v.data, size));
        params[i] = &a->device;
    }
    TRY(cuLaunchKernel(function, t->grid[0], t->grid[1], t->grid[2], t->block[0], t->block[1], t->block[2], t->shared,
                       NULL, params, NULL));
    TRY(cuCtxSynchronize());
    for (unsigned i = 0; i < t->nargs; i++) {
        struct arg *a = &t->args[i];
        if (a->compared)
            TRY(cuMemcpyDtoH(a->v.data, a->device, a->v.count * a->v.type->size));
        if (a->buffer)
            TRY(cuMemFree(a->device));
    }
    return compare(t);
}

static bool run(struct test *t)
{
    static char log[16384];
    int options[2] = {JIT_ERROR_LOG, JIT_ERROR_LOG_SIZE};
    void *values[2] = {log, (void *)(uintptr_t)sizeof log}, *module;
    log[0] = 0;
    CUresult r = cuModuleLoadDataEx(&module, t->text, 2, options, values);
    const char *name = "CUDA_SUCCESS";
    if (r)
        cuGetErrorName(r, &name);
    if (*t->fails)
        return !strcmp(name + 11, t->fails) || complain(t, name);
    if (r) {
        fprintf(stderr, "%s: cuModuleLoadDataEx: %s\n%s\n", t->path, name, log);
        return false;
    }
    bool ok = launch(t, module);
    return cuModuleUnload(module) == 0 && ok;
}

static void free_test(struct test *t)
{
    for (unsigned i = 0; i < MAX_ARGS; i++) {
        free(t->args[i].v.data);
        free(t->expect[i].data);
    }
    free(t->text);
}

static char *read_file(const char *path)
{
    FILE *f = fopen(path, "rb");
    char *text = NULL;
    size_t n = 0, got;
    if (!f)
        return NULL;
    do {
        text = realloc(text, n + 65537);
        got = fread(text + n, 1, 65536, f);
        n += got;
    } while (got);
    text[n] = 0;
    fclose(f);
    return text;
}

// 10 times the compute capability of what runs the tests; 0: nothing does.
static int open_driver(void)
{
    void *lib = dlopen("libcuda.so.1", RTLD_NOW);
    if (!lib) {
        fprintf(stderr, "%s\n", dlerror());
        return 0;
    }
#define X(name, symbol, args)                                                                                          \
    *(void **)&name = dlsym(lib, #symbol);                                                                             \
    if (!name) {                                                                                                       \
        fprintf(stderr, "libcuda.so.1 lacks %s\n", #symbol);                                                           \
        return 0;                                                                                                      \
    }
    DRIVER(X)
#undef X
    void *context;
    int device, major = 0, minor = 0;
    if (cuInit(0) || cuDeviceGet(&device, 0) || cuDevicePrimaryCtxRetain(&context, device) ||
        cuCtxSetCurrent(context)) {
        fprintf(stderr, "no device\n");
        return 0;
    }
    if (dlsym(lib, "heddleLibraryBind"))
        return INT_MAX; // ours takes every target, whatever capability it reports
    cuDeviceGetAttribute(&major, 75, device);
    cuDeviceGetAttribute(&minor, 76, device);
    return major * 10 + minor;
}

// One file in a process of its own, so that a fault or a hang ends this test alone. 0 passed, 1 failed, 77 skipped.
static int run_file(const char *path)
{
    alarm(getenv("HEDDLE_TEST_BRIEF") ? 6000 : 600);
    int capability = open_driver();
    struct test t = {.path = path, .text = read_file(path)};
    int result = 1;
    if (!t.text || !parse_test(&t))
        complain(&t, "no test");
    else if (!capability)
        complain(&t, "no driver");
    else if (t.requires > capability || (t.lockstep && getenv("HEDDLE_WIDTH") && atoi(getenv("HEDDLE_WIDTH")) < 32))
        result = 77;
    else
        result = run(&t) ? 0 : 1;
    free_test(&t);
    return result;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        int status;
        pid_t child = fork();
        if (!child)
            exit(run_file(argv[i]));
        if (child < 0 || waitpid(child, &status, 0) < 0)
            return 2;
        if (WIFSIGNALED(status))
            fprintf(stderr, "%s: ended by signal %d\n", argv[i], WTERMSIG(status));
        int result = WIFEXITED(status) ? WEXITSTATUS(status) : 1;
        passed += result == 0;
        skipped += result == 77;
        failed += result != 0 && result != 77;
    }
    printf("%d passed, %d failed", passed, failed);
    if (skipped)
        printf(", %d skipped", skipped);
    printf("\n");
    return failed != 0;
}
