// SPDX-License-Identifier: Apache-2.0
// Random PTX kernels, compiled and launched in a child process through the driver's library.
#include "campaign.h"
#include "ptx_program.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PTX_BATCH = 50 };

static struct {
    struct str text;
    struct ptx_program program;
    struct ptx_memory right;
    bool valid;
} batch[PTX_BATCH];
static struct ptx_memory first_memory, got;

static void fill(struct ptx_memory *m)
{
    uint32_t r = 12345;
    memset(m, 0, sizeof *m);
    for (unsigned i = 0; i < INPUT; i++) {
        static const uint32_t special[] = {0,          1,          2,          31,         32,         0x7fffffff,
                                           0x80000000, 0xffffffff, 0x3f800000, 0x7f800000, 0xff800000, 0x7fc00000,
                                           0x00000001, 0x3ff00000, 0xbf000000, 0x3c003c00};
        r ^= r << 13, r ^= r >> 17, r ^= r << 5;
        uint32_t x = r * 2654435761u;
        m->input[i] = (r >> 9 & 3) == 0 ? special[x >> 28] : (r >> 9 & 3) == 1 ? x & 63 : x;
    }
    memset(m->own, 0x5a, sizeof m->own);
    m->cell[2] = m->cell[5] = ~0u;
}

static void list(struct str *s, const char *head, const void *data, size_t bytes, bool words)
{
    const char *type = words ? "u32" : "u8";
    str_printf(s, "// %s: %s", head, type);
    for (size_t i = 0, size = words ? 4 : 1; i < bytes / size; i++) {
        uint32_t x = 0;
        memcpy(&x, (const uint8_t *)data + i * size, size);
        str_printf(s, " %u", x);
    }
    str_append(s, "\n");
}

// How tests/ptx/run launches the kernel and what must come out.
static void print_test(struct str *s, const struct ptx_program *p, const struct ptx_memory *right)
{
    size_t n = p->grid * p->threads;
    str_printf(s, "// launch: grid %u block %u %u %u\n", p->grid, p->block[0], p->block[1], p->block[2]);
    list(s, "in", first_memory.input, sizeof first_memory.input, true);
    str_printf(s, "// out: u32 %zu\n", n * RESULT / 4);
    list(s, "expect", right->result, n * RESULT, true);
    str_printf(s, "// inout: u8 90*%zu\n", n * OWN);
    list(s, "expect", right->own, n * OWN, false);
    list(s, "inout", first_memory.cell, sizeof first_memory.cell, true);
    list(s, "expect", right->cell, sizeof right->cell, true);
}

static bool make(const struct campaign *c, struct gen *g, const uint64_t *seeds, unsigned n, struct str *text)
{
    (void)c, (void)text;
    gen_reset(g, 0);
    fill(&first_memory);
    for (unsigned i = 0; i < n; i++) {
        ptx_program_free(&batch[i].program);
        ptx_program_make(g, seeds[i], &batch[i].program);
        batch[i].text.len = 0;
        str_printf(&batch[i].text, "// seed %llx\n", (unsigned long long)seeds[i]);
        ptx_program_print(&batch[i].program, &batch[i].text);
        batch[i].right = first_memory;
        batch[i].valid = ptx_program_run(&batch[i].program, &batch[i].right);
        if (n == 1)
            print_test(&g->s, &batch[i].program, &batch[i].right);
        str_append(&g->s, str_text(&batch[i].text));
    }
    return true;
}

typedef unsigned long long device_ptr;
static struct {
    int (*init)(unsigned);
    int (*device)(int *, int);
    int (*retain)(void **, int);
    int (*current)(void *);
    int (*alloc)(device_ptr *, size_t);
    int (*to)(device_ptr, const void *, size_t);
    int (*from)(void *, device_ptr, size_t);
    int (*load)(void **, const void *);
    int (*unload)(void *);
    int (*function)(void **, void *, const char *);
    int (*launch)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **,
                  void **);
    int (*synchronize)(void);
    int (*name)(int, const char **);
} cu;

static bool open_driver(const char *sdk)
{
    char path[512];
    snprintf(path, sizeof path, "%s/lib64/libcuda.so.1", sdk);
    void *lib = dlopen(path, RTLD_NOW);
    if (!lib) {
        printf("%s\n", dlerror());
        return false;
    }
    static const struct {
        const char *name;
        void *at;
    } rows[] = {{"cuInit", &cu.init},
                {"cuDeviceGet", &cu.device},
                {"cuDevicePrimaryCtxRetain", &cu.retain},
                {"cuCtxSetCurrent", &cu.current},
                {"cuMemAlloc_v2", &cu.alloc},
                {"cuMemcpyHtoD_v2", &cu.to},
                {"cuMemcpyDtoH_v2", &cu.from},
                {"cuModuleLoadData", &cu.load},
                {"cuModuleUnload", &cu.unload},
                {"cuModuleGetFunction", &cu.function},
                {"cuLaunchKernel", &cu.launch},
                {"cuCtxSynchronize", &cu.synchronize},
                {"cuGetErrorName", &cu.name}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        void *f = dlsym(lib, rows[i].name);
        memcpy(rows[i].at, &f, sizeof f);
        if (!f)
            return false;
    }
    return true;
}

static int launch(unsigned i, device_ptr memory)
{
    void *module, *function;
    const struct ptx_program *p = &batch[i].program;
    device_ptr a[4] = {memory + offsetof(struct ptx_memory, input), memory + offsetof(struct ptx_memory, result),
                       memory + offsetof(struct ptx_memory, own), memory + offsetof(struct ptx_memory, cell)};
    void *list[] = {&a[0], &a[1], &a[2], &a[3]};
    int e = cu.to(memory, &first_memory, sizeof first_memory);
    if (e || (e = cu.load(&module, str_text(&batch[i].text))))
        return e;
    e = cu.function(&function, module, "k");
    if (!e)
        e = cu.launch(function, p->grid, 1, 1, p->block[0], p->block[1], p->block[2], 0, NULL, list, NULL);
    if (!e)
        e = cu.synchronize();
    if (!e)
        e = cu.from(&got, memory, sizeof got);
    if (!e)
        e = cu.unload(module);
    return e;
}

static void compare(unsigned i)
{
    const uint8_t *g = (const uint8_t *)&got, *r = (const uint8_t *)&batch[i].right;
    if (!memcmp(g, r, sizeof got))
        return;
    size_t at = 0, n = 0;
    for (size_t k = sizeof got; k--;)
        if (g[k] != r[k])
            at = k, n++;
    size_t result = offsetof(struct ptx_memory, result), own = offsetof(struct ptx_memory, own),
           cell = offsetof(struct ptx_memory, cell);
    if (at < own) {
        size_t threads = batch[i].program.threads * batch[i].program.grid;
        printf("k: differs in %zu bytes, first result byte %zu of %zu threads: %02x, right %02x\n", n, at - result,
               threads, g[at], r[at]);
    } else if (at < cell)
        printf("k: differs in %zu bytes, first own memory of thread %zu, byte %zu: %02x, right %02x\n", n,
               (at - own) / OWN, (at - own) % OWN, g[at], r[at]);
    else
        printf("k: differs in %zu bytes, first cell %zu: %02x, right %02x\n", n, (at - cell) / 4, g[at], r[at]);
}

struct task {
    const struct campaign *c;
    unsigned first, n;
};

static int child(void *argument)
{
    const struct task *t = argument;
    int device;
    void *context;
    device_ptr memory;
    if (!open_driver(t->c->sdk) || cu.init(0) || cu.device(&device, 0) || cu.retain(&context, device) ||
        cu.current(context) || cu.alloc(&memory, sizeof got))
        return 3;
    for (unsigned i = t->first; i < t->n; i++) {
        printf("#%u\n", i);
        fflush(stdout);
        if (!batch[i].valid) {
            printf("k: invalid: the reference does not end\n");
            continue;
        }
        int e = launch(i, memory);
        if (e) {
            const char *name = "?";
            cu.name(e, &name);
            printf("k: error %s\n", name);
            return 1;
        }
        compare(i);
        fflush(stdout);
    }
    printf("done\n");
    fflush(stdout);
    _exit(0);
}

static int run(const struct campaign *c, unsigned first, unsigned n, const struct config *config, struct str *text)
{
    struct task t = {c, first, n};
    return run_function(child, &t, config, (10 + 3 * n) * (c->emulator ? EMULATED : 1), text);
}

const struct kind kind_ptx = {"ptx", PTX_BATCH, make, run, "ptx", NULL};
