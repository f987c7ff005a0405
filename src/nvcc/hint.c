// SPDX-License-Identifier: Apache-2.0
// What a newcomer needs to know beside the compiler's or the linker's own message: a header, a library or a function that belongs to something which
// Heddle does not have, or to a library that was not named on the command line. Messages are read, none is changed.
#include "nvcc/driver.h"
#include <stdio.h>
#include <string.h>

static const struct row {
    const char *begins, *text;
    bool lacks;
} rows[] = {
#define LACKS(begins, text) {begins, text, true},
#define HAS(begins, text)   {begins, text, false},
#include "nvcc/hint.def"
#undef LACKS
#undef HAS
};
enum { ROWS = sizeof rows / sizeof rows[0] };

static const struct row *row_find(const char *name, size_t n)
{
    const struct row *best = NULL;
    for (size_t i = 0; i < ROWS; i++) {
        size_t length = strlen(rows[i].begins);
        if (length <= n && !strncmp(name, rows[i].begins, length) && (!best || length > strlen(best->begins)))
            best = &rows[i];
    }
    return best;
}

// The name behind the words, and how long it is: a file without its folders, a library without -l, a function.
static const char *name_behind(const char *line, size_t length, const char *words, const char *ends, size_t *n)
{
    const char *at = memmem(line, length, words, strlen(words));
    if (!at)
        return NULL;
    at += strlen(words);
    size_t all = strcspn(at, ends);
    for (size_t i = 0; i < all; i++)
        if (at[i] == '/' && !strchr(ends, '/')) {
            at += i + 1;
            all -= i + 1;
            i = (size_t)-1;
        }
    *n = all;
    return at;
}

static void line_hint(const char *line, size_t length, bool *told)
{
    static const struct {
        const char *words, *ends;
        bool undefined;
    } forms[] = {{"fatal error: '", "'\n", false},
                 {"cannot find -l", ": \n", false},
                 {"unable to find library -l", ": \n", false},
                 {"undefined reference to `", "'(\n", true},
                 {"undefined symbol: ", "(\n", true},
                 {"/libclang_rt.", ":\n", false}};
    enum { RUNTIME = sizeof forms / sizeof forms[0] - 1 };
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        size_t n = 0;
        const char *name = name_behind(line, length, forms[i].words, forms[i].ends, &n);
        const struct row *r = name ? row_find(name, n) : NULL;
        if (i == RUNTIME && name && !told[ROWS + 1]) {
            fputs("nvcc hint    : the sanitizers' libraries are in the package libclang-rt-NN-dev of clang's version; "
                  "-ccbin g++ takes gcc's\n",
                  stderr);
            told[ROWS + 1] = true;
        }
        bool thrust = name && !i && (memmem(line, length, "'thrust/", 8) || memmem(line, length, "'cub/", 5));
        if (thrust && !told[ROWS]) {
            fputs("nvcc hint    : Thrust and CUB stand in SDK/include/cccl where ./dev setup brought them; or -I names "
                  "a copy "
                  "(docs/building.md)\n",
                  stderr);
            told[ROWS] = true;
        }
        if (!r || told[r - rows] || (!r->lacks && !forms[i].undefined))
            continue;
        told[r - rows] = true;
        if (r->lacks)
            fprintf(stderr, "nvcc hint    : %.*s belongs to %s, which Heddle does not have (docs/differences.md)\n",
                    (int)n, name, r->text);
        else
            fprintf(stderr, "nvcc hint    : for %.*s link with %s\n", (int)n, name, r->text);
    }
}

void hint_print(const char *messages)
{
    bool told[ROWS + 2] = {0}; // and of Thrust, and of the sanitizers
    for (const char *line = messages; *line;) {
        size_t n = strcspn(line, "\n");
        line_hint(line, n, told);
        line += n + (line[n] == '\n');
    }
}
