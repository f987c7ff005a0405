// SPDX-License-Identifier: Apache-2.0
// The device math library gives the same bits as PTX and as host code: each function is compiled to PTX by clang with
// the bitcode, translated and run one thread at a time, and compared with the host build of the same source. What
// differs is either a flaw of the translator or arithmetic that the library left to a compiler.
#include "devmath/devmath.h"
#include "test.h"
#include "translate/translate_run.h"
#include <math.h>
#include <unistd.h>

enum { THREADS = 160, CHUNK = 48, INPUTS = 4 };

// Inputs of each type; argument k of thread i is INPUT(type, k) there.
static struct inputs {
    float f[INPUTS][THREADS];
    double d[INPUTS][THREADS];
    int s[INPUTS][THREADS];
    unsigned u[INPUTS][THREADS];
    long long l[INPUTS][THREADS];
    unsigned long long q[INPUTS][THREADS];
    unsigned short h[INPUTS][THREADS];
} in;
#define INPUT(type, k)                                                                                                 \
    _Generic((type)0,                                                                                                  \
        float: in.f,                                                                                                   \
        double: in.d,                                                                                                  \
        int: in.s,                                                                                                     \
        unsigned: in.u,                                                                                                \
        long long: in.l,                                                                                               \
        unsigned long long: in.q,                                                                                      \
        unsigned short: in.h)[k][i]

static uint64_t bits_f(float x)
{
    return x == x ? as_u32(x) : 0x7fffffffu; // all NaNs are one
}
static uint64_t bits_d(double x)
{
    return x == x ? as_u64(x) : 0x7fffffffffffffffull;
}
static uint64_t bits_q(uint64_t x)
{
    return x;
}
#define BITS(v) _Generic((v), float: bits_f, double: bits_d, default: bits_q)(v)

// One host function for each row that calls it for thread i.
#define COUNT_ARGS(...)                 COUNT_ARGS_(__VA_ARGS__, 4, 3, 2, 1)
#define COUNT_ARGS_(a, b, c, d, n, ...) n
#define CALL(...)                       CALL_(COUNT_ARGS(__VA_ARGS__), __VA_ARGS__)
#define CALL_(n, ...)                   CALL__(n, __VA_ARGS__)
#define CALL__(n, ...)                  CALL##n(__VA_ARGS__)
#define CALL1(a)                        (INPUT(a, 0))
#define CALL2(a, b)                     (INPUT(a, 0), INPUT(b, 1))
#define CALL3(a, b, c)                  (INPUT(a, 0), INPUT(b, 1), INPUT(c, 2))
#define CALL4(a, b, c, d)               (INPUT(a, 0), INPUT(b, 1), INPUT(c, 2), INPUT(d, 3))
#define NV(result, name, args)                                                                                         \
    static uint64_t host_##name(int i)                                                                                 \
    {                                                                                                                  \
        return BITS(__nv_##name CALL args);                                                                            \
    }
#define NV_OUT(result, name, args)
#include "devmath/devmath.def"
#undef NV

static const struct function {
    const char *result, *name, *args;
    uint64_t (*host)(int i);
} functions[] = {
#define NV(result, name, args) {#result, #name, #args, host_##name},
#include "devmath/devmath.def"
};
#define COUNT (sizeof(functions) / sizeof(functions[0]))

// The approximate instructions need not agree; Bessel functions of order n take n steps, which is long for any n.
static bool left_out(const char *name)
{
    static const char *const names[] = {"rsqrtf", "rcp64h", "jn", "jnf", "yn", "ynf"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (!strcmp(name, names[i]))
            return true;
    }
    return !strncmp(name, "fast_", 5);
}

// The member of struct inputs for a type as it is written.
static const char *member(const char *type)
{
    static const char *const names[][2] = {{"float", "f"},         {"double", "d"},    {"int", "s"},
                                           {"unsigned", "u"},      {"long long", "l"}, {"unsigned long long", "q"},
                                           {"unsigned short", "h"}};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (!strcmp(type, names[i][0]))
            return names[i][1];
    }
    return "?";
}

static void put_call(FILE *f, const struct function *n, size_t slot)
{
    char text[128];
    snprintf(text, sizeof(text), "%s", n->args + 1);
    text[strlen(text) - 1] = 0;
    bool real = !strcmp(n->result, "float") || !strcmp(n->result, "double");
    fprintf(f, "  put(r + %zu, ", slot * THREADS);
    fprintf(f, real ? "__nv_%s(" : "(unsigned long long)__nv_%s(", n->name);
    int k = 0;
    for (char *t = strtok(text, ","); t; t = strtok(NULL, ","), k++)
        fprintf(f, "%sin->%s[%d][i]", k ? ", " : "", member(t + (*t == ' ')), k);
    fprintf(f, "));\n");
}

static void write_source(const char *path)
{
    FILE *f = fopen(path, "w");
    if (!f)
        exit(2);
    fprintf(f, "#define D __attribute__((device))\n#define T __nvvm_read_ptx_sreg_tid_x()\n");
    fprintf(f,
            "struct inputs { float f[%d][%d]; double d[%d][%d]; int s[%d][%d]; unsigned u[%d][%d];\n"
            " long long l[%d][%d]; unsigned long long q[%d][%d]; unsigned short h[%d][%d]; };\n",
            INPUTS, THREADS, INPUTS, THREADS, INPUTS, THREADS, INPUTS, THREADS, INPUTS, THREADS, INPUTS, THREADS,
            INPUTS, THREADS);
    fprintf(f, "D static void put(unsigned long long *r, float v) { r[T] = v == v ? __builtin_bit_cast(unsigned, v) : "
               "0x7fffffffu; }\n"
               "D static void put(unsigned long long *r, double v) { r[T] = v == v ? __builtin_bit_cast(unsigned long "
               "long, v) :"
               " 0x7fffffffffffffffull; }\n"
               "D static void put(unsigned long long *r, unsigned long long v) { r[T] = v; }\n");
    for (size_t i = 0; i < COUNT; i++)
        fprintf(f, "extern \"C\" D %s __nv_%s%s;\n", functions[i].result, functions[i].name, functions[i].args);
    for (size_t i = 0; i < COUNT; i += CHUNK) {
        fprintf(f,
                "extern \"C\" __attribute__((global)) void chunk%zu(unsigned long long *r, const inputs *in) {\n  int "
                "i = T;\n",
                i / CHUNK);
        for (size_t k = i; k < COUNT && k < i + CHUNK; k++)
            if (!left_out(functions[k].name))
                put_call(f, &functions[k], k - i);
        fprintf(f, "}\n");
    }
    fclose(f);
}

static uint64_t random_bits(void)
{
    static uint64_t s = 88172645463325252ull;
    s ^= s << 13;
    s ^= s >> 7;
    s ^= s << 17;
    return s * 0x2545f4914f6cdd1dull;
}

// A third of the numbers of any size, the rest where functions are interesting; specials first.
static void fill_inputs(void)
{
    static const double special[] = {0.0,      -0.0,      1.0, -1.0, 0.5,      2.0,  1e-40, 0x1p-1074,
                                     INFINITY, -INFINITY, NAN, 1e30, 105000.5, 88.8, 710.0, 3.0};
    enum { SPECIALS = sizeof(special) / sizeof(special[0]) };
    for (int k = 0; k < INPUTS; k++) {
        for (int i = 0; i < THREADS; i++) {
            uint64_t b = random_bits();
            double near = ((double)(int64_t)random_bits()) * 0x1p-63;
            in.f[k][i] = i % 3 == 0 ? as_f32((uint32_t)b) : (float)(near * (i % 3 == 1 ? 1.0 : 20.0));
            in.d[k][i] = i % 3 == 0 ? as_f64(b) : near * (i % 3 == 1 ? 1.0 : 20.0);
            if (i < SPECIALS) {
                in.f[k][i] = (float)special[(i + 5 * k) % SPECIALS];
                in.d[k][i] = special[(i + 5 * k) % SPECIALS];
            }
            if (in.f[k][i] != in.f[k][i])
                in.f[k][i] = NAN; // no signalling ones
            if (in.d[k][i] != in.d[k][i])
                in.d[k][i] = NAN;
            uint64_t c = random_bits() >> (random_bits() & 63);
            in.s[k][i] = (int)(i % 2 ? c % 12 : c);
            in.u[k][i] = (unsigned)c;
            in.l[k][i] = (long long)(i % 2 ? c : 0 - c);
            in.q[k][i] = c;
            in.h[k][i] = (unsigned short)c;
        }
    }
}

static char *read_all(const char *path)
{
    FILE *f = fopen(path, "r");
    if (!f)
        return NULL;
    fseek(f, 0, SEEK_END);
    long size = ftell(f);
    rewind(f);
    char *text = calloc(1, (size_t)size + 1);
    if (fread(text, 1, (size_t)size, f) != (size_t)size)
        text[0] = 0;
    fclose(f);
    return text;
}

// The tables of the module are where its initialisers are.
static struct ptx_module *bind_globals(const char *text, struct diag *d)
{
    struct ptx_module *m = ptx_module_parse(text, strlen(text), d);
    for (uint32_t i = 0; m && i < m->nvars && i < 64; i++)
        run_state.globals[i] = (void *)(uintptr_t)m->vars[i]->init;
    return m;
}

static void compare_chunk(const char *text, size_t first, uint64_t *results)
{
    char name[32];
    struct translate_result r;
    snprintf(name, sizeof(name), "chunk%zu", first / CHUNK);
    run_fn *fn = run_compile(text, name, &r, false);
    CHECK(fn != NULL);
    if (!fn)
        return;
    struct {
        uint64_t *results;
        const struct inputs *in;
    } args = {results, &in};
    run_kernel(fn, &args, THREADS);
    for (size_t k = first; k < COUNT && k < first + CHUNK; k++) {
        int wrong = -1;
        for (int i = 0; i < THREADS && !left_out(functions[k].name); i++) {
            if (results[(k - first) * THREADS + i] != functions[k].host(i))
                wrong = i;
        }
        if (wrong >= 0)
            fprintf(stderr, "%s%s: float %a %a %a, double %a %a, int %d %d: device %llx, host %llx\n",
                    functions[k].name, functions[k].args, in.f[0][wrong], in.f[1][wrong], in.f[2][wrong],
                    in.d[0][wrong], in.d[1][wrong], in.s[0][wrong], in.s[1][wrong],
                    (unsigned long long)results[(k - first) * THREADS + wrong],
                    (unsigned long long)functions[k].host(wrong));
        CHECK(wrong < 0);
    }
}

int main(void)
{
    char dir[] = "/tmp/heddle-devmath-XXXXXX", source[64], ptx[64], command[1024];
    if (!mkdtemp(dir))
        return 1;
    snprintf(source, sizeof(source), "%s/all.cu", dir);
    snprintf(ptx, sizeof(ptx), "%s/all.ptx", dir);
    write_source(source);
    snprintf(command, sizeof(command),
             HEDDLE_CLANGXX " -x cuda --cuda-path=/nonexistent -nocudainc -nocudalib -Xclang -target-sdk-version=12.5"
                            " --cuda-device-only -S -O3 --cuda-gpu-arch=sm_80 --cuda-feature=+ptx83"
                            " -Xclang -mlink-builtin-bitcode -Xclang " HEDDLE_BITCODE " %s -o %s",
             source, ptx);
    CHECK(system(command) == 0);
    char *text = read_all(ptx);
    CHECK(text != NULL);
    struct diag d;
    diag_init(&d, NULL);
    struct ptx_module *m = text ? bind_globals(text, &d) : NULL;
    CHECK(m != NULL);
    if (m) {
        run_init();
        fill_inputs();
        uint64_t *results = calloc(CHUNK * THREADS, sizeof(*results));
        for (size_t i = 0; i < COUNT; i += CHUNK)
            compare_chunk(text, i, results);
        free(results);
        ptx_module_destroy(m);
    } else {
        fprintf(stderr, "%s", str_text(&d.text));
    }
    diag_fini(&d);
    free(text);
    snprintf(command, sizeof(command), "rm -r %s", dir);
    CHECK(system(command) == 0);
    return test_summary();
}
