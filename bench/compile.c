// SPDX-License-Identifier: Apache-2.0
// Time to compile by size of input: for each kind of input, texts of n, 2n, 4n ... are compiled, and the exponent e of
// time = c * size^e is fitted. Times are of the processor, the least of several; each text is loaded, and its kernels are launched once.
#include <cuda.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MOST_SIZES = 8, THREADS = 64, BYTES = 1 << 20 };

static struct {
    char *data;
    size_t len, cap;
} text;

__attribute__((format(printf, 1, 2))) static void put(const char *format, ...)
{
    for (;;) {
        va_list list;
        va_start(list, format);
        int n = vsnprintf(text.data + text.len, text.cap - text.len, format, list);
        va_end(list);
        if (text.len + (size_t)n < text.cap) {
            text.len += (size_t)n;
            return;
        }
        text.cap = (text.cap + (size_t)n) * 2;
        text.data = realloc(text.data, text.cap);
        if (!text.data)
            abort();
    }
}

// The same numbers for each size: what is drawn at random is drawn alike.
static unsigned state;
static unsigned draw(unsigned below)
{
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % below;
}

// A kernel that stores %r1, which begins as the thread's number and an element of memory; %d1 points to the thread's own element.
static void begin(const char *name, const char *more)
{
    put(".visible .entry %s(.param .u64 m) {\n"
        ".reg .pred %%p<8>; .reg .b32 %%r<32>; .reg .b64 %%d<16>; .reg .f32 %%f<16>;\n%s\n"
        "mov.u32 %%r0, %%tid.x; ld.param.u64 %%d0, [m]; mul.wide.u32 %%d2, %%r0, 4; add.s64 %%d1, %%d0, %%d2;\n"
        "ld.global.u32 %%r1, [%%d1]; xor.b32 %%r1, %%r1, %%r0;\n",
        name, more);
    for (int i = 2; i < 16; i++)
        put("add.s32 %%r%d, %%r1, %d;\n", i, i);
    for (int i = 0; i < 8; i++)
        put("cvt.rn.f32.u32 %%f%d, %%r%d;\n", i, i + 2);
}

static void end(void)
{
    for (int i = 2; i < 16; i++)
        put("xor.b32 %%r1, %%r1, %%r%d;\n", i);
    for (int i = 0; i < 8; i++)
        put("mov.b32 %%r2, %%f%d; xor.b32 %%r1, %%r1, %%r2;\n", i);
    put("st.global.u32 [%%d1], %%r1;\nret; }\n");
}

static void function(const char *form, int i)
{
    char name[32];
    snprintf(name, sizeof name, form, i);
    put(".func (.param .u32 r) %s(.param .u32 a) {\n.reg .b32 %%r<8>;\nld.param.u32 %%r1, [a];\n"
        "mad.lo.s32 %%r1, %%r1, %d, 12345; shr.u32 %%r2, %%r1, 3; xor.b32 %%r1, %%r1, %%r2;\n",
        name, 2 * i + 3);
}

static void call(const char *form, int i)
{
    char name[32];
    snprintf(name, sizeof name, form, i);
    put("{ .param .u32 x; .param .u32 y; st.param.u32 [x], %%r1; call (y), %s, (x); ld.param.u32 %%r1, [y]; }\n", name);
}

static void leave(void)
{
    put("st.param.u32 [r], %%r1; ret; }\n");
}

static void declare(const char *form, int n)
{
    char name[32];
    for (int i = 0; i < n; i++) {
        snprintf(name, sizeof name, form, i);
        put(".func (.param .u32 r) %s(.param .u32 a);\n", name);
    }
}

static void operation(int i)
{
    unsigned d = 2 + draw(14), a = 2 + draw(14), b = 2 + draw(14);
    switch (draw(6)) {
    case 0:
        put("add.s32 %%r%u, %%r%u, %%r%u;\n", d, a, b);
        break;
    case 1:
        put("mul.lo.s32 %%r%u, %%r%u, %%r%u;\n", d, a, b);
        break;
    case 2:
        put("xor.b32 %%r%u, %%r%u, %%r%u;\n", d, a, b);
        break;
    case 3:
        put("shr.u32 %%r%u, %%r%u, %d;\n", d, a, i % 31 + 1);
        break;
    case 4:
        put("fma.rn.f32 %%f%u, %%f%u, %%f%u, %%f%u;\n", d % 8, a % 8, b % 8, d % 8);
        break;
    default:
        put("min.u32 %%r%u, %%r%u, %%r%u;\n", d, a, b);
    }
}

static void arithmetic(int n)
{
    begin("k", "");
    for (int i = 0; i < n; i++)
        operation(i);
    end();
}

static void live_values(int n)
{
    begin("k", "");
    put(".reg .b32 %%v<%d>;\n", n);
    for (int i = 0; i < n; i++)
        put("ld.global.u32 %%v%d, [%%d1+%d];\n", i, i % 1024 * 256);
    for (int i = 0; i < n; i++)
        put("mad.lo.s32 %%r1, %%r1, 31, %%v%d;\n", (i * 7) % n);
    end();
}

static void divisions(int n)
{
    begin("k", "");
    for (int i = 0; i < n; i++)
        put(i % 2 ? "or.b32 %%r2, %%r1, %d; div.u32 %%r1, %%r3, %%r2; add.s32 %%r3, %%r3, %%r1;\n"
                  : "add.f32 %%f1, %%f1, 0f3F800000; div.rn.f32 %%f2, %%f3, %%f1; sqrt.rn.f32 %%f3, %%f2; // %d\n",
            2 * i + 1);
    end();
}

static void globals_used(int n)
{
    for (int i = 0; i < n; i++)
        put(".global .align 4 .u32 g%d%s;\n", i, i % 3 ? "" : " = 7");
    begin("k", "");
    for (int i = 0; i < n; i++)
        put("ld.global.u32 %%r2, [g%d]; add.s32 %%r1, %%r1, %%r2;\n", i);
    end();
}

static void globals_unused(int n)
{
    for (int i = 0; i < n; i++)
        put(".global .align 4 .u32 g%d[4]%s;\n", i, i % 3 ? "" : " = {1, 2, 3, 4}");
    begin("k", "");
    end();
}

static void global_pointers(int n)
{
    put(".global .align 8 .u64 p0 = 5;\n");
    for (int i = 1; i < n; i++)
        put(".global .align 8 .u64 p%d = p%d;\n", i, i - 1);
    begin("k", "");
    put("ld.global.u64 %%d3, [p%d]; cvt.u32.u64 %%r1, %%d3;\n", n - 1);
    end();
}

static void big_initialiser(int n)
{
    put(".const .align 4 .u32 t[%d] = {0", n);
    for (int i = 1; i < n; i++)
        put(", %d", i);
    put("};\n");
    begin("k", "");
    put("mov.u64 %%d3, t; cvta.const.u64 %%d3, %%d3; add.s64 %%d3, %%d3, %%d2; ld.u32 %%r2, [%%d3];\n");
    end();
}

static void kernels_all(int n)
{
    for (int i = 0; i < n; i++) {
        char name[16];
        snprintf(name, sizeof name, "k%d", i);
        begin(name, "");
        end();
    }
}

static void kernels_one(int n)
{
    kernels_all(n);
    begin("k", "");
    end();
}

static void call_chain(int n)
{
    declare("f%d", n);
    for (int i = 0; i < n; i++) {
        function("f%d", i);
        if (i + 1 < n)
            call("f%d", i + 1);
        leave();
    }
    begin("k", "");
    call("f%d", 0);
    end();
}

static void call_chain_upward(int n)
{
    for (int i = 0; i < n; i++) {
        function("f%d", i);
        if (i)
            call("f%d", i - 1);
        leave();
    }
    begin("k", "");
    call("f%d", n - 1);
    end();
}

static void call_fan(int n)
{
    for (int i = 0; i < n; i++) {
        function("f%d", i);
        leave();
    }
    begin("k", "");
    for (int i = 0; i < n; i++)
        call("f%d", i);
    end();
}

static void call_same(int n)
{
    function("f%d", 0);
    leave();
    begin("k", "");
    for (int i = 0; i < n; i++)
        call("f%d", 0);
    end();
}

// Each function calls the next one twice: more copies than could be made.
static void call_doubling(int n)
{
    declare("f%d", n);
    for (int i = 0; i < n; i++) {
        function("f%d", i);
        for (int k = 0; k < 2 && i + 1 < n; k++)
            call("f%d", i + 1);
        leave();
    }
    begin("k", "");
    put("setp.eq.u32 %%p1, %%r1, 77777; @!%%p1 bra over;\n");
    call("f%d", 0);
    put("over:\n");
    end();
}

static void call_cycle(int n)
{
    declare("f%d", n);
    for (int i = 0; i < n; i++) {
        function("f%d", i);
        put(".reg .pred %%p; setp.lt.u32 %%p, %%r1, 0x7fffffff; @%%p bra over;\n");
        call("f%d", (i + 1) % n);
        put("over:\n");
        leave();
    }
    begin("k", "");
    put("setp.eq.u32 %%p1, %%r1, 77777; @!%%p1 bra over;\n");
    call("f%d", 0);
    put("over:\n");
    end();
}

static void call_exit(int n)
{
    declare("f%d", n);
    for (int i = 0; i < n; i++) {
        function("f%d", i);
        put(".reg .pred %%p; setp.eq.u32 %%p, %%r1, %d; @%%p exit;\n", i);
        if (i + 1 < n)
            call("f%d", i + 1);
        leave();
    }
    begin("k", "");
    call("f%d", 0);
    end();
}

static void call_pointer(int n)
{
    for (int i = 0; i < n; i++) {
        function("f%d", i);
        leave();
    }
    put(".global .align 8 .u64 table[%d] = {", n);
    for (int i = 0; i < n; i++)
        put("%sf%d", i ? ", " : "", i);
    put("};\n");
    begin("k", "");
    put("and.b32 %%r2, %%r0, 7; mov.u64 %%d3, table; mad.wide.u32 %%d3, %%r2, 8, %%d3; ld.global.u64 %%d4, [%%d3];\n"
        "{ .param .u32 x; .param .u32 y; st.param.u32 [x], %%r1; p: .callprototype (.param .u32 _) _ (.param .u32 _);\n"
        "call (y), %%d4, (x), p; ld.param.u32 %%r1, [y]; }\n");
    end();
}

static void functions_unused(int n)
{
    for (int i = 0; i < n; i++) {
        function("f%d", i);
        leave();
    }
    begin("k", "");
    end();
}

// Of bits in the middle, of which nothing is known.
static void condition(int i)
{
    put("shr.u32 %%r2, %%r1, %d; and.b32 %%r2, %%r2, 3; setp.eq.u32 %%p1, %%r2, %d;\n", i % 7 + 13, i % 4);
}

static void ifs(int n)
{
    begin("k", "");
    for (int i = 0; i < n; i++) {
        condition(i);
        put("@%%p1 bra l%d; mad.lo.s32 %%r1, %%r1, %d, 1; xor.b32 %%r4, %%r4, %%r1; l%d:\n", i, 2 * i + 1, i);
    }
    end();
}

static void ifs_else(int n)
{
    begin("k", "");
    for (int i = 0; i < n; i++) {
        condition(i);
        put("@%%p1 bra l%d; ld.global.u32 %%r5, [%%d1+%d]; mad.lo.s32 %%r1, %%r1, %d, %%r5; bra m%d; l%d: "
            "ld.global.u32 %%r5, [%%d1+%d]; add.s32 %%r1, %%r1, "
            "%%r5; st.global.u32 [%%d1], %%r1; m%d:\n",
            i, i % 64 * 256, 2 * i + 1, i, i, i % 32 * 512, i);
    }
    end();
}

static void ifs_nested(int n)
{
    begin("k", "");
    for (int i = 0; i < n; i++) {
        condition(i);
        put("@%%p1 bra l%d; mad.lo.s32 %%r1, %%r1, %d, 1; xor.b32 %%r4, %%r4, %%r1;\n", i, 2 * i + 1);
    }
    for (int i = n - 1; i >= 0; i--)
        put("add.s32 %%r1, %%r1, %d; l%d:\n", i, i);
    end();
}

static void ifs_ladder(int n)
{
    begin("k", "");
    for (int i = 0; i < n; i++)
        put("setp.ne.u32 %%p1, %%r3, %d; @%%p1 bra l%d; mad.lo.s32 %%r1, %%r1, %d, 1; bra over; l%d:\n", i, i,
            2 * i + 1, i);
    put("over:\n");
    end();
}

static void switches(int n)
{
    begin("k", "");
    put("rem.u32 %%r2, %%r1, %d; ts: .branchtargets l0", n);
    for (int i = 1; i < n; i++)
        put(", l%d", i);
    put("; brx.idx %%r2, ts;\n");
    for (int i = 0; i < n; i++)
        put("l%d: mad.lo.s32 %%r1, %%r1, %d, 1; %s\n", i, 2 * i + 1, i % 4 ? "bra over;" : "");
    put("over:\n");
    end();
}

static void guarded(int n)
{
    begin("k", "");
    for (int i = 0; i < n; i++) {
        condition(i);
        put("@%%p1 mad.lo.s32 %%r1, %%r1, %d, 1;\n", 2 * i + 1);
    }
    end();
}

static void exits(int n)
{
    begin("k", "");
    for (int i = 0; i < n; i++)
        put("mad.lo.s32 %%r1, %%r1, %d, 1; setp.eq.u32 %%p1, %%r1, %d; @%%p1 exit;\n", 2 * i + 3, i);
    end();
}

static void gotos_forward(int n)
{
    begin("k", "");
    for (int i = 0; i < n; i++) {
        int to = i + 1 + (int)draw(6);
        put("l%d:\n", i);
        condition(i);
        put("@%%p1 bra l%d; mad.lo.s32 %%r1, %%r1, %d, 1;\n", to < n ? to : n, 2 * i + 1);
    }
    put("l%d:\n", n);
    end();
}

static void gotos_far(int n)
{
    begin("k", "");
    for (int i = 0; i < n; i++) {
        int to = i + 1 + (int)draw((unsigned)n);
        put("l%d:\n", i);
        condition(i);
        put("@%%p1 bra l%d; mad.lo.s32 %%r1, %%r1, %d, 1;\n", to < n ? to : n, 2 * i + 1);
    }
    put("l%d:\n", n);
    end();
}

// Some of the branches go back, into the middle of what others have left; a count ends them.
static void gotos_both(int n)
{
    begin("k", "");
    put("mov.u32 %%r20, 0;\n");
    for (int i = 0; i < n; i++) {
        int back = i % 4 == 3, to = back ? i - 1 - (int)draw(6) : i + 1 + (int)draw(6);
        put("l%d:\n", i);
        condition(i);
        if (back)
            put("add.s32 %%r20, %%r20, 1; setp.lt.and.u32 %%p1, %%r20, 20, %%p1;");
        put("@%%p1 bra l%d; mad.lo.s32 %%r1, %%r1, %d, 1;\n", to < 0 ? 0 : to < n ? to : n, 2 * i + 1);
    }
    put("l%d:\n", n);
    end();
}

static void loops(int n)
{
    begin("k", "");
    for (int i = 0; i < n; i++)
        put("mov.u32 %%r20, 0; l%d: mad.lo.s32 %%r1, %%r1, %d, %%r20; add.s32 %%r20, %%r20, 1; setp.lt.u32 %%p1, "
            "%%r20, %%r0; @%%p1 bra l%d;\n",
            i, 2 * i + 1, i);
    end();
}

static void loops_memory(int n)
{
    begin("k", "");
    for (int i = 0; i < n; i++)
        put("mov.u32 %%r20, 0; l%d: mad.wide.u32 %%d3, %%r20, 256, %%d1; ld.global.u32 %%r21, [%%d3+%d]; mad.lo.s32 "
            "%%r1, %%r1, %d, %%r21; add.s32 %%r20, "
            "%%r20, 1; setp.lt.u32 %%p1, %%r20, 3; @%%p1 bra l%d;\n",
            i, i % 64 * 256, 2 * i + 1, i);
    end();
}

static void loops_nested(int n)
{
    begin("k", "");
    put(".reg .b32 %%c<%d>;\n", n);
    for (int i = 0; i < n; i++)
        put("mov.u32 %%c%d, 0; l%d: mad.lo.s32 %%r1, %%r1, %d, 1;\n", i, i, 2 * i + 1);
    for (int i = n - 1; i >= 0; i--)
        put("add.s32 %%c%d, %%c%d, 1; shr.u32 %%r2, %%r0, 8; setp.lt.u32 %%p1, %%c%d, %%r2; @%%p1 bra l%d;\n", i, i, i,
            i);
    end();
}

static void loops_breaks(int n)
{
    begin("k", "");
    put("mov.u32 %%r20, 0; again:\n");
    for (int i = 0; i < n; i++) {
        condition(i);
        put("@%%p1 bra %s; mad.lo.s32 %%r1, %%r1, %d, 1;\n", i % 2 ? "next" : "over", 2 * i + 1);
    }
    put("next: add.s32 %%r20, %%r20, 1; setp.lt.u32 %%p1, %%r20, %%r0; @%%p1 bra again; over:\n");
    end();
}

static void barriers(int n)
{
    begin("k", ".shared .align 4 .b32 s[64];");
    put("mov.u32 %%r17, s; shl.b32 %%r18, %%r0, 2; add.s32 %%r17, %%r17, %%r18; xor.b32 %%r18, %%r17, 4;\n");
    for (int i = 0; i < n; i++)
        put("st.shared.u32 [%%r17], %%r1; bar.sync 0; ld.shared.u32 %%r2, [%%r18]; mad.lo.s32 %%r1, %%r1, %d, %%r2; "
            "bar.sync 0;\n",
            2 * i + 1);
    end();
}

static void barriers_live(int n)
{
    begin("k", "");
    put(".reg .b32 %%v<%d>;\n", n);
    for (int i = 0; i < n; i++)
        put("ld.global.u32 %%v%d, [%%d1+%d]; bar.sync 0;\n", i, i % 1024 * 256);
    for (int i = 0; i < n; i++)
        put("mad.lo.s32 %%r1, %%r1, 31, %%v%d;\n", i);
    end();
}

static void barriers_loops(int n)
{
    begin("k", ".shared .align 4 .b32 s[64];");
    put("mov.u32 %%r17, s; shl.b32 %%r18, %%r0, 2; add.s32 %%r17, %%r17, %%r18; xor.b32 %%r18, %%r17, 4;\n");
    for (int i = 0; i < n; i++)
        put("mov.u32 %%r20, 0; l%d: st.shared.u32 [%%r17], %%r1; bar.sync 0; ld.shared.u32 %%r2, [%%r18]; mad.lo.s32 "
            "%%r1, %%r1, %d, %%r2; bar.sync 0;\n"
            "add.s32 %%r20, %%r20, 1; setp.lt.u32 %%p1, %%r20, 3; @%%p1 bra l%d;\n",
            i, 2 * i + 1, i);
    end();
}

// By the warp's number, so that threads of one warp go the same way.
static void barriers_arms(int n)
{
    begin("k", "");
    put("shr.u32 %%r16, %%r0, 5;\n");
    for (int i = 0; i < n; i++)
        put("setp.eq.u32 %%p1, %%r16, %d; @%%p1 bra l%d; mad.lo.s32 %%r1, %%r1, %d, 1; barrier.sync 0; bra m%d; l%d: "
            "add.s32 %%r1, %%r1, 3; barrier.sync 0; m%d:\n",
            i % 2, i, 2 * i + 1, i, i, i);
    end();
}

static void shared_accesses(int n)
{
    begin("k", ".shared .align 4 .b32 s[4096];");
    put("mov.u32 %%r17, s; shl.b32 %%r18, %%r0, 2; add.s32 %%r17, %%r17, %%r18;\n");
    for (int i = 0; i < n; i++)
        put("st.shared.u32 [%%r17+%d], %%r1; ld.shared.u32 %%r2, [%%r17+%d]; mad.lo.s32 %%r1, %%r1, %d, %%r2;\n",
            i % 60 * 256, (i * 7) % 60 * 256, 2 * i + 1);
    end();
}

static void shared_variables(int n)
{
    for (int i = 0; i < n; i++)
        put(".shared .align 4 .b32 s%d[2];\n", i);
    begin("k", "");
    put("and.b32 %%r18, %%r0, 1; shl.b32 %%r18, %%r18, 2;\n");
    for (int i = 0; i < n; i++)
        put("mov.u32 %%r17, s%d; add.s32 %%r17, %%r17, %%r18; st.shared.u32 [%%r17], %%r1; ld.shared.u32 %%r2, [s%d]; "
            "mad.lo.s32 %%r1, %%r1, %d, %%r2;\n",
            i, (i * 7) % n, 2 * i + 1);
    end();
}

static void global_accesses(int n)
{
    begin("k", "");
    for (int i = 0; i < n; i++)
        put("ld.global.u32 %%r2, [%%d1+%d]; mad.lo.s32 %%r1, %%r1, %d, %%r2; st.global.u32 [%%d1+%d], %%r1;\n",
            (i * 7) % 1024 * 256, 2 * i + 1, i % 1024 * 256);
    end();
}

static void gathers(int n)
{
    begin("k", "");
    for (int i = 0; i < n; i++)
        put("and.b32 %%r2, %%r1, 4095; mul.wide.u32 %%d3, %%r2, 4; add.s64 %%d3, %%d0, %%d3; ld.global.u32 %%r3, "
            "[%%d3]; mad.lo.s32 %%r1, %%r1, %d, %%r3;\n",
            2 * i + 1);
    end();
}

static void scatters(int n)
{
    begin("k", "");
    for (int i = 0; i < n; i++)
        put("mad.lo.s32 %%r1, %%r1, %d, 77; and.b32 %%r2, %%r1, 4095; mul.wide.u32 %%d3, %%r2, 4; add.s64 %%d3, %%d0, "
            "%%d3; st.global.u32 [%%d3], %%r1;\n",
            2 * i + 1);
    end();
}

static void locals(int n)
{
    begin("k", "");
    for (int i = 0; i < n; i++)
        put(".local .align 4 .b32 v%d[4];\n", i);
    for (int i = 0; i < n; i++)
        put("mov.u64 %%d3, v%d; and.b32 %%r2, %%r1, 3; mad.wide.u32 %%d3, %%r2, 4, %%d3; st.local.u32 [%%d3], %%r1; "
            "ld.local.u32 %%r2, [v%d+4]; add.s32 %%r1, %%r1, %%r2;\n",
            i, i);
    end();
}

static void local_array(int n)
{
    begin("k", ".local .align 4 .b32 v[64];");
    for (int i = 0; i < n; i++)
        put("mov.u64 %%d3, v; and.b32 %%r2, %%r1, 63; mad.wide.u32 %%d3, %%r2, 4, %%d3; st.local.u32 [%%d3], %%r1; "
            "ld.local.u32 %%r2, [v+%d]; mad.lo.s32 %%r1, %%r1, %d, %%r2;\n",
            i % 64 * 4, 2 * i + 1);
    end();
}

static void registers(int n)
{
    begin("k", "");
    for (int i = 0; i < n; i++)
        put(".reg .b32 v%d;\n", i);
    put("mov.b32 v0, %%r1;\n");
    for (int i = 1; i < n; i++)
        put("add.s32 v%d, v%d, %d;\n", i, i - 1, i);
    put("mov.b32 %%r1, v%d;\n", n - 1);
    end();
}

static void parameters(int n)
{
    put(".visible .entry k(.param .u64 m");
    for (int i = 0; i < n; i++)
        put(", .param .u32 a%d", i);
    put(") {\n.reg .b32 %%r<8>; .reg .b64 %%d<8>; mov.u32 %%r0, %%tid.x; ld.param.u64 %%d0, [m]; mul.wide.u32 %%d2, "
        "%%r0, 4; add.s64 %%d1, %%d0, %%d2;\nmov.u32 %%r1, 0;\n");
    for (int i = 0; i < n; i++)
        put("ld.param.u32 %%r2, [a%d]; mad.lo.s32 %%r1, %%r1, 31, %%r2;\n", i);
    put("st.global.u32 [%%d1], %%r1; ret; }\n");
}

static void parameters_function(int n)
{
    put(".func (.param .u32 r) f(.param .u32 a0");
    for (int i = 1; i < n; i++)
        put(", .param .u32 a%d", i);
    put(") {\n.reg .b32 %%r<8>; mov.u32 %%r1, 0;\n");
    for (int i = 0; i < n; i++)
        put("ld.param.u32 %%r2, [a%d]; mad.lo.s32 %%r1, %%r1, 31, %%r2;\n", i);
    leave();
    begin("k", "");
    put("{ .param .u32 y;\n");
    for (int i = 0; i < n; i++)
        put(".param .u32 x%d; xor.b32 %%r2, %%r1, %d; st.param.u32 [x%d], %%r2;\n", i, i, i);
    put("call (y), f, (x0");
    for (int i = 1; i < n; i++)
        put(", x%d", i);
    put("); ld.param.u32 %%r1, [y]; }\n");
    end();
}

static void atomics(int n)
{
    begin("k", "");
    for (int i = 0; i < n; i++)
        put("atom.global.add.u32 %%r2, [%%d1+%d], %%r1; xor.b32 %%r1, %%r1, %%r2;\n", i % 1024 * 256);
    end();
}

static void reductions(int n)
{
    begin("k", ".shared .align 4 .b32 s[64];");
    put("mov.u32 %%r17, s; and.b32 %%r18, %%r1, 63; shl.b32 %%r18, %%r18, 2; add.s32 %%r17, %%r17, %%r18;\n");
    for (int i = 0; i < n; i++)
        put(i % 2 ? "red.global.add.u32 [%%d0+%d], %%r1;\n" : "red.shared.add.u32 [%%r17], %d;\n", i % 256 * 4);
    end();
}

static void shuffles(int n)
{
    begin("k", "");
    for (int i = 0; i < n; i++)
        put("shfl.sync.bfly.b32 %%r2, %%r1, %d, 31, -1; mad.lo.s32 %%r1, %%r1, %d, %%r2;\n", 1 << i % 5, 2 * i + 1);
    end();
}

static void votes(int n)
{
    begin("k", "");
    for (int i = 0; i < n; i++) {
        condition(i);
        put("vote.sync.ballot.b32 %%r2, %%p1, -1; mad.lo.s32 %%r1, %%r1, %d, %%r2;\n", 2 * i + 1);
    }
    end();
}

static void comments(int n)
{
    begin("k", "");
    for (int i = 0; i < n; i++)
        put("// number %d of the lines that say nothing\n\n", i);
    end();
}

static void lines(int n)
{
    put(".file 1 \"a.cu\"\n");
    begin("k", "");
    for (int i = 0; i < n; i++) {
        put(".loc 1 %d 3\n", i + 1);
        operation(i);
    }
    end();
}

static const struct kind {
    const char *name;
    void (*write)(int n);
    int first, sizes; // n of the first text; each further one has twice as many
    int kernels;      // "k0" to "k<n-1>" are launched in place of "k"
} kinds[] = {
    {"arithmetic", arithmetic, 512, 6, 0},
    {"live values", live_values, 128, 6, 0},
    {"divisions, roots", divisions, 64, 6, 0},
    {"globals, all used", globals_used, 256, 6, 0},
    {"globals, unused", globals_unused, 2048, 6, 0},
    {"globals that point to globals", global_pointers, 1024, 6, 0},
    {"one long table", big_initialiser, 8192, 6, 0},
    {"kernels, each launched", kernels_all, 4, 6, 1},
    {"kernels, one launched", kernels_one, 128, 6, 0},
    {"functions, unused", functions_unused, 1024, 6, 0},
    {"call chain", call_chain, 128, 6, 0},
    {"call chain, callees first", call_chain_upward, 128, 6, 0},
    {"calls of many functions", call_fan, 128, 6, 0},
    {"calls of one function", call_same, 128, 6, 0},
    {"calls that double", call_doubling, 64, 6, 0},
    {"calls in a cycle", call_cycle, 16, 6, 0},
    {"calls that may exit", call_exit, 32, 6, 0},
    {"calls by pointer", call_pointer, 32, 6, 0},
    {"ifs", ifs, 64, 6, 0},
    {"ifs with else and accesses", ifs_else, 16, 6, 0},
    {"ifs within each other", ifs_nested, 32, 6, 0},
    {"else if", ifs_ladder, 32, 6, 0},
    {"a switch", switches, 32, 6, 0},
    {"guarded instructions", guarded, 64, 6, 0},
    {"exits", exits, 32, 6, 0},
    {"gotos ahead", gotos_forward, 32, 6, 0},
    {"gotos far ahead", gotos_far, 32, 6, 0},
    {"gotos both ways", gotos_both, 16, 6, 0},
    {"loops", loops, 16, 6, 0},
    {"loops with loads", loops_memory, 16, 6, 0},
    {"loops within each other", loops_nested, 4, 6, 0},
    {"a loop with breaks", loops_breaks, 16, 6, 0},
    {"barriers", barriers, 16, 6, 0},
    {"values across barriers", barriers_live, 16, 6, 0},
    {"barriers in loops", barriers_loops, 8, 6, 0},
    {"barriers in arms", barriers_arms, 8, 6, 0},
    {"shared accesses", shared_accesses, 64, 6, 0},
    {"shared variables", shared_variables, 64, 6, 0},
    {"global accesses", global_accesses, 64, 6, 0},
    {"gathers", gathers, 64, 6, 0},
    {"scatters", scatters, 64, 6, 0},
    {"local variables", locals, 32, 6, 0},
    {"a local array", local_array, 64, 6, 0},
    {"registers", registers, 1024, 6, 0},
    {"parameters of the kernel", parameters, 30, 6, 0},
    {"parameters of a function", parameters_function, 64, 6, 0},
    {"atomics", atomics, 32, 6, 0},
    {"reductions", reductions, 32, 6, 0},
    {"shuffles", shuffles, 32, 6, 0},
    {"votes", votes, 32, 6, 0},
    {"comments", comments, 16384, 6, 0},
    {"source lines", lines, 512, 6, 0},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int launch(CUmodule module, const char *name, CUdeviceptr memory)
{
    CUfunction f;
    static char arguments[1 << 15];
    size_t size = 0, offset, bytes;
    if (cuModuleGetFunction(&f, module, name))
        return 0;
    for (size_t i = 0; !cuFuncGetParamInfo(f, i, &offset, &bytes); i++)
        size = offset + bytes;
    memcpy(arguments, &memory, sizeof memory);
    void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, arguments, CU_LAUNCH_PARAM_BUFFER_SIZE, &size,
                     CU_LAUNCH_PARAM_END};
    return !cuLaunchKernel(f, 1, 1, 1, THREADS, 1, 1, 0, NULL, NULL, extra);
}

static double compile(const struct kind *k, int n, CUdeviceptr memory)
{
    CUmodule module;
    text.len = 0;
    state = 1;
    put(".version 8.1\n.target sm_80\n.address_size 64\n");
    k->write(n);
    double t = now();
    int ok = !cuModuleLoadData(&module, text.data);
    for (int i = 0; ok && k->kernels && i < n; i++) {
        char name[16];
        snprintf(name, sizeof name, "k%d", i);
        ok = launch(module, name, memory);
    }
    ok = ok && (k->kernels || launch(module, "k", memory)) && !cuCtxSynchronize();
    t = now() - t;
    if (!ok) {
        fprintf(stderr, "%s %d: not compiled\n", k->name, n);
        exit(1);
    }
    cuModuleUnload(module);
    return t;
}

// The slope of the logarithms.
static double exponent(const double *size, const double *time, int n)
{
    double x = 0, y = 0, xx = 0, xy = 0;
    for (int i = 0; i < n; i++) {
        double a = log(size[i]), b = log(time[i]);
        x += a;
        y += b;
        xx += a * a;
        xy += a * b;
    }
    return (n * xy - x * y) / (n * xx - x * x);
}

static int wanted(const char *name, char **names)
{
    for (int i = 0; names[i]; i++)
        if (strstr(name, names[i]))
            return 1;
    return !names[0];
}

int main(int argc, char **argv)
{
    int rounds = 2, print = 0, only = 0;
    (void)argc;
    for (argv++; *argv && **argv == '-'; argv++) {
        if (!strcmp(*argv, "--rounds") && argv[1])
            rounds = atoi(*++argv);
        else if (!strcmp(*argv, "--size") && argv[1])
            only = atoi(*++argv);
        else if (!strcmp(*argv, "--print") && argv[1])
            print = atoi(*++argv);
        else
            return fprintf(stderr, "compile [--rounds N] [--size N (that one alone)] [--print N (the text of that "
                                   "size)] [part of a kind's name ...]\n"),
                   2;
    }
    text.data = malloc(text.cap = 1 << 16);
    CUdevice device;
    CUcontext context;
    CUdeviceptr memory;
    if (!print &&
        (setenv("HEDDLE_CACHE", "0", 1) || cuInit(0) || cuDeviceGet(&device, 0) ||
         cuCtxCreate(&context, NULL, 0, device) || cuMemAlloc(&memory, BYTES) || cuMemsetD8(memory, 0, BYTES)))
        return fprintf(stderr, "no device\n"), 1;
    double worst = 0;
    if (!print) {
        compile(&kinds[0], 1, memory);
        printf("%-30s %6s  ms of the processor for each doubling %31s %8s\n", "", "size", "exponent", "last 3");
    }
    for (int i = 0; i < KINDS; i++) {
        const struct kind *k = &kinds[i];
        double size[MOST_SIZES], best[MOST_SIZES];
        if (!wanted(k->name, argv))
            continue;
        if (print) {
            text.len = 0;
            put(".version 8.1\n.target sm_80\n.address_size 64\n");
            k->write(print);
            fputs(text.data, stdout);
            continue;
        }
        if (only) {
            printf("%-30s %6d  %8.1f\n", k->name, only, compile(k, only, memory) * 1e3);
            continue;
        }
        printf("%-30s %6d ", k->name, k->first);
        for (int s = 0; s < k->sizes; s++) {
            size[s] = (double)(k->first << s);
            best[s] = 1e9;
            for (int r = 0; r < rounds; r++) {
                double t = compile(k, k->first << s, memory);
                best[s] = t < best[s] ? t : best[s];
            }
            printf(" %8.1f", best[s] * 1e3);
            fflush(stdout);
        }
        double all = exponent(size, best, k->sizes), last = exponent(size + k->sizes - 3, best + k->sizes - 3, 3);
        printf("   %8.2f %8.2f\n", all, last);
        worst = all > worst ? all : worst;
        fflush(stdout);
    }
    if (!print)
        printf("largest exponent: %.2f\n", worst);
    return 0;
}
