// SPDX-License-Identifier: Apache-2.0
// Every arithmetic instruction against a C reference, on special and random values. All instructions of a table stand
// in one kernel, each on the same three operands; it runs unoptimised and after LLVM's O2, which must agree.
#include "test.h"
#include "translate_run.h"
#include "ptx_reference.h"

static uint64_t rng = 88172645463325252ull;
static uint64_t next(void)
{
    rng ^= rng << 13;
    rng ^= rng >> 7;
    rng ^= rng << 17;
    return rng * 2685821657736338717ull;
}
static uint64_t special(void)
{
    static const uint64_t list[] = {
        0, 1, 2, 3, 7, 8, 15, 16, 24, 31, 32, 33, 63, 64, 65, 127, 128, 255, 256, 0x7fff, 0x8000, 0xffff, 0x7fffffff,
        0x80000000, 0x80000001, 0xffffffff, 0xfffffffe, 0x7fffffffffffffff, 0x8000000000000000, 0xffffffffffffffff,
        // f32
        0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x7fc00000, 0x00800000, 0x807fffff, 0x00000001, 0x7f7fffff,
        0xff7fffff, 0x3f000000, 0x3effffff, 0x4b000000, 0x4f000000, 0xcf000000, 0x4f7fffff, 0x40490fdb, 0x33800000,
        // f64
        0x3ff0000000000000, 0xbff0000000000000, 0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000000,
        0x0010000000000000, 0x800fffffffffffff, 0x7fefffffffffffff, 0x41dfffffffc00000, 0xc1e0000000000000,
        0x43e0000000000000, 0x3fe0000000000000, 0x36a0000000000000, 0x47efffffe0000000, 0x47effffff0000000,
        // f16 and bf16, pairs
        0x3c00, 0xbc00, 0x7c00, 0xfc00, 0x7e00, 0x0400, 0x03ff, 0x7bff, 0x3c003c00, 0x3f80, 0x7f80, 0x0080, 0x7f7f};
    return list[next() % (sizeof list / sizeof *list)];
}
// Signalling NaNs are outside of what LLVM promises; they become quiet ones, in every reading of the value.
static uint64_t quiet(uint64_t x)
{
    if ((x & 0x7ff0000000000000) == 0x7ff0000000000000 && x << 12)
        x |= 0x0008000000000000;
    if ((x & 0x7f800000) == 0x7f800000 && x << 41)
        x |= 0x00400000;
    for (int i = 0; i < 2; i++) {
        if ((x >> 16 * i & 0x7c00) == 0x7c00 && (x >> 16 * i & 0x3ff))
            x |= 0x200ull << 16 * i;
        if ((x >> 16 * i & 0x7f80) == 0x7f80 && (x >> 16 * i & 0x7f))
            x |= 0x40ull << 16 * i;
    }
    return x;
}
static uint64_t raw_operand(void)
{
    switch (next() % 8) {
    case 0:
    case 1:
        return special();
    case 2:
        return next() % 64;
    case 3: // an f32 of moderate size
        return u32(ldexpf((float)(int32_t)next(), (int)(next() % 60) - 60));
    case 4: // an f64 of moderate size
        return u64(ldexp((double)(int64_t)next(), (int)(next() % 120) - 110));
    case 5: // the same value with small changes, for cancellation
        return special() ^ (next() & 3);
    case 6:
        return next() >> (next() % 64);
    default:
        return next();
    }
}

static bool same(const struct op_test *t, uint64_t got, uint64_t want)
{
    if (got == want)
        return true;
    switch (t->kind) {
    case 'f':
        return isnan(f32(got)) && isnan(f32(want));
    case 'F':
        return isnan(f64(got)) && isnan(f64(want));
    case 'h':
        return (got & 0x7fff) > 0x7c00 && (want & 0x7fff) > 0x7c00;
    case 'H': // pairs
        for (int i = 0; i < 2; i++) {
            uint64_t g = got >> 16 * i & 0xffff, w = want >> 16 * i & 0xffff;
            if (g != w && !((g & 0x7fff) > 0x7c00 && (w & 0x7fff) > 0x7c00))
                return false;
        }
        return true;
    case 'b':
        return (got & 0x7fff) > 0x7f80 && (want & 0x7fff) > 0x7f80;
    case 'e': {
        double g = f32(got), w = f64(want);
        if (isnan(g) || isnan(w))
            return isnan(g) && isnan(w);
        if (isinf(g) || isinf(w) || fabs(w) > 0x1.fffffep127)
            return g == w || fabs(w) > 0x1.fffffcp127;
        double e = fabs(g - w);
        return e <= (t->tolerance < 0 ? -t->tolerance : t->tolerance * fabs(w) + 0x1p-149);
    }
    default:
        return false;
    }
}

enum { VALUES = 3000 };

static void write_kernel(struct str *s, const struct op_test *t, size_t n)
{
    str_append(s, ".version 9.0\n.target sm_100a\n.address_size 64\n"
                  ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n"
                  ".reg .b64 %A, %B, %C, %D, %in, %out, %off, %T<8>;\n.reg .b32 %a, %b, %c, %d, %id, %t<8>;\n"
                  ".reg .b16 %ha, %hb, %hc, %hd, %h<8>;\n.reg .pred %p, %q, %r;\n"
                  "ld.param.u64 %in, [in];\nld.param.u64 %out, [out];\nmov.u32 %id, %tid.x;\n"
                  "mul.wide.u32 %off, %id, 24;\nadd.u64 %in, %in, %off;\n"
                  "ld.global.b64 %A, [%in];\nld.global.b64 %B, [%in+8];\nld.global.b64 %C, [%in+16];\n"
                  "cvt.u32.u64 %a, %A;\ncvt.u32.u64 %b, %B;\ncvt.u32.u64 %c, %C;\n"
                  "cvt.u16.u64 %ha, %A;\ncvt.u16.u64 %hb, %B;\ncvt.u16.u64 %hc, %C;\n");
    str_printf(s, "mul.wide.u32 %%off, %%id, %zu;\nadd.u64 %%out, %%out, %%off;\n", n * 8);
    for (size_t i = 0; i < n; i++) {
        str_printf(s, "%s\n", t[i].text);
        if (t[i].result == 'd')
            str_append(s, "cvt.u64.u32 %D, %d;\n");
        if (t[i].result == 'h')
            str_append(s, "cvt.u64.u16 %D, %hd;\n");
        if (t[i].result == 'p')
            str_append(s, "selp.b64 %D, 1, 0, %p;\n");
        str_printf(s, "st.global.b64 [%%out+%zu], %%D;\n", i * 8);
    }
    str_append(s, "ret;\n}\n");
}

static void run_table(const struct op_test *t, size_t n)
{
    struct str text = {0};
    write_kernel(&text, t, n);
    static uint64_t in[VALUES][3];
    for (int i = 0; i < VALUES; i++) {
        for (int k = 0; k < 3; k++)
            in[i][k] = quiet(quiet(raw_operand()));
    }
    uint64_t *out = calloc(n * VALUES, 8);
    for (int optimise = 0; optimise < 2; optimise++) {
        struct translate_result r;
        run_fn *fn = run_compile(text.data, NULL, &r, optimise);
        CHECK(fn != NULL);
        if (!fn)
            break;
        const void *args[2] = {in, out};
        run_kernel(fn, args, VALUES);
        for (size_t i = 0; i < n; i++) {
            int bad = 0;
            for (int k = 0; k < VALUES; k++) {
                uint64_t want = t[i].ref(in[k][0], in[k][1], in[k][2]), got = out[(size_t)k * n + i];
                if (!same(&t[i], got, want) && bad++ < 3)
                    fprintf(stderr, "%s: A=%llx B=%llx C=%llx: %llx, expected %llx\n", t[i].text,
                            (unsigned long long)in[k][0], (unsigned long long)in[k][1], (unsigned long long)in[k][2],
                            (unsigned long long)got, (unsigned long long)want);
            }
            CHECK(bad == 0);
        }
    }
    free(out);
    str_free(&text);
}

int main(void)
{
    run_init();
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        run_table(tables[i].tests, tables[i].n);
    return test_summary();
}
