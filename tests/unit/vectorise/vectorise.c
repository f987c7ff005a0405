// SPDX-License-Identifier: Apache-2.0
// The vectoriser against the reference: every kernel of vectorise_kernels.def at each width, for the block's shape and
// for any shape. Arguments: a kernel's name and a width, to run less.
#include "vectorise_test.h"
#include "test.h"
#include "vectorise_dialect.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum fill { FLOATS, INTS, SMALL, SORTED, LONGS, BITS };
enum compare { EXACT, CLOSE };
enum widths { ALL, W32 };
enum { WORDS = 32 * 1024 };

#define CASE(name, ...) void k_##name(void);
#include "vectorise_kernels.def"
#undef CASE
static const struct case_row rows[] = {
#define CASE(name, bx, by, bz, gx, gy, n, m, in, in2, compare, widths)                                                 \
    {#name, k_##name, {bx, by, bz}, {gx, gy}, n, m, {in, in2}, compare, widths},
#include "vectorise_kernels.def"
#undef CASE
};

static uint32_t seed = 1;
static uint32_t next_random(void)
{
    seed = seed * 1664525u + 1013904223u;
    return seed >> 8 | seed << 24;
}

static void fill(void *buffer, int kind)
{
    uint32_t *u = buffer;
    float *f = buffer;
    int64_t *l = buffer;
    for (int i = 0; i < WORDS; i++)
        switch (kind) {
        case FLOATS:
            f[i] = (float)(next_random() & 0xffffff) / 16777216.0f;
            break;
        case INTS:
            u[i] = (next_random() >> 4) % 200 - 100;
            break;
        case SMALL:
            u[i] = (next_random() >> 4) % 100000;
            break;
        case SORTED:
            u[i] = i ? u[i - 1] + (next_random() >> 9) % 6 : 0;
            break;
        case LONGS:
            if (i < WORDS / 2)
                l[i] = ((int64_t)(next_random() >> 1) << 8 ^ next_random()) & (i % 3 ? 0xffff : -1);
            break;
        default:
            u[i] = next_random();
        }
}

static bool same(const void *want, const void *got, int compare, size_t *at)
{
    const uint32_t *a = want, *b = got;
    for (size_t i = 0; i < WORDS; i++) {
        *at = i;
        if (a[i] == b[i])
            continue;
        float x, y;
        memcpy(&x, &a[i], 4);
        memcpy(&y, &b[i], 4);
        if (compare == EXACT || !(fabsf(x - y) <= 2e-5f * fabsf(x) + 1e-6f))
            return false;
    }
    return true;
}

static char *buffers[6]; // in, in2, out, out2, wanted out, wanted out2

static void clear(char *out, char *out2)
{
    memset(out, 0, 4 * WORDS);
    memset(out2, 0, 4 * WORDS);
}

static bool run_case(const struct case_row *row, unsigned width, bool generic)
{
    struct compiled c;
    struct params p = {buffers[0], buffers[1], buffers[2], buffers[3], row->n, row->m, 1.5f, 0.25f};
    clear(buffers[2], buffers[3]);
    bool ok = compile_kernel(&c, row->name, width, row->block, generic);
    if (ok && !compiled_run(&c, row, &p)) {
        fprintf(stderr, "%s: does not end\n", row->name);
        ok = false;
    }
    compiled_destroy(&c);
    for (int k = 0; ok && k < 2; k++) {
        size_t at;
        ok = same(buffers[4 + k], buffers[2 + k], row->compare, &at);
        if (!ok)
            fprintf(stderr, "%s %ux%ux%u width %u%s: out%d[%zu] is %08x, should be %08x\n", row->name, row->block[0],
                    row->block[1], row->block[2], width, generic ? " generic" : "", k, at,
                    ((uint32_t *)buffers[2 + k])[at], ((uint32_t *)buffers[4 + k])[at]);
    }
    return ok;
}

struct configuration {
    unsigned width;
    bool generic;
};

// The configurations that a row runs in; arguments of the program take some of them away. Returns how many.
static unsigned configure(const struct case_row *row, int argc, char **argv, struct configuration *list)
{
    static const unsigned widths[] = {1, 8, 16, 32};
    unsigned n = 0;
    for (int w = 0; w < 4; w++) {
        if ((argc > 2 && widths[w] != (unsigned)atoi(argv[2])) || (row->widths == W32 && widths[w] != 32))
            continue;
        list[n++] = (struct configuration){widths[w], false};
        if (argc <= 3 && (widths[w] == 8 || row->compare == CLOSE || widths[w] == 32))
            list[n++] = (struct configuration){widths[w], true};
    }
    return n;
}

int main(int argc, char **argv)
{
    for (int i = 0; i < 6; i++)
        buffers[i] = aligned_alloc(4096, 4 * WORDS + 4096);
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        const struct case_row *row = &rows[r];
        if (argc > 1 && strcmp(argv[1], row->name))
            continue;
        for (int i = 0; i < 2; i++)
            fill(buffers[i], row->fill[i]);
        clear(buffers[4], buffers[5]);
        struct params p = {buffers[0], buffers[1], buffers[4], buffers[5], row->n, row->m, 1.5f, 0.25f};
        reference_run(row, &p);
        struct configuration list[8];
        unsigned count = configure(row, argc, argv, list);
        for (unsigned k = 0; k < count; k++)
            if (test_takes(r, k, count))
                CHECK(run_case(row, list[k].width, list[k].generic));
    }
    return test_summary();
}
