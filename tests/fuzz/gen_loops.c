// SPDX-License-Identifier: Apache-2.0
// Random kernels that walk through memory.
//
// The optimisations of loops and memory (rows of a thread's own, sparse rows, strides by the grid, records, histograms, lists)
// fire on shapes that arithmetic drawn at random never has. Here loops, indices and updates are drawn from those shapes and
// varied: bounds, strides, types, aliases, guards, early exits. Every result is independent of the schedule: inputs are only
// read, an output element belongs to one thread, shared cells get commutative atomics whose results are unused, lists are
// compared as sets. The reference is the same body, called for one thread after the other on the host (loops_runtime.h).
#include "gen.h"
#include "base/arena.h"
#include <stdarg.h>
#include <stdio.h>

struct loops {
    struct gen *g;
    struct arena *arena; // of the texts of expressions
    unsigned depth;      // of blocks, for indentation
    unsigned loops;      // around: their counters are j0, j1, ...
    bool row_loop;       // the innermost counter is below ROW
};

static unsigned draw(struct loops *c, unsigned n)
{
    return gen_below(c->g, n);
}

#define PICK(c, ...)                                                                                                   \
    ((const char *const[]){__VA_ARGS__}[draw(c, sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))])

__attribute__((format(printf, 2, 3))) static const char *text(struct loops *c, const char *format, ...)
{
    char buffer[4096];
    va_list a;
    va_start(a, format);
    int n = vsnprintf(buffer, sizeof buffer, format, a);
    va_end(a);
    if (n < 0 || (size_t)n >= sizeof buffer)
        return "1";
    return arena_printf(c->arena, "%s", buffer);
}

__attribute__((format(printf, 2, 3))) static void line(struct loops *c, const char *format, ...)
{
    char buffer[8192];
    va_list a;
    va_start(a, format);
    vsnprintf(buffer, sizeof buffer, format, a);
    va_end(a);
    str_printf(&c->g->s, "%*s%s\n", (int)(4 * c->depth), "", buffer);
}

static const char *counter(struct loops *c)
{
    return c->loops ? text(c, "j%u", draw(c, c->loops)) : "0";
}

// A counter of up to 31.
static const char *small_counter(struct loops *c)
{
    if (!c->loops)
        return "0";
    return c->row_loop && draw(c, 4) ? text(c, "j%u", c->loops - 1) : text(c, "(%s & 31)", counter(c));
}

// An index into an input, below its size whatever the values: affine forms whose bounds are known, or anything, masked.
static const char *value(struct loops *c, unsigned deep);

static const char *input_index(struct loops *c, unsigned deep)
{
    const char *j = small_counter(c);
    switch (draw(c, deep ? 14 : 11)) {
    case 0:
        return "c.g";
    case 1:
        return text(c, "c.g + %u", draw(c, 64));
    case 2:
        return text(c, "c.g * %s + %s", PICK(c, "2", "3", "4", "8", "16", "32"), j);
    case 3:
        return text(c, "%s * c.total + c.g", j);
    case 4:
        return text(c, "c.g + %s", j);
    case 5:
        return text(c, "c.y * 33 + %s", j);
    case 6:
        return text(c, "%s * %s + c.x", j, PICK(c, "2", "17", "32", "64", "100"));
    case 7:
        return text(c, "a.stride * %s + c.g", j);
    case 8:
        return text(c, "c.row * c.wide + c.col + %s", j);
    case 9:
        return text(c, "%u - %s", 32 + draw(c, 60), j);
    case 10:
        return text(c, "c.bid * %u + %s", 1 + draw(c, 40), j);
    case 11:
        return text(c, "(%s) & %s", value(c, deep - 1), PICK(c, "4095", "255", "31", "0xffff"));
    case 12:
        return text(c, "a.idx[%s]", input_index(c, deep - 1));
    default:
        return text(c, "(uint32_t)(%s)(%s) %% 5000u", PICK(c, "int8_t", "uint8_t", "int16_t", "uint16_t"),
                    value(c, deep - 1));
    }
}

static const char *own_index(struct loops *c)
{
    if (c->loops && c->row_loop)
        return text(c, "j%u", c->loops - 1);
    return text(c, "%u", draw(c, 16));
}

// An element of an output, the thread's own.
static const char *own(struct loops *c)
{
    switch (draw(c, 7)) {
    case 0:
    case 1:
        return text(c, "a.rows[c.g * ROW + %s]", own_index(c));
    case 2:
        return text(c, "a.columns[%s * c.total + c.g]", own_index(c));
    case 3:
        return text(c, "a.bytes[c.g * ROW + %s]", own_index(c));
    case 4:
        return text(c, "a.records[c.g].%s", PICK(c, "a", "b", "c", "d"));
    case 5:
        return text(c, "a.wide[c.g * ROW + %s]", own_index(c));
    default:
        return text(c, "a.alias[c.g * ROW + ((%s + %u) & (ROW - 1))]", own_index(c), draw(c, 3));
    }
}

static const char *condition(struct loops *c, unsigned deep)
{
    switch (draw(c, 9)) {
    case 0:
        return text(c, "c.g < a.n");
    case 1:
        return text(c, "c.x < %u", draw(c, 40));
    case 2:
        return text(c, "c.y == %u", draw(c, 4));
    case 3:
        return text(c, "(%s & %u) %s %u", value(c, deep), 1u << draw(c, 4), PICK(c, "==", "!="),
                    draw(c, 2) << draw(c, 4));
    case 4:
        return text(c, "(int32_t)%s %s (int32_t)%s", value(c, deep), PICK(c, "<", ">", "<=", ">=", "!="),
                    value(c, deep));
    case 5:
        return text(c, "c.x == %u", draw(c, 8));
    case 6:
        return text(c, "%s < %u", counter(c), draw(c, 12));
    case 7:
        return text(c, "((c.x + c.y) & %u) == 0", 1 + draw(c, 3));
    default:
        return text(c, "f0 %s %u.0f", PICK(c, "<", ">", "!="), draw(c, 50));
    }
}

// 32 bits.
static const char *value(struct loops *c, unsigned deep)
{
    if (!deep)
        switch (draw(c, 9)) {
        case 0:
            return "c.g";
        case 1:
            return "c.x";
        case 2:
            return "a0";
        case 3:
            return "a1";
        case 4:
            return counter(c);
        case 5:
            return text(c, "%uu", draw(c, 1000));
        case 6:
            return "a.n";
        case 7:
            return text(c, "loc[%s & 7]", counter(c));
        default:
            return "c.y";
        }
    const char *t, *x;
    switch (draw(c, 18)) {
    case 0:
    case 1:
    case 2:
        return text(c, "(uint32_t)a.%s[%s]", PICK(c, "i8", "u8", "i16", "u16", "i32", "i32", "i32"),
                    input_index(c, deep - 1));
    case 3:
        return text(c, "(uint32_t)a.i64[%s]", input_index(c, deep - 1));
    case 4:
        return text(c, "a.in_records[%s].%s", input_index(c, deep - 1), PICK(c, "a", "b", "c", "d"));
    case 5:
        return text(c, "(uint32_t)%s", own(c));
    case 6:
        return text(c, "loc[(%s) & 7]", value(c, deep - 1));
    case 7:
        x = value(c, deep - 1);
        return text(c, "(%s ? %s : %s)", condition(c, deep - 1), x, value(c, deep - 1));
    case 8: // a division that a guard keeps from zero
        x = value(c, deep - 1), t = value(c, deep - 1);
        return text(c, "((%s) ? (uint32_t)(%s) %s (uint32_t)(%s) : 7u)", x, t, PICK(c, "/", "%"), x);
    case 9:
        return text(c, "(%s >> (%s & 31))", value(c, deep - 1), value(c, 0));
    case 10:
        return text(c, "(uint32_t)(%s)(%s)", PICK(c, "int8_t", "uint8_t", "int16_t", "uint16_t"), value(c, deep - 1));
    case 11:
        return text(c, "(uint32_t)((uint64_t)%s * %s >> 32)", value(c, deep - 1), value(c, deep - 1));
    default:
        x = value(c, deep - 1);
        return text(c, "(%s %s %s)", x, PICK(c, "+", "-", "*", "^", "&", "|"), value(c, deep - 1));
    }
}

static void statements(struct loops *c, unsigned n, unsigned deep);

static void block(struct loops *c, const char *head, unsigned deep)
{
    line(c, "%s {", head);
    c->depth++;
    statements(c, 1 + draw(c, 3), deep);
    c->depth--;
    line(c, "}");
}

static void loop(struct loops *c, unsigned deep)
{
    unsigned k = c->loops;
    bool was = c->row_loop;
    const char *head;
    c->row_loop = false;
    switch (draw(c, 12)) {
    case 0:
    case 1:
        head = text(c, "for (int j%u = 0; j%u < %u; j%u++)", k, k, 1 + draw(c, 16), k);
        c->row_loop = true;
        break;
    case 2:
        head = text(c, "for (int j%u = 0; j%u < ROW; j%u++)", k, k, k);
        c->row_loop = true;
        break;
    case 3:
        head = text(c, "for (int j%u = 0; j%u < (int)(%s & 15); j%u++)", k, k, value(c, 1), k);
        c->row_loop = true;
        break;
    case 4:
        head = text(c, "for (int j%u = a.first[c.g]; j%u < a.first[c.g + 1]; j%u++)", k, k, k);
        break;
    case 5:
        head = text(c, "for (uint32_t j%u = c.g; j%u < a.n; j%u += c.total)", k, k, k);
        break;
    case 6:
        head = text(c, "for (int j%u = 15; j%u >= 0; j%u--)", k, k, k);
        c->row_loop = true;
        break;
    case 7:
        head = text(c, "for (int j%u = 64; j%u > 0; j%u >>= 1)", k, k, k);
        break;
    case 8:
        head = text(c, "for (int j%u = 0; j%u < a.limit; j%u++)", k, k, k);
        c->row_loop = true;
        break;
    case 9:
        head = text(c, "for (int j%u = (int)(%s & 7); j%u < 16; j%u += %u)", k, value(c, 1), k, k, 1 + draw(c, 3));
        c->row_loop = true;
        break;
    case 10:
        head = text(c, "for (uint32_t j%u = %s & 4095, n%u = 0; j%u && n%u < 12; j%u = (uint32_t)a.idx[j%u], n%u++)", k,
                    value(c, 1), k, k, k, k, k, k);
        break;
    default:
        head = text(c, "for (int j%u = 0; j%u < (int)c.y + %u; j%u++)", k, k, draw(c, 9), k);
    }
    c->loops++;
    block(c, head, deep);
    c->loops--;
    c->row_loop = was;
}

static void statement(struct loops *c, unsigned deep)
{
    switch (draw(c, deep ? 22 : 14)) {
    case 0:
    case 1:
        line(c, "a0 %s %s;", PICK(c, "+=", "^=", "=", "-=", "*="), value(c, 2));
        break;
    case 2:
        line(c, "a1 %s %s;", PICK(c, "+=", "^=", "|="), value(c, 2));
        break;
    case 3:
        line(c, "f0 %s a.f32[%s];", PICK(c, "+=", "-=", "="), input_index(c, 1));
        break;
    case 4:
        line(c, "f0 = f0 * 0.5f + a.f32[%s] * a.f32[%s];", input_index(c, 1), input_index(c, 1));
        break;
    case 5:
        line(c, "d0 += a.f64[%s] * (double)(%s);", input_index(c, 1), value(c, 1));
        break;
    case 6:
        line(c, "w0 = w0 * 31 + %s + (uint64_t)a.i64[%s];", value(c, 1), input_index(c, 1));
        break;
    case 7:
        line(c, "loc[(%s) & 7] = %s;", value(c, 1), value(c, 1));
        break;
    case 8:
    case 9:
    case 10:
        line(c, "%s %s (%s);", own(c), PICK(c, "=", "=", "+=", "^="), value(c, 2));
        break;
    case 11:
        line(c, "a.floats[c.g * ROW + %s] %s f0 + a.f32[%s];", own_index(c), PICK(c, "=", "+="), input_index(c, 1));
        break;
    case 12:
        switch (draw(c, 8)) {
        case 0:
            line(c, "ADD(&a.cells[%s & 1023], %s);", value(c, 2), value(c, 1));
            break;
        case 1:
            line(c, "ADD(&a.cells[c.x + 1024], %s);", value(c, 1));
            break;
        case 2:
            line(c, "ADD(&a.cells[%u], %s);", 1300 + draw(c, 3), value(c, 1));
            break;
        case 3:
            line(c, "ADD(&a.float_cells[%s & 255], (float)(%s & 15));", value(c, 1), value(c, 1));
            break;
        case 4:
            line(c, "MAX(&a.cells[%u], %s);", 1400 + draw(c, 3), value(c, 1));
            break;
        case 5:
            line(c, "MIN(&a.cells[1500 + (%s & 63)], %s);", value(c, 1), value(c, 1));
            break;
        case 6:
            line(c, "XOR(&a.cells[%u], %s);", 1600 + draw(c, 3), value(c, 1));
            break;
        default:
            line(c, "ADD(&a.wide_cells[%s & 63], (unsigned long long)w0);", value(c, 1));
        }
        break;
    case 13:
        if (c->loops)
            line(c, "if (%s) %s;", condition(c, 1), PICK(c, "break", "continue"));
        else if (!draw(c, 4))
            line(c, "if (%s) return;", condition(c, 1));
        else
            line(c, "a0 += %s;", value(c, 3));
        break;
    case 14:
    case 15:
    case 16:
        block(c, text(c, "if (%s)", condition(c, 1)), deep - 1);
        break;
    case 17:
        if (c->loops < 2)
            line(c, "APPEND(%s, %s);", PICK(c, "a.list1", "a.list2"), value(c, 1));
        break;
    default:
        if (c->loops < 3)
            loop(c, deep - 1);
    }
}

static void statements(struct loops *c, unsigned n, unsigned deep)
{
    while (n--) {
        struct gen_unit u = gen_open(c->g);
        statement(c, deep);
        gen_close(c->g, u, "");
    }
}

static void make_body(struct loops *c, unsigned number)
{
    line(c, "static __host__ __device__ void body_%u(const context &c, const args &a)\n{", number);
    c->depth = 1;
    line(c, "uint32_t a0 = c.g, a1 = 1, loc[8] = {0};");
    line(c, "float f0 = 0;");
    line(c, "double d0 = 0;");
    line(c, "uint64_t w0 = 0;");
    if (!draw(c, 3))
        line(c, "if (c.g >= a.n) return;");
    statements(c, 2 + draw(c, 3), 3);
    struct gen_unit u = gen_open(c->g);
    loop(c, 3);
    gen_close(c->g, u, "");
    statements(c, 1 + draw(c, 2), 2);
    line(c, "a.sums[c.g * 2] = a0 + ((uint64_t)a1 << 32);");
    line(c, "a.sums[c.g * 2 + 1] = w0 + (uint64_t)(int64_t)f0 + (uint64_t)(int64_t)d0 + loc[a0 & 7];");
    c->depth = 0;
    line(c, "}");
    line(c, "__global__ void kernel_%u(args a)\n{\n    body_%u(place(threadIdx, blockIdx, blockDim, gridDim), a);\n}",
         number, number);
}

void gen_loops(struct gen *g, const uint64_t *seeds, unsigned n)
{
    static const char *const shapes[] = {"32",    "64",    "96",       "33",     "17, 3", "8, 8",  "16, 16", "7, 5, 3",
                                         "1, 32", "256",   "5",        "128, 2", "32, 8", "40, 3", "64, 4",  "2, 3, 11",
                                         "4, 64", "1, 64", "1, 1, 64", "100",    "16, 2", "512",   "24, 5",  "3, 2, 2"};
    static const char *const grids[] = {"1", "3", "4", "2, 2", "5, 3", "7", "1, 4"};
    struct str rows = {0};
    struct arena arena;
    arena_init(&arena);
    gen_reset(g, 0);
    str_append(&g->s, "#include \"loops_runtime.h\"\n");
    for (unsigned i = 0; i < n; i++) {
        struct loops c = {.g = g, .arena = &arena};
        g->rng = seeds[i];
        const char *grid = grids[draw(&c, sizeof grids / sizeof *grids)];
        const char *shape = shapes[draw(&c, sizeof shapes / sizeof *shapes)];
        unsigned seed = draw(&c, 1u << 30), limit = draw(&c, 17);
        make_body(&c, i);
        str_printf(&rows, "    {\"l%u_%llx\", kernel_%u, body_%u, dim3(%s), dim3(%s), %uu, %u},\n", i,
                   (unsigned long long)seeds[i], i, i, grid, shape, seed, limit);
    }
    str_printf(&g->s, "static const kernel kernels[] = {\n%s};\n", str_text(&rows));
    str_printf(&g->s, "int main(int argc, char **argv)\n{\n    return run_all(kernels, %u, argc, argv);\n}\n", n);
    str_free(&rows);
    arena_fini(&arena);
}
