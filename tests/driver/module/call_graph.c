// SPDX-License-Identifier: Apache-2.0
// Graphs of calls at random: direct, by alias, by pointer with a prototype or a list of targets, recursive and mutually recursive,
// functions that nobody calls, functions of which so many copies could be made that no memory holds them; some exit, some wait at barriers, some
// have the names of C's functions, of the JIT's builtins or of each other's labels. A walk over the same graph on the host tells
// what each thread must store. Every graph is drawn from its number alone: driver_call_graph COUNT [FIRST] tries others.
#include "common.h"
#include <stdarg.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST = 24, CALLS = 3, THREADS = 96, DEPTH = 4, GONE = 0xdead };

enum how { DIRECT, BY_ALIAS, BY_PROTOTYPE, BY_TARGETS, HOWS };

struct call {
    int callee;
    enum how how;
    int bit; // of the value: the call is made where it is set; -1: always
};

struct function {
    char name[400];
    int ncalls;
    struct call calls[CALLS];
    bool exits, waits, aggregate, library;
};

struct graph {
    struct function f[MOST];
    int n, depth;
    bool doubling; // each function calls the next one twice, too deep for copies
    uint32_t state;
};

static uint32_t draw(struct graph *g, uint32_t below)
{
    g->state = g->state * 1664525u + 1013904223u;
    return (g->state >> 8) % below;
}

static const char *const names[] = {
    "memcpy",
    "memset",
    "memmove",
    "malloc_",
    "sqrtf",
    "fabs",
    "printf",
    "puts",
    "strlen",
    "main",
    "exit",
    "abort",
    "floor",
    "log2f",
    "cos",
    "fma",
    "__divti3",
    "__udivti3",
    "_start",
    "entry",
    "body",
    "return_",
    "heddle_add_rz_f32",
    "heddle_ex2_approx_f32",
    "heddle_x",
    "$f",
    "_f",
    "k_entry",
    "k_region_0",
    "llvm_memcpy_p0_p0_i64",
    "heddle_outlined_load",
    "hit",
    "called",
    "ptx_k",
    "bcmp",
    "ldexpf",
};

static void name_function(struct graph *g, int i)
{
    struct function *f = &g->f[i];
    switch (draw(g, 4)) {
    case 0: // all alike up to their ends
        memset(f->name, 'n', 300);
        snprintf(f->name + 300, sizeof f->name - 300, "%d", i);
        return;
    case 1: {
        const char *name = names[draw(g, sizeof names / sizeof *names)];
        bool free_ = true;
        for (int k = 0; k < i; k++)
            free_ &= strcmp(g->f[k].name, name) != 0;
        if (free_) {
            strcpy(f->name, name);
            return;
        }
    } // fall through
    default:
        snprintf(f->name, sizeof f->name, "f%d", i);
    }
}

static void graph_draw(struct graph *g, uint32_t seed)
{
    memset(g, 0, sizeof *g);
    g->state = seed * 2654435761u + 12345;
    bool cycles = draw(g, 2), uniform = draw(g, 3) == 0;
    g->doubling = draw(g, 6) == 0;
    g->n = g->doubling ? MOST : 1 + (int)draw(g, MOST);
    g->depth = g->doubling ? DEPTH : (int)draw(g, DEPTH + 1);
    for (int i = 0; i < g->n; i++) {
        struct function *f = &g->f[i];
        name_function(g, i);
        f->ncalls = (int)draw(g, CALLS + 1);
        f->exits = !uniform && draw(g, 8) == 0;
        f->aggregate = draw(g, 4) == 0;
        f->library = draw(g, 4) == 0;
        for (int k = 0; k < f->ncalls; k++) {
            int ahead = g->n - 1 - i;
            f->calls[k] = (struct call){.callee = cycles  ? (int)draw(g, (uint32_t)g->n)
                                                  : ahead ? i + 1 + (int)draw(g, (uint32_t)ahead)
                                                          : -1,
                                        .how = (enum how)draw(g, HOWS),
                                        .bit = uniform ? -1 : (int)draw(g, 20)};
        }
        if (f->ncalls && f->calls[0].callee < 0)
            f->ncalls = 0;
        f->waits = uniform && !cycles && draw(g, 4) == 0;
        if (g->doubling && i + 1 < g->n) {
            f->ncalls = 2;
            f->calls[0] = f->calls[1] = (struct call){i + 1, DIRECT, uniform ? -1 : 3};
            f->waits = false;
        }
    }
    if (g->doubling && cycles) { // from within a recursive function
        g->f[0].ncalls = 3;
        g->f[0].calls[2] = (struct call){0, DIRECT, uniform ? -1 : 5};
    }
    for (int i = 0; i < g->n; i++) // by pointer or alias only what has the plain parameters
        for (int k = 0; k < g->f[i].ncalls; k++)
            if (g->f[g->f[i].calls[k].callee].aggregate && g->f[i].calls[k].how > BY_ALIAS)
                g->f[i].calls[k].how = DIRECT;
    for (int i = 0; g->doubling && i < g->n; i++)
        g->f[i].waits = false;
    bool waits = false; // a pointer may lead to every function of which an address is taken: in a cycle none may wait
    for (int i = 0; i < g->n; i++)
        waits |= g->f[i].waits;
    for (int i = 0; waits && i < g->n; i++)
        for (int k = 0; k < g->f[i].ncalls; k++)
            g->f[i].calls[k].how %= BY_PROTOTYPE;
}

static bool run(const struct graph *g, int i, uint32_t x, uint32_t depth, uint32_t *out)
{
    const struct function *f = &g->f[i];
    x = x * (uint32_t)(2 * i + 3) + 12345;
    x ^= x >> 3;
    if (f->library)
        x += (x & 0xffff) + 1;
    if (f->exits && (x & 0xff0) == 0x120)
        return false;
    for (int k = 0; k < f->ncalls && depth; k++) {
        const struct call *c = &f->calls[k];
        uint32_t y;
        if (c->bit >= 0 && !(x >> c->bit & 1))
            continue;
        if (!run(g, c->callee, x, depth - 1, &y))
            return false;
        x = x * 5 + y;
    }
    *out = x;
    return true;
}

static char text[1 << 18];
static size_t used;

__attribute__((format(printf, 1, 2))) static void put(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    used += (size_t)vsnprintf(text + used, sizeof text - used, format, list);
    va_end(list);
}

static void write_head(const struct function *f, const char *prefix, const char *name)
{
    put(".func (.param .b32 r) %s%s(.param %s, .param .b32 d)", prefix, name,
        f->aggregate ? ".align 8 .b8 a[16]" : ".b32 a");
}

static void write_call(const struct graph *g, const struct call *c, int number)
{
    const struct function *f = &g->f[c->callee];
    put("{ .param %s; .param .b32 xd; .param .b32 xr; st.param.b32 [xa%s], %%x; st.param.b32 [xd], %%d;\n",
        f->aggregate ? ".align 8 .b8 xa[16]" : ".b32 xa", f->aggregate ? "+8" : "");
    switch (c->how) {
    case DIRECT:
        put("call (xr), %s, (xa, xd);\n", f->name);
        break;
    case BY_ALIAS:
        put("call (xr), alias_%s, (xa, xd);\n", f->name);
        break;
    case BY_PROTOTYPE:
        put("mov.u64 %%t, table; ld.global.u64 %%t, [%%t+%d]; pr%d: .callprototype (.param .b32 _) _ (.param .b32 _, "
            ".param .b32 _);\n"
            "call (xr), %%t, (xa, xd), pr%d;\n",
            8 * c->callee, number, number);
        break;
    default:
        put("mov.u64 %%t, alias_%s; ts%d: .calltargets %s, alias_%s;\ncall (xr), %%t, (xa, xd), ts%d;\n", f->name,
            number, strcmp(g->f[0].name, f->name) && !g->f[0].aggregate ? g->f[0].name : f->name, f->name, number);
    }
    put("ld.param.b32 %%y, [xr]; }\n");
}

static void graph_write(const struct graph *g)
{
    used = 0;
    put(".version 7.8\n.target sm_80\n.address_size 64\n");
    for (int i = 0; i < g->n; i++) {
        write_head(&g->f[i], "", g->f[i].name);
        put(";\n");
        write_head(&g->f[i], "alias_", g->f[i].name);
        put(";\n");
    }
    put(".global .align 8 .u64 table[%d] = {", g->n);
    for (int i = 0; i < g->n; i++)
        put("%s%s%s", i ? ", " : "", i % 2 ? "alias_" : "", g->f[i].name);
    put("};\n");
    for (int i = 0; i < g->n; i++) {
        const struct function *f = &g->f[i];
        write_head(f, "", f->name);
        put(" {\n.reg .b32 %%x, %%y, %%d, %%entry, %%%s; .reg .b64 %%t; .reg .f32 %%f; .reg .pred %%p;\n",
            i ? "sqrtf" : "heddle_x");
        put("ld.param.b32 %%x, [a%s]; ld.param.b32 %%d, [d]; mad.lo.s32 %%x, %%x, %d, 12345; shr.u32 %%y, %%x, 3; "
            "xor.b32 %%x, %%x, %%y;\n",
            f->aggregate ? "+8" : "", 2 * i + 3);
        if (f->library) // exact, by a builtin
            put("and.b32 %%y, %%x, 0xffff; cvt.rn.f32.u32 %%f, %%y; add.rz.f32 %%f, %%f, 0f3f800000; cvt.rzi.u32.f32 "
                "%%y, %%f; "
                "add.s32 %%x, %%x, %%y;\n");
        if (f->waits)
            put("bar.sync 0;\n");
        if (f->exits)
            put("and.b32 %%y, %%x, 0xff0; setp.eq.u32 %%p, %%y, 0x120; @%%p exit;\n");
        put("setp.eq.u32 %%p, %%d, 0; @%%p bra return; sub.s32 %%d, %%d, 1;\n");
        for (int k = 0; k < f->ncalls; k++) {
            if (f->calls[k].bit >= 0)
                put("shr.u32 %%y, %%x, %d; and.b32 %%y, %%y, 1; setp.eq.u32 %%p, %%y, 0; @%%p bra body%d;\n",
                    f->calls[k].bit, k);
            write_call(g, &f->calls[k], k);
            put("mad.lo.s32 %%x, %%x, 5, %%y;\nbody%d:\n", k);
        }
        put("return: st.param.b32 [r], %%x; ret; }\n");
    }
    for (int i = 0; i < g->n; i++)
        put(".alias alias_%s, %s;\n", g->f[i].name, g->f[i].name);
    put(".visible .entry heddle_k(.param .u64 o) {\n.reg .b32 %%x, %%y, %%d; .reg .b64 %%o, %%t;\n"
        "mov.u32 %%x, %%tid.x; ld.param.u64 %%o, [o]; mad.wide.u32 %%o, %%x, 4, %%o; mov.u32 %%d, %d;\n",
        g->depth);
    write_call(g, &(struct call){0, DIRECT, -1}, 0);
    put("st.global.u32 [%%o], %%y; ret; }\n");
}

static bool graph_try(uint32_t seed, CUdeviceptr memory, bool print)
{
    static struct graph g;
    CUmodule module = NULL;
    CUfunction kernel;
    uint32_t got[THREADS];
    void *arguments[] = {&memory};
    graph_draw(&g, seed);
    graph_write(&g);
    if (print)
        fputs(text, stdout);
    OK(cuMemsetD32(memory, GONE, THREADS));
    OK(cuModuleLoadData(&module, text));
    if (!module)
        return false;
    OK(cuModuleGetFunction(&kernel, module, "heddle_k"));
    OK(cuLaunchKernel(kernel, 1, 1, 1, THREADS, 1, 1, 0, NULL, arguments, NULL));
    OK(cuMemcpyDtoH(got, memory, sizeof got));
    OK(cuModuleUnload(module));
    for (uint32_t i = 0; i < THREADS; i++) {
        uint32_t want = GONE;
        run(&g, 0, i, (uint32_t)g.depth, &want);
        CHECK(got[i] == want);
        if (got[i] != want) {
            printf("graph %u: thread %u has %x, must have %x\n", seed, i, got[i], want);
            return false;
        }
    }
    return true;
}

// Functions that wait and of which 2^30 copies could be made: they stay calls, of which few are made.
static void too_many_copies(CUdeviceptr memory)
{
    CUmodule module = NULL;
    CUfunction kernel;
    uint32_t got[THREADS];
    void *arguments[] = {&memory};
    used = 0;
    put(PTX_HEAD ".func (.param .b32 r) f30(.param .b32 d) { .reg .b32 %%n; bar.sync 0; mov.u32 %%n, 1; st.param.b32 "
                 "[r], %%n; ret; }\n");
    for (int i = 29; i >= 0; i--) {
        put(".func (.param .b32 r) f%d(.param .b32 d) { .reg .b32 %%n, %%y, %%d; .reg .pred %%p; bar.sync 0; mov.u32 "
            "%%n, 1; ld.param.b32 %%d, [d]; setp.eq.u32 %%p, %%d, 0; @%%p bra done; sub.u32 %%d, %%d, 1;\n",
            i);
        for (int k = 0; k < 2; k++)
            put("{ .param .b32 x; .param .b32 y; st.param.b32 [x], %%d; call (y), f%d, (x); ld.param.b32 %%y, [y]; "
                "add.u32 %%n, %%n, %%y; }\n",
                i + 1);
        put("done: st.param.b32 [r], %%n; ret; }\n");
    }
    put(".visible .entry k(.param .u64 o) { .reg .b32 %%x, %%y; .reg .b64 %%o; mov.u32 %%x, %%tid.x; ld.param.u64 %%o, "
        "[o]; mad.wide.u32 %%o, %%x, 4, %%o; { .param .b32 x; .param .b32 y; st.param.b32 [x], 5; call (y), f0, (x); "
        "ld.param.b32 %%y, [y]; } st.global.u32 [%%o], %%y; ret; }\n" PTX_EMPTY);
    OK(cuMemsetD32(memory, GONE, THREADS));
    OK(cuModuleLoadData(&module, text));
    OK(cuModuleGetFunction(&kernel, module, "k"));
    OK(cuLaunchKernel(kernel, 1, 1, 1, THREADS, 1, 1, 0, NULL, arguments, NULL));
    OK(cuMemcpyDtoH(got, memory, sizeof got));
    for (uint32_t i = 0; i < THREADS; i++)
        CHECK(got[i] == 63);
    OK(cuModuleUnload(module));
}

int main(int argc, char **argv)
{
    static const char *const width[] = {"", "1", "8", "16", "32"};
    enum { WIDTHS = sizeof width / sizeof *width };
    uint32_t count = argc > 1 ? (uint32_t)atoi(argv[1]) : 60, first = argc > 2 ? (uint32_t)atoi(argv[2]) : 1;
    volatile uint32_t *at = mmap(NULL, sizeof *at, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    CHECK(at != MAP_FAILED);
    for (uint32_t w = 0; w < WIDTHS && at != MAP_FAILED; w++) {
        pid_t child = fork();
        if (!child) {
            CUdeviceptr memory = 0;
            test_failed = test_passed = 0;
            if (w)
                setenv("HEDDLE_WIDTH", width[w], 1);
            if (w % 2)
                setenv("HEDDLE_QUICK", "always", 1);
            start();
            OK(cuMemAlloc(&memory, THREADS * sizeof(uint32_t)));
            for (uint32_t i = w; i < count && !test_failed; i += WIDTHS) {
                *at = first + i;
                graph_try(*at, memory, argc > 3);
            }
            if (!w && !test_failed)
                too_many_copies(memory);
            _exit(test_summary());
        }
        int status = 0;
        waitpid(child, &status, 0);
        if (!WIFEXITED(status) || WEXITSTATUS(status))
            printf("width '%s', graph %u: status %x\n", width[w], *at, (unsigned)status);
        CHECK(WIFEXITED(status) && !WEXITSTATUS(status));
    }
    return test_summary();
}
