// SPDX-License-Identifier: Apache-2.0
// Programs of csmith as kernels; csmith_runtime.h says how. csmith writes C; here its text becomes the members of a
// structure: prototypes go, `static` goes, and the first values of whole numbers get their salt.
#include "campaign.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CSMITH_BATCH = 6 };

static const char *next_line(const char *p)
{
    p = strchrnul(p, '\n');
    return *p ? p + 1 : p;
}

static bool begins(const char *p, const char *word)
{
    return !strncmp(p, word, strlen(word));
}

// Appends a piece of text with the tokens that C++ takes otherwise replaced.
static void append_tokens(struct str *s, const char *p, size_t n)
{
    static const char *const from[] = {"(void*)0", "printf(", "static ", "inline "}, *const to[] = {
                                                                                         "0", "CSMITH_PRINT(", "", ""};
    for (const char *end = p + n; p < end;) {
        unsigned k = 0;
        while (k < 4 && !((size_t)(end - p) >= strlen(from[k]) && begins(p, from[k])))
            k++;
        str_append(s, k < 4 ? to[k] : "");
        if (k == 4)
            str_append_n(s, p, 1);
        p += k < 4 ? strlen(from[k]) : 1;
    }
}

// "static int32_t g_19 = 5L;" with a salt; false: the line is another one.
static bool salted(struct str *s, const char *p, size_t n)
{
    static const char *const types[] = {"int8_t",  "uint8_t",  "int16_t", "uint16_t",
                                        "int32_t", "uint32_t", "int64_t", "uint64_t"};
    const char *at = p + 7, *equal = memchr(p, '=', n), *end = memchr(p, ';', n);
    if (!begins(p, "static ") || !equal || !end || memchr(p, '[', n) || memchr(p, '{', n) ||
        memchr(p, '*', (size_t)(equal - p)))
        return false;
    for (unsigned i = 0; i < 8; i++) {
        size_t length = strlen(types[i]);
        if (strncmp(at, types[i], length) || at[length] != ' ')
            continue;
        str_append_n(s, at, (size_t)(equal - at));
        str_printf(s, "= (%s)((%.*s) ^ (%s)salt);\n", types[i], (int)(end - equal - 1), equal + 1, types[i]);
        return true;
    }
    return false;
}

static bool is_declaration(const char *p)
{
    static const char *const starts[] = {"int", "uint", "const ", "struct ", "union ", "register ", "}"};
    while (*p == ' ')
        p++;
    for (unsigned i = 0; i < sizeof starts / sizeof *starts; i++)
        if (begins(p, starts[i]))
            return true;
    return false;
}

// The text of csmith as members. Statements are units: a line, or a line with the block that follows it.
static void convert(struct gen *g, const char *text)
{
    struct str *s = &g->s;
    struct gen_unit open[64];
    bool is_unit[64];
    int depth = 0;
    for (const char *p = text, *next; *p; p = next) {
        next = next_line(p);
        size_t n = (size_t)(next - p);
        const char *first = p + strspn(p, " ");
        if (begins(p, "#include") || begins(p, "//") || begins(p, "/*") || begins(p, "static long __undefined"))
            continue;
        if (!depth && (memmem(p, n, "func_", 5) || begins(p, "int main")) && memchr(p, '(', n)) {
            if (memchr(p, ';', n))
                continue; // a prototype
            if (begins(p, "int main")) {
                str_append(s, "void entry(void)\n");
                continue;
            }
        }
        if (!depth && salted(s, p, n))
            continue;
        if (*first == '{' && depth < 60) {
            is_unit[depth] = false;
            depth++;
            append_tokens(s, p, n);
            continue;
        }
        if (*first == '}' && depth) {
            append_tokens(s, p, n);
            depth--;
            if (is_unit[depth])
                gen_close(g, open[depth], "");
            continue;
        }
        bool statement = depth && !is_declaration(p) && !begins(first, "else") && !begins(first, "return") &&
                         *first != '\n' && !memchr(p, ':', n);
        if (begins(first, "return 0;") && depth == 1 && !*next_line(next)) {
            str_append(s, "return;\n");
            continue;
        }
        const char *after = next + strspn(next, " ");
        if (statement && *after == '{' && depth < 60) { // with its block
            open[depth] = gen_open(g);
            append_tokens(s, p, n);
            append_tokens(s, next, (size_t)(next_line(next) - next));
            is_unit[depth++] = true;
            next = next_line(next);
            continue;
        }
        struct gen_unit u = {0};
        bool single = statement && memchr(p, ';', n);
        if (single)
            u = gen_open(g);
        append_tokens(s, p, n);
        if (single)
            gen_close(g, u, "");
    }
}

static bool here(const struct campaign *c)
{
    (void)c;
    struct str text = {0};
    const char *argv[] = {"csmith", "--version", NULL};
    bool there = run_program(argv, NULL, 20, &text) == 0;
    str_free(&text);
    return there;
}

static bool one_program(struct gen *g, uint64_t seed, unsigned i)
{
    struct str text = {0};
    char number[16];
    snprintf(number, sizeof number, "%u", (unsigned)(seed & 0x7fffffff));
    const char *argv[] = {"csmith",
                          "--seed",
                          number,
                          "--no-packed-struct",
                          "--no-volatiles",
                          "--no-bitfields",
                          "--no-argc",
                          "--no-consts",
                          "--concise",
                          "--lang-cpp",
                          "--cpp11",
                          "--max-funcs",
                          "4",
                          "--max-block-depth",
                          seed >> 31 & 1 ? "3" : "2",
                          "--max-block-size",
                          "3",
                          "--max-expr-complexity",
                          "4",
                          "--max-array-dim",
                          "2",
                          "--max-array-len-per-dim",
                          "5",
                          "--max-struct-fields",
                          "4",
                          "--max-union-fields",
                          "3",
                          seed >> 32 & 3 ? "--no-unions" : "--unions",
                          "--max-pointer-depth",
                          "2",
                          NULL};
    bool fine = run_program(argv, NULL, 20, &text) == 0;
    if (fine) {
        str_printf(&g->s, "// csmith --seed %s\nstruct p%u : salted {\nusing salted::salted;\n", number, i);
        convert(g, str_text(&text));
        str_append(&g->s, "};\n");
    }
    str_free(&text);
    return fine;
}

static const char *const head = "#include \"csmith_runtime.h\"\n#pragma clang force_cuda_host_device begin\n";

static bool make(const struct campaign *c, struct gen *g, const uint64_t *seeds, unsigned n, struct str *text)
{
    struct str rows = {0};
    gen_reset(g, 0);
    str_append(&g->s, head);
    for (unsigned i = 0; i < n; i++)
        if (one_program(g, seeds[i], i))
            str_printf(&rows,
                       "{\"p%u_%llx\", [](unsigned *o, char *m) { run_device<p%u><<<1, THREADS>>>(o, m); }, "
                       "run_host<p%u>, sizeof(p%u)},\n",
                       i, (unsigned long long)seeds[i], i, i, i);
        else
            str_printf(&rows, "{\"p%u_%llx\", 0, 0, 0},\n", i, (unsigned long long)seeds[i]);
    str_append(&g->s, "#pragma clang force_cuda_host_device end\nstatic const struct program programs[] = {\n");
    str_append(&g->s, str_text(&rows));
    str_append(&g->s, "{0, 0, 0, 0}};\nint main(int argc, char **argv) { return run_all(programs, (int)(sizeof "
                      "programs / sizeof *programs) - 1, argc, argv); }\n");
    str_free(&rows);
    return compile_made(c, "c", str_text(&g->s), text);
}

static int run(const struct campaign *c, unsigned first, unsigned n, const struct config *config, struct str *text)
{
    return run_made(c, "c", first, n, config, 20 + 10 * n, text);
}

const struct kind kind_csmith = {"csmith", CSMITH_BATCH, make, run, "cu", here};
